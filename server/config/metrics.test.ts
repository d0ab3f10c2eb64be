import { describe, expect, it } from 'vitest'
import { configSchema } from './schema.ts'

const clusters = [{ name: 'eu', endpoints: ['http://127.0.0.1:2379'], watch: ['/e/'] }]
const parse = (metrics?: Record<string, unknown>, more = {}) =>
  configSchema.safeParse({ clusters, ...more, ...(metrics ? { metrics } : {}) })
const why = (metrics: Record<string, unknown>, more = {}) =>
  parse(metrics, more).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []

describe('metrics', () => {
  it('have series of 2,000 elections unless told otherwise', () => {
    expect(parse().data?.metrics).toEqual({ maxElections: 2_000 })
    expect(parse({ port: 9_464 }).data?.metrics).toEqual({ maxElections: 2_000, port: 9_464 })
  })

  it('a port that others reach needs a token', () => {
    expect(why({ port: 9_464, host: '0.0.0.0' })).toEqual([
      'metrics.host: metrics.host 0.0.0.0 lets others read /metrics, and nothing asks who they are: set metrics.tokenFile, or metrics.host to 127.0.0.1',
    ])
    expect(why({ port: 9_464, host: '0.0.0.0', tokenFile: '/t' })).toEqual([])
    for (const host of ['127.0.0.1', '127.3.2.1', '::1', 'localhost']) expect(why({ port: 9_464, host })).toEqual([])
  })

  it('a host says nothing without a port', () => {
    expect(why({ host: '127.0.0.1' })).toEqual([
      'metrics.host: metrics.host is the address of metrics.port: set metrics.port as well, or neither',
    ])
  })

  it('the port of the pages is no port of its own', () => {
    expect(why({ port: 3_000 })).toEqual([
      'metrics.port: metrics.port 3000 is the port of the pages: leave it out, and /metrics is served there, or take another',
    ])
    expect(why({ port: 0 }, { port: 0 })).toEqual([])
  })

  it.each([0, -1, 1.5, 100_001, 'many'])('maxElections of %s is refused', (maxElections) => {
    expect(why({ maxElections })).toEqual(['metrics.maxElections: maxElections is a whole number from 1 to 100000'])
  })

  it('knows no other setting', () => {
    expect(parse({ path: '/m' }).success).toBe(false)
  })
})
