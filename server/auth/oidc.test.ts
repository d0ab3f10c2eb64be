import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CLIENT, goThrough, startProvider, type TestProvider } from '../../e2e/harness/oidc-provider.ts'
import { cameFrom, cookieOf, PASSWORD, type TestAuth, testAuth } from './auth-for-test.ts'
import { roleOfClaims } from './oidc.ts'

const publicUrl = 'http://127.0.0.1:3999'
let at: TestAuth
let provider: TestProvider
beforeEach(async () => {
  // The provider warns of what makes it a provider for tests.
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {})
  provider = await startProvider(`${publicUrl}/api/auth/callback/oidc`)
  at = await testAuth()
  writeFileSync(join(at.folder, 'oidc-secret'), `${CLIENT.secret}\n`)
  at = await at.reopen(settingsFor(provider.issuer))
})
afterEach(async () => {
  vi.restoreAllMocks()
  at.close()
  await provider.stop()
})

const settingsFor = (issuer: string) => ({
  publicUrl,
  oidc: {
    issuer,
    clientId: CLIENT.id,
    clientSecretFile: 'oidc-secret',
    roles: { 'platform-oncall': 'operator', 'platform-admins': 'admin' },
  },
})

const ada = (...groups: string[]) => ({ email: 'ada@example.org', email_verified: true, name: 'Ada', groups })

interface Came {
  location: string | null
  headers: Headers
}

/** The whole way: our page, the provider's, back, with whatever cookies came. */
async function come(login: string, tamper: (url: URL) => void = () => {}): Promise<Came> {
  const started = await at.accounts.entrance.startOidc('/elections/eu/q~x', cameFrom())
  if (started === null) throw new Error('the provider was not asked')
  const back = await goThrough(started.url, login)
  tamper(back)
  const from = cameFrom({ cookie: cookieOf(started.cookies) })
  const response = await at.accounts.entrance.finishOidc(back.search, from)
  const cookies = response?.headers.getSetCookie().filter((cookie) => cookie.includes('session_token=')) ?? []
  return { location: response?.headers.get('location') ?? null, headers: cameFrom({ cookie: cookieOf(cookies) }) }
}

async function whoIs({ headers }: Came): Promise<string | null> {
  const actor = await at.auth.whoIs(headers)
  return actor !== 'bad-token' && actor?.kind === 'person' ? `${actor.person.email} ${actor.role}` : null
}

describe('somebody who comes from the provider', () => {
  test('is let in with the role that the claim maps to, and lands where it was asked for', async () => {
    provider.logins['sub-1'] = ada('platform-oncall', 'other')
    const came = await come('sub-1')
    expect(came.location).toBe('/elections/eu/q~x')
    expect(await whoIs(came)).toBe('ada@example.org operator')
    expect(at.accounts.people.list()).toMatchObject([{ name: 'Ada', signsInBy: ['oidc'] }])
  })

  test('has the role of now at each sign-in, and an admin here cannot give another', async () => {
    provider.logins['sub-1'] = ada('platform-admins', 'platform-oncall')
    expect(await whoIs(await come('sub-1'))).toBe('ada@example.org admin')
    provider.logins['sub-1'] = ada('platform-oncall')
    expect(await whoIs(await come('sub-1'))).toBe('ada@example.org operator')
    const [person] = at.accounts.people.list()
    expect(() => at.accounts.people.setRole(String(person?.id), 'admin')).toThrow(/comes from OpenID Connect/)
    expect(at.accounts.people.count).toBe(1)
  })

  test('without a mapped role is not let in, the first time or later', async () => {
    provider.logins['sub-1'] = ada('other')
    expect((await come('sub-1')).location).toMatch(/^\/sign-in\?error=no_role/)
    expect(at.accounts.people.count).toBe(0)
    provider.logins['sub-1'] = ada('platform-oncall')
    await come('sub-1')
    provider.logins['sub-1'] = ada()
    const came = await come('sub-1')
    expect([came.location, await whoIs(came)]).toEqual([expect.stringMatching(/error=no_role/), null])
  })

  test('who is disabled here stays out', async () => {
    provider.logins['sub-1'] = ada('platform-oncall')
    await come('sub-1')
    await at.accounts.people.disable(String(at.accounts.people.list()[0]?.id))
    const came = await come('sub-1')
    expect([came.location, await whoIs(came)]).toEqual([expect.stringMatching(/error=DISABLED/), null])
  })

  test('is the same person as one with that address only when the provider has verified it', async () => {
    await at.add('ada', 'viewer')
    provider.logins['sub-1'] = { ...ada('platform-admins'), email_verified: false }
    expect((await come('sub-1')).location).toMatch(/error=account_not_linked/)
    provider.logins['sub-1'] = ada('platform-admins')
    expect(await whoIs(await come('sub-1'))).toBe('ada@example.org admin')
    expect(at.accounts.people.list()).toMatchObject([{ signsInBy: ['password', 'oidc'] }])
  })
})

