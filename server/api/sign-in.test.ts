import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loopbackOpen } from '../auth/auth.ts'
import { cameFrom, cookieOf, PASSWORD, type TestAuth, testAuth } from '../auth/auth-for-test.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import type { Runtime } from '../runtime-slot.ts'
import { actionsOn } from './actions-for-test.ts'
import { answerSignIn, ownPath } from './sign-in.ts'

let at: TestAuth
beforeEach(async () => {
  at = await testAuth()
})
afterEach(() => at.close())

interface Sent {
  body?: unknown
  method?: string
  headers?: Headers
  type?: string
}

async function send(
  path: string,
  { body = {}, method = 'POST', headers = cameFrom(), type = 'application/json' }: Sent = {},
) {
  const own = new Headers(headers)
  own.set('content-type', type)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const init = { method, headers: own, ...(method === 'POST' ? { body: text } : {}) }
  const response = await answerSignIn(new Request(`http://localhost/api/auth/${path}`, init), {
    auth: at.auth,
    actions: actionsOn(new FakeAudit()),
  } as Runtime)
  return { status: response.status, headers: response.headers, json: await response.json() }
}

const ada = { email: 'ada@example.org', password: PASSWORD }

describe('signing in', () => {
  test('answers with a cookie and nothing else: what the session is called is for no script', async () => {
    await at.add('ada', 'viewer')
    const { status, headers, json } = await send('sign-in', { body: ada })
    expect([status, json]).toEqual([200, { ok: true }])
    expect(headers.get('cache-control')).toBe('no-store')
    const cookie = cookieOf(headers.getSetCookie())
    expect(await at.auth.whoIs(cameFrom({ cookie }))).toMatchObject({ kind: 'person' })
    const out = await send('sign-out', { headers: cameFrom({ cookie }) })
    expect(out.headers.getSetCookie().join()).toMatch(/Max-Age=0/)
    expect(await at.auth.whoIs(cameFrom({ cookie }))).toBeNull()
  })

  test('tells what is wrong by a status and a code', async () => {
    await at.add('root', 'admin')
    const { id } = await at.add('ada', 'viewer')
    expect(await send('sign-in', { body: { ...ada, password: 'x' } })).toMatchObject({
      status: 401,
      json: { code: 'wrong' },
    })
    const link = { link: 'nonsense', password: PASSWORD }
    expect(await send('set-up', { body: link })).toMatchObject({ status: 410, json: { code: 'expired-link' } })
    expect(await send('link', { body: link })).toMatchObject({ status: 410, json: { code: 'expired-link' } })
    const change = { current: PASSWORD, next: 'another horse battery' }
    expect(await send('change-password', { body: change })).toMatchObject({
      status: 401,
      json: { code: 'not-signed-in' },
    })
    expect(await send('oidc', { body: { to: '/' } })).toMatchObject({ status: 502, json: { code: 'provider' } })
    await at.accounts.people.disable(id)
    expect(await send('sign-in', { body: ada })).toMatchObject({ status: 403, json: { code: 'disabled' } })
  })

  test('tells how long to wait after too many tries, also by Retry-After', async () => {
    const headers = cameFrom()
    for (let n = 0; n < 10; n += 1) await send('sign-in', { body: { ...ada, email: 'nonsense' }, headers })
    const { status, json, headers: told } = await send('sign-in', { body: ada, headers })
    expect([status, json.code]).toEqual([429, 'too-many'])
    expect(Number(told.get('retry-after'))).toBeGreaterThan(50)
  })
})

describe('a request that is not of ours', () => {
  test('changes nothing by GET, and takes JSON alone', async () => {
    await at.add('ada', 'viewer')
    const headers = await at.signedIn('ada')
    expect((await send('sign-out', { method: 'GET', headers })).status).toBe(405)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      expect([type, (await send('sign-out', { headers, type })).status]).toEqual([type, 415])
    }
    expect(await at.auth.whoIs(headers)).toMatchObject({ kind: 'person' })
  })

  test('is refused when it is too large, no JSON, or not what is asked for', async () => {
    expect((await send('sign-in', { body: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await send('sign-in', { body: '{' })).status).toBe(400)
    expect((await send('sign-in', { body: { email: ['a'], password: 'b' } })).status).toBe(400)
  })

  test.each(['get-session', 'list-sessions', 'sign-up/email', 'sign-in/email', 'update-user', 'ok', 'constructor', ''])(
    "reaches none of the library's own addresses: %s",
    async (path) => {
      expect((await send(path)).status).toBe(404)
      expect((await send(path, { method: 'GET' })).status).toBe(404)
    },
  )

  test('is told where nobody signs in', async () => {
    const request = new Request('http://localhost/api/auth/sign-in', { method: 'POST' })
    expect((await answerSignIn(request, { auth: loopbackOpen } as Runtime)).status).toBe(409)
  })
})

test('the provider sends people back to a path of ours', () => {
  expect(ownPath('/people?a=b')).toBe('/people?a=b')
  for (const to of [
    'https://attacker.example',
    '//attacker.example',
    '/\\attacker.example',
    '\t//attacker.example',
    'people',
    '',
  ]) {
    expect([to, ownPath(to)]).toEqual([to, '/'])
  }
})
