import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { allowedHosts, askedHost } from './guard.ts'
import { type Answer, ask, configured, serve, stopServing } from './guard-for-test.ts'

afterEach(stopServing)

const statusFor = async (port: number, host: string, more: Record<string, string> = {}) =>
  (await ask(port, { host, ...more })).status

function directive(answer: Answer, name: string): string {
  const policy = String(answer.headers['content-security-policy'])
  return policy.split('; ').find((part) => part.startsWith(`${name} `)) ?? ''
}

describe('the Host of a request', () => {
  test('that nobody configured is answered 421, with the setting that would allow it', async () => {
    const port = await serve()
    const answer = await ask(port, { host: 'attacker.example' })
    expect(answer.status).toBe(421)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toContain('"attacker.example"')
    expect(answer.body).toContain('publicUrl (TENURE_PUBLIC_URL)')
  })

  test('may be any loopback name, at any port', async () => {
    const port = await serve()
    for (const host of ['localhost', 'LOCALHOST', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      expect([host, await statusFor(port, host)]).toEqual([host, 200])
    }
  })

  test('may be that of publicUrl, and nothing that merely resembles it', async () => {
    const port = await serve({ publicUrl: 'https://tenure.example.org/' })
    expect(await statusFor(port, 'tenure.example.org')).toBe(200)
    for (const host of ['example.org', 'tenure.example.org.attacker.example', 'xtenure.example.org']) {
      expect([host, await statusFor(port, host)]).toEqual([host, 421])
    }
    expect(allowedHosts(configured({ publicUrl: 'https://tenure.example.org/' }))).not.toContain('')
  })

  test('must be a host and nothing else', async () => {
    const port = await serve()
    for (const host of [
      'attacker.example@localhost',
      'localhost/attacker',
      'localhost?a',
      'localhost#a',
      'localhost\\a',
    ]) {
      expect([host, await statusFor(port, host)]).toEqual([host, 421])
    }
  })

  test('may be the address that is bound, but binding all addresses allows none of them', () => {
    expect(allowedHosts(configured({ host: '10.0.0.5' }))).toContain('10.0.0.5')
    expect(allowedHosts(configured({ host: 'fd00::5' }))).toContain('[fd00::5]')
    for (const host of ['0.0.0.0', '::']) {
      expect([...allowedHosts(configured({ host }))].sort()).toEqual(['127.0.0.1', '[::1]', 'localhost'])
    }
  })
})

describe('a forwarded host', () => {
  const published = { publicUrl: 'https://tenure.example.org' }
  const forwarded = { 'x-forwarded-host': 'tenure.example.org' }

  test('counts from a trusted proxy, whatever Host the proxy used', async () => {
    const port = await serve({ ...published, trustedProxies: ['127.0.0.1'] })
    expect(await statusFor(port, 'backend.internal', forwarded)).toBe(200)
    expect(await statusFor(port, 'localhost', { 'x-forwarded-host': 'attacker.example' })).toBe(421)
  })

  test('is nothing from anybody else', async () => {
    for (const trustedProxies of [[], ['10.0.0.7']]) {
      const port = await serve({ ...published, trustedProxies })
      expect(await statusFor(port, 'backend.internal', forwarded)).toBe(421)
      expect(await statusFor(port, 'localhost', { 'x-forwarded-host': 'attacker.example' })).toBe(200)
    }
  })

  test('counts from a proxy whose IPv4 address arrives in its IPv6 form', () => {
    const config = configured({ ...published, trustedProxies: ['10.0.0.7'] })
    const from = (remoteAddress: string) =>
      askedHost({ headers: forwarded, socket: { remoteAddress } as IncomingMessage['socket'] }, config)
    expect(from('::ffff:10.0.0.7')).toBe('tenure.example.org')
    expect(from('::ffff:10.0.0.8')).toBe('')
  })
})

describe('the headers of an answer', () => {
  test('carry a nonce of their own, which the page is handed as well', async () => {
    const port = await serve()
    const nonces = new Set<string>()
    for (let n = 0; n < 3; n += 1) {
      const answer = await ask(port, { 'x-nonce': 'chosen-by-the-caller' })
      const nonce = /'nonce-([A-Za-z0-9+/]{22}==)'/.exec(directive(answer, 'script-src'))?.[1]
      expect(JSON.parse(answer.body)['x-nonce']).toBe(nonce)
      expect(JSON.parse(answer.body)['content-security-policy']).toBe(answer.headers['content-security-policy'])
      nonces.add(String(nonce))
    }
    expect(nonces.size).toBe(3)
  })

  test('allow no script without it, and no code made from text', async () => {
    const scripts = directive(await ask(await serve()), 'script-src')
    expect(scripts).toMatch(/^script-src 'self' 'nonce-[^']+' 'strict-dynamic'$/)
    expect(directive(await ask(await serve({}, true)), 'script-src')).toContain("'unsafe-eval'")
  })

  test('let nobody frame, sniff, or send what is shown elsewhere', async () => {
    const answer = await ask(await serve())
    expect(directive(answer, 'frame-ancestors')).toBe("frame-ancestors 'none'")
    expect(directive(answer, 'default-src')).toBe("default-src 'self'")
    expect(directive(answer, 'connect-src')).toBe("connect-src 'self'")
    expect(directive(answer, 'form-action')).toBe("form-action 'self'")
    expect(directive(answer, 'base-uri')).toBe("base-uri 'none'")
    expect(directive(answer, 'object-src')).toBe("object-src 'none'")
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  test('keep what the API answers out of every cache', async () => {
    const port = await serve()
    expect((await ask(port, { host: 'localhost' }, { path: '/api/trpc/clusters.list' })).headers).toMatchObject({
      'cache-control': 'no-store',
    })
  })

  test('are on a refusal too', async () => {
    const answer = await ask(await serve(), { host: 'attacker.example' })
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['x-frame-options']).toBe('DENY')
  })
})

describe('an address or a method that nothing here can answer', () => {
  test('is refused in words: never a 500, and no page for it', async () => {
    const port = await serve()
    const base = `http://127.0.0.1:${port}`
    const badEscape = await fetch(`${base}/elections/demo/%ff`)
    expect([badEscape.status, await badEscape.text()]).toEqual([400, expect.stringContaining('%25')])
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(base, { method })
      expect([method, answer.status]).toEqual([method, 405])
    }
    expect((await fetch(`${base}/elections/demo/%C3%BC`)).status).toBe(200)
  })
})
