/** Who may read `/metrics`, among the pages and on a port of its own. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { cameFrom, type TestAuth, testAuth } from '../auth/auth-for-test.ts'
import { configSchema } from '../config/schema.ts'
import { ask } from '../guard-for-test.ts'
import { Scene } from '../metrics/metrics-for-test.ts'
import type { Runtime } from '../runtime-slot.ts'
import { answerMetrics } from './metrics.ts'
import { type MetricsPort, serveMetrics } from './metrics-port.ts'
import { TokenFile } from './token-file.ts'

const clusters = [{ name: 'eu', endpoints: ['http://127.0.0.1:2379'], watch: ['/e/'] }]
let at: TestAuth
let folder: ReturnType<typeof makeTempFolder>
const ports: MetricsPort[] = []
let nowMs = 0

beforeEach(async () => {
  at = await testAuth()
  folder = makeTempFolder('metrics')
})
afterEach(() => {
  for (const port of ports.splice(0)) port.stop()
  at.close()
  folder.remove()
})

const tokenFile = () => join(folder.path, 'token')

function runtime(metrics: Record<string, unknown> = {}, auth = at.auth): Runtime {
  const config = configSchema.parse({ clusters, metrics })
  const { tokenFile: file } = config.metrics
  const token = file === undefined ? null : new TokenFile(file, { monoMs: () => nowMs }, 'metrics')
  return { config, auth, metrics: new Scene().metrics, metricsToken: token } as unknown as Runtime
}

async function get(running: Runtime, headers: Headers = cameFrom()) {
  const response = await answerMetrics(new Request('http://127.0.0.1:3000/metrics', { headers }), running)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    challenge: response.headers.get('www-authenticate'),
    body: await response.text(),
  }
}

const bearer = (token: string) => cameFrom({ authorization: `Bearer ${token}` })

describe('among the pages', () => {
  it('nobody who is unknown may, and is told what would do', async () => {
    const { status, challenge, body } = await get(runtime())
    expect([status, challenge]).toEqual([401, 'Bearer realm="metrics"'])
    expect(body).toMatch(/^Sign in, or send an API token/)
    expect((await get(runtime(), bearer('wrong'))).status).toBe(401)
  })

  it('whoever is signed in may, in whatever role', async () => {
    await at.add('viewer', 'viewer')
    const { status, type, body } = await get(runtime(), await at.signedIn('viewer'))
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(body).toContain('tenure_build_info')
  })

  it('an API token may', async () => {
    const { id } = await at.add('viewer', 'viewer')
    const { secret } = at.accounts.tokens.make(id, { name: 'prometheus', role: 'viewer' })
    expect((await get(runtime(), bearer(secret))).status).toBe(200)
  })

  it('everybody may where everybody may view', async () => {
    const open = await at.reopen({ anonymousViewing: true })
    expect((await get(runtime({}, open.auth))).status).toBe(200)
    at = open
  })

  it('speaks OpenMetrics to those who ask for it', async () => {
    await at.add('viewer', 'viewer')
    const headers = await at.signedIn('viewer')
    headers.set('accept', 'application/openmetrics-text;version=1.0.0')
    const { type, body } = await get(runtime(), headers)
    expect(type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
    expect(body.endsWith('# EOF\n')).toBe(true)
  })

  it('the token of the file is enough, and is read anew when it is replaced', async () => {
    writeFileSync(tokenFile(), 'first\n')
    const running = runtime({ tokenFile: tokenFile() })
    expect((await get(running, bearer('first'))).status).toBe(200)
    expect((await get(running, bearer('second'))).status).toBe(401)
    expect((await get(running)).body).toMatch(/metrics\.tokenFile/)
    writeFileSync(tokenFile(), 'second')
    nowMs += 1_000
    expect((await get(running, bearer('first'))).status).toBe(401)
    expect((await get(running, bearer('second'))).status).toBe(200)
  })

  it('with such a token those who may see pages still may', async () => {
    writeFileSync(tokenFile(), 'first')
    await at.add('viewer', 'viewer')
    expect((await get(runtime({ tokenFile: tokenFile() }), await at.signedIn('viewer'))).status).toBe(200)
  })

  it('a file that cannot be read lets nobody in, and is named', async () => {
    writeFileSync(tokenFile(), 'first')
    const running = runtime({ tokenFile: tokenFile() })
    rmSync(tokenFile())
    const { status, body } = await get(running, bearer('first'))
    expect(status).toBe(503)
    expect(body).toContain('the file with the token for metrics cannot be read (ENOENT)')
    writeFileSync(tokenFile(), '')
    nowMs += 1_000
    expect((await get(running, bearer(''))).status).toBe(401)
  })

  it('is not there when it has a port of its own', async () => {
    await at.add('viewer', 'viewer')
    expect((await get(runtime({ port: 0 }), await at.signedIn('viewer'))).status).toBe(404)
  })
})

describe('on a port of its own', () => {
  async function serve(metrics: Record<string, unknown> = {}): Promise<number> {
    const port = await serveMetrics(runtime({ port: 0, ...metrics }), (error) => {
      throw error
    })
    if (port === null) throw new Error('not served')
    ports.push(port)
    return port.port
  }

  const scrape = (port: number, headers = {}, path = '/metrics', method = 'GET') => ask(port, headers, { path, method })

  it('only /metrics is there, to be read', async () => {
    const port = await serve()
    const answer = await scrape(port, { accept: 'application/openmetrics-text' })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toMatch(/^application\/openmetrics-text/)
    expect(answer.body).toContain('tenure_build_info')
    for (const path of ['/', '/metrics/', '/api/trpc/clusters.list', '/metricsx', '//']) {
      expect((await scrape(port, {}, path)).status).toBe(404)
    }
    expect((await scrape(port, {}, '/metrics?x=1')).status).toBe(200)
    expect((await scrape(port, {}, '/metrics', 'POST')).status).toBe(405)
  })

  it('HEAD has the headers alone', async () => {
    const answer = await scrape(await serve(), {}, '/metrics', 'HEAD')
    expect([answer.status, answer.body]).toEqual([200, ''])
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(100)
  })

  it('asks for the token where there is one, under whatever name', async () => {
    writeFileSync(tokenFile(), 'first')
    const port = await serve({ tokenFile: tokenFile() })
    const refused = await scrape(port)
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="metrics"'])
    expect((await scrape(port, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await scrape(port, { authorization: 'Basic first' })).status).toBe(401)
    expect((await scrape(port, { authorization: 'bearer first', host: 'tenure.example.org' })).status).toBe(200)
  })

  it('without a token no page whose name was made to point here may (DNS rebinding)', async () => {
    const port = await serve()
    expect((await scrape(port, { host: `evil.example:${port}` })).status).toBe(421)
    expect((await scrape(port, { host: 'localhost' })).status).toBe(200)
    expect((await scrape(port, { host: `[::1]:${port}` })).status).toBe(200)
  })

  it('a port that is taken is named with the setting', async () => {
    const port = await serve()
    await expect(serve({ port })).rejects.toThrow(`port ${port} is taken: set metrics.port to a free one`)
  })

  it('is not there unless it is configured', async () => {
    expect(await serveMetrics(runtime(), () => {})).toBeNull()
  })
})
