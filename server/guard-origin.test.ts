import { afterEach, describe, expect, test } from 'vitest'
import { clientAddress } from './guard.ts'
import { ask, configured, serve, stopServing } from './guard-for-test.ts'

afterEach(stopServing)

const published = { publicUrl: 'https://tenure.example.org' }

async function status(port: number, headers: Record<string, string>, how: { method?: string; path?: string }) {
  return (await ask(port, { host: `localhost:${port}`, ...headers }, how)).status
}

describe.each([
  ['a mutation', { method: 'POST', path: '/api/trpc/live.viewing' }],
  ['signing in', { method: 'POST', path: '/api/auth/sign-in' }],
  ['a page that is posted to', { method: 'POST', path: '/' }],
  ['the stream', { method: 'GET', path: '/api/trpc/live.events' }],
  ['a query', { method: 'GET', path: '/api/trpc/elections.list?input=%7B%7D' }],
  ['a path that only becomes one', { method: 'GET', path: '/x/../api/trpc/live.events' }],
])('%s', (_, how) => {
  test('is refused from a page of another origin, and from a page without one', async () => {
    const port = await serve(published)
    for (const origin of [
      'https://attacker.example',
      'null',
      'http://localhost',
      'http://localhost:1',
      `https://localhost:${port}`,
      'https://tenure.example.org.attacker.example',
      'http://tenure.example.org',
    ]) {
      expect([origin, await status(port, { origin }, how)]).toEqual([origin, 403])
    }
  })

  test('is refused where the browser says that another site made it, also without an Origin', async () => {
    const port = await serve()
    for (const site of ['cross-site', 'same-site', 'anything']) {
      expect([site, await status(port, { 'sec-fetch-site': site }, how)]).toEqual([site, 403])
    }
  })

  test('passes from pages of our own, and from programs', async () => {
    const port = await serve(published)
    for (const headers of [
      { origin: `http://localhost:${port}` },
      { origin: 'https://tenure.example.org' },
      { origin: `http://localhost:${port}`, cookie: 'a=b', 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-origin', cookie: 'a=b' },
      { authorization: 'Bearer tenure_x' },
      {},
    ]) {
      expect([headers, await status(port, headers as Record<string, string>, how)]).toEqual([headers, 200])
    }
  })
})

test('a POST that uses a session of a browser says for which page', async () => {
  const port = await serve()
  expect(await status(port, { cookie: 'a=b' }, { method: 'POST' })).toBe(403)
  expect(await status(port, { cookie: 'a=b' }, { method: 'GET' })).toBe(200)
})

test('behind a trusted proxy the page may be https', async () => {
  const port = await serve({ trustedProxies: ['127.0.0.1'] })
  const forwarded = { 'x-forwarded-host': 'localhost', origin: 'https://localhost' }
  expect(await status(port, forwarded, { method: 'POST' })).toBe(200)
  expect(await status(await serve(), forwarded, { method: 'POST' })).toBe(403)
})

test('pages, health and reports, and the way back from the provider, are not held to it', async () => {
  const port = await serve()
  const elsewhere = { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' }
  for (const path of ['/', '/elections/eu/q~x', '/api/health', '/api/auth/callback/oidc?code=x']) {
    expect([path, await status(port, elsewhere, { path })]).toEqual([path, 200])
  }
  expect(await status(port, elsewhere, { method: 'POST', path: '/api/reports' })).toBe(200)
  expect(await status(port, elsewhere, { method: 'POST', path: '/api/auth/callback/oidc' })).toBe(403)
})

describe('loopback-open', () => {
  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-anything'])(
    'refuses any request with %s: a proxy would make others admins',
    async (header) => {
      const open = await serve({ auth: 'loopback-open' })
      const answer = await ask(open, { host: 'localhost', [header]: '' }, { path: '/api/health' })
      expect([answer.status, answer.body]).toEqual([403, expect.stringContaining('loopback-open')])
      expect((await ask(await serve(), { host: 'localhost', [header]: 'localhost' })).status).toBe(200)
    },
  )

  test('answers this machine', async () => {
    expect((await ask(await serve({ auth: 'loopback-open' }), { host: 'localhost' })).status).toBe(200)
  })
})

describe('the address that rate limits go by', () => {
  const from = (remoteAddress: string, forwardedFor: string | undefined, trustedProxies: string[] = []) =>
    clientAddress(
      { headers: { 'x-forwarded-for': forwardedFor }, socket: { remoteAddress } as never },
      configured({ trustedProxies }),
    )

  test('is that of the connection, whatever it claims', async () => {
    expect(from('203.0.113.5', '198.51.100.1')).toBe('203.0.113.5')
    expect(from('::ffff:203.0.113.5', undefined)).toBe('203.0.113.5')
    const answer = await ask(await serve(), { host: 'localhost', 'x-tenure-client': '198.51.100.1' })
    expect(JSON.parse(answer.body)['x-tenure-client']).toBe('127.0.0.1')
  })

  test('behind trusted proxies is the one that the outermost of them saw', () => {
    const proxies = ['127.0.0.1', '10.0.0.7']
    expect(from('127.0.0.1', '198.51.100.1', proxies)).toBe('198.51.100.1')
    expect(from('127.0.0.1', 'made-up, 198.51.100.1, 10.0.0.7', proxies)).toBe('198.51.100.1')
    expect(from('127.0.0.1', '192.0.2.1, 198.51.100.1', proxies)).toBe('198.51.100.1')
    expect(from('127.0.0.1', 'nonsense', proxies)).toBe('127.0.0.1')
    expect(from('127.0.0.1', undefined, proxies)).toBe('127.0.0.1')
  })
})
