import { describe, expect, it } from 'vitest'
import { msOf } from '../../lib/shared/clock.ts'
import { pageOf, RANGES, spanOf, stepRange, viewFrom, withView } from './detail-range.ts'

const NOW = '2026-03-12T03:12:47.123Z'
const params = (text: string) => new URLSearchParams(text)

describe('the view in the URL', () => {
  it('is the last hour, live, unless it says otherwise', () => {
    expect(viewFrom(params(''))).toMatchObject({ range: { id: '1h' }, end: null })
    expect(viewFrom(params('range=7y&end=soon'))).toMatchObject({ range: { id: '1h' }, end: null })
  })

  it('survives a round trip and leaves other parameters alone', () => {
    const query = withView(params('cluster=a'), viewFrom(params('range=6h&end=2026-03-12T02:00:00.000Z')))
    expect(query.get('cluster')).toBe('a')
    expect(viewFrom(query)).toMatchObject({ range: { id: '6h' }, end: '2026-03-12T02:00:00.000Z' })
    expect(withView(params('range=6h'), viewFrom(params(''))).toString()).toBe('')
  })

  it('steps through the ranges and stops at the ends', () => {
    expect(stepRange(RANGES[0], 1)).toBe(RANGES[1])
    expect(stepRange(RANGES[0], -1)).toBe(RANGES[0])
    expect(stepRange(RANGES[3], 1)).toBe(RANGES[3])
  })
})

describe('the shown span', () => {
  it('covers now and is as long as the range', () => {
    for (const range of RANGES) {
      const { fromMs, toMs } = spanOf({ range, end: null }, NOW)
      expect(toMs - fromMs).toBe(range.ms)
      expect(toMs).toBeGreaterThanOrEqual(msOf(NOW))
      expect(toMs - msOf(NOW)).toBeLessThanOrEqual(Math.max(2_000, range.ms / 900))
    }
  })

  it('asks for whole pages of whole buckets, 600 points at most, and the same question for a while', () => {
    for (const range of RANGES) {
      const view = { range, end: null }
      const page = pageOf(view, spanOf(view, NOW))
      expect(page.points).toBeLessThanOrEqual(600)
      expect((msOf(page.to) - msOf(page.from)) / page.points).toBe(range.bucketMs)
      expect(msOf(page.from) % range.bucketMs).toBe(0)
      expect(msOf(page.from)).toBeLessThanOrEqual(spanOf(view, NOW).fromMs)
      expect(pageOf(view, spanOf(view, '2026-03-12T03:12:49.000Z'))).toEqual(page)
    }
  })
})