describe('the way back', () => {
  test('is refused without the state, or in another browser than it began in', async () => {
    provider.logins['sub-1'] = ada('platform-oncall')
    const changed = await come('sub-1', (url) => url.searchParams.set('state', 'made-up'))
    const without = await come('sub-1', (url) => url.searchParams.delete('state'))
    expect([await whoIs(changed), await whoIs(without)]).toEqual([null, null])
    const started = await at.accounts.entrance.startOidc('/', cameFrom())
    const back = await goThrough(String(started?.url), 'sub-1')
    const elsewhere = await at.accounts.entrance.finishOidc(back.search, cameFrom())
    expect(elsewhere?.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/)
    expect(elsewhere?.headers.get('location')).toMatch(/\/sign-in\?error=/)
    expect(at.accounts.people.count).toBe(0)
  })

  test('keeps no token of the provider, and no secret in the log', async () => {
    provider.logins['sub-1'] = ada('platform-oncall')
    for (let n = 0; n < 2; n += 1) await come('sub-1')
    const database = new DatabaseSync(join(at.folder, 'history.sqlite'), { readOnly: true })
    const kept = database.prepare('select accessToken, refreshToken, idToken from auth_accounts').all()
    database.close()
    expect(kept).toEqual([{ accessToken: null, refreshToken: null, idToken: null }])
    const text = at.logged.join('\n')
    expect(text).not.toContain(CLIENT.secret)
  })
})

describe('a provider that does not answer', () => {
  test('keeps nobody out who has a password', async () => {
    const hanging = createServer(() => {})
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    const { port } = hanging.address() as { port: number }
    at = await at.reopen(settingsFor(`http://127.0.0.1:${port}`))
    void at.accounts.entrance.startOidc('/', cameFrom()).catch(() => {})
    await at.add('ada', 'viewer')
    const outcome = await at.accounts.entrance.signIn({ email: 'ada@example.org', password: PASSWORD }, cameFrom())
    expect(outcome.is).toBe('in')
    hanging.close()
  })

  test('or is gone, is told', async () => {
    at = await at.reopen(settingsFor('http://127.0.0.1:1'))
    expect(await at.accounts.entrance.startOidc('/', cameFrom())).toBeNull()
  })
})

describe('the role of claims', () => {
  const roles = { a: 'viewer', b: 'operator', c: 'admin' } as const
  const of = (claims: object) => roleOfClaims({ roleClaim: 'groups', roles }, claims)

  test('is the highest of all that are mapped', () => {
    expect(of({ groups: ['a', 'b'] })).toBe('operator')
    expect(of({ groups: ['c', 'a'] })).toBe('admin')
    expect(of({ groups: 'b' })).toBe('operator')
  })

  test('is none for anything else', () => {
    for (const groups of [undefined, null, [], ['x'], 'constructor', '__proto__', 1, { a: 1 }, [['a']]]) {
      expect([groups, of({ groups })]).toEqual([groups, null])
    }
    expect(of({ other: ['c'] })).toBeNull()
  })
})
