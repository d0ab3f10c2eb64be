/** What people do besides acting on elections is in the audit log, and no secret is. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Actions } from '../actions/actions.ts'
import { MOST_IN_WINDOW } from '../actions/strangers.ts'
import { cameFrom, cookieOf, PASSWORD, type TestAuth, testAuth } from '../auth/auth-for-test.ts'
import { CLIENT_HEADER } from '../auth/client-address.ts'
import { FakeAudit } from '../history/fake-audit.ts'
import type { Runtime } from '../runtime-slot.ts'
import { actionsOn } from './actions-for-test.ts'
import { answer } from './answer.ts'
import { answerSignIn } from './sign-in.ts'
import { SignInRecord } from './sign-in-record.ts'

let at: TestAuth
let audit: FakeAudit
let actions: Actions
let logged: string[]
beforeEach(async () => {
  at = await testAuth()
  audit = new FakeAudit()
  logged = []
  actions = actionsOn(audit, logged)
})
afterEach(() => {
  actions.stop()
  at.close()
})

const runtime = () => ({ auth: at.auth, actions, audit, watchers: new Map(), config: {} }) as unknown as Runtime
const json = { 'content-type': 'application/json' }

async function sign(path: string, body: object, headers = cameFrom()) {
  const own = new Headers([...headers, ...Object.entries(json)])
  const init = { method: 'POST', headers: own, body: JSON.stringify(body) }
  const response = await answerSignIn(new Request(`http://localhost/api/auth/${path}`, init), runtime())
  return { status: response.status, cookie: cookieOf(response.headers.getSetCookie()) }
}

async function call(path: string, headers: Headers, input: object = {}) {
  const own = new Headers([...headers, ...Object.entries(json)])
  const init = { method: 'POST', headers: own, body: JSON.stringify(input) }
  const response = await answer(new Request(`http://localhost/api/trpc/${path}`, init), runtime())
  const { result } = JSON.parse(await response.text())
  return { status: response.status, data: result?.data }
}

const told = () =>
  audit.entries.map(({ kind, verb, actor, subject, code }) => [kind, verb, actor.name, subject.person?.name, code])
const newest = () => audit.entries.at(-1)
const everything = () => JSON.stringify(audit.entries) + logged.join()

describe('signing in and out', () => {
  test('is recorded with the address, and what was typed is not', async () => {
    await at.add('ada', 'viewer')
    const from = cameFrom()
    await sign('sign-in', { email: 'ADA@example.org', password: 'not the right one' }, from)
    await sign('sign-in', { email: 'my-password-by-mistake', password: PASSWORD })
    const { cookie } = await sign('sign-in', { email: 'ada@example.org', password: PASSWORD })
    await sign('sign-out', {}, cameFrom({ cookie }))
    await sign('sign-out', {}, cameFrom({ cookie }))
    expect(told()).toEqual([
      ['refusal', 'signIn', 'nobody', 'ada', 'wrong'],
      ['refusal', 'signIn', 'nobody', undefined, 'wrong'],
      ['done', 'signIn', 'ada', undefined, undefined],
      ['done', 'signOut', 'ada', undefined, undefined],
    ])
    expect(audit.entries[0]?.actor.address).toBe(from.get(CLIENT_HEADER))
    for (const secret of [PASSWORD, 'not the right one', 'by-mistake', 'ada@', cookie.split('=')[1] ?? '']) {
      expect(everything()).not.toContain(secret)
    }
  })

  test('of somebody disabled is refused with that word', async () => {
    await at.add('root', 'admin')
    const { id } = await at.add('ada', 'viewer')
    await at.accounts.people.disable(id)
    await sign('sign-in', { email: 'ada@example.org', password: PASSWORD })
    expect(newest()).toMatchObject({ kind: 'refusal', code: 'disabled', subject: { person: { id, name: 'ada' } } })
  })

  test('by a link is recorded as a link that was used, and one that is none as refused', async () => {
    const secret = at.accounts.links.make({ personId: null })
    const body = { link: secret, password: PASSWORD, name: 'Ada', email: 'ada@example.org' }
    expect((await sign('set-up', body)).status).toBe(200)
    expect((await sign('set-up', body)).status).toBe(410)
    expect(told()).toEqual([
      ['done', 'useLink', 'Ada', undefined, undefined],
      ['refusal', 'useLink', 'nobody', undefined, 'expired-link'],
    ])
    expect(everything()).not.toContain(secret)
  })

  test('a changed password is recorded, and one that was refused', async () => {
    await at.add('ada', 'viewer')
    const next = 'another horse battery'
    await sign('change-password', { current: 'not this one', next }, await at.signedIn('ada'))
    await sign('change-password', { current: PASSWORD, next }, await at.signedIn('ada'))
    await sign('change-password', { current: PASSWORD, next })
    expect(told()).toEqual([
      ['refusal', 'changePassword', 'nobody', 'ada', 'wrong'],
      ['done', 'changePassword', 'ada', undefined, undefined],
    ])
    expect(everything()).not.toContain(next)
  })
})

describe('who comes back from an OpenID Connect provider', () => {
  const back = (response: Response) =>
    new SignInRecord(at.accounts, actions.people).byProvider(response, cameFrom({ [CLIENT_HEADER]: '192.0.2.7' }))

  test('is recorded by the session that the answer holds', async () => {
    await at.add('ada', 'viewer')
    const { cookies } = (await at.accounts.entrance.signIn(
      { email: 'ada@example.org', password: PASSWORD },
      cameFrom(),
    )) as { cookies: readonly string[] }
    const headers = new Headers({ location: '/' })
    for (const cookie of cookies) headers.append('set-cookie', cookie)
    await back(new Response(null, { status: 302, headers }))
    expect(told()).toEqual([['done', 'signIn', 'ada', undefined, undefined]])
    expect(newest()?.words).toContain('OpenID Connect')
  })

  test('is recorded as refused with the reason that the answer names, and no other text of it', async () => {
    await back(new Response(null, { status: 302, headers: { location: '/sign-in?error=no_role&code=secret' } }))
    await back(new Response(null, { status: 302, headers: { location: '/sign-in?error=%3Cscript%3E' } }))
    expect(audit.entries.map(({ kind, code }) => [kind, code])).toEqual([
      ['refusal', 'no_role'],
      ['refusal', 'failed'],
    ])
    expect(everything()).not.toMatch(/secret|script/)
  })
})

describe('people and tokens', () => {
  test('are recorded with who did it, about whom, and what', async () => {
    await at.add('root', 'admin')
    const headers = await at.signedIn('root')
    const added = await call('people.add', headers, { name: 'Bob', email: 'bob@example.org', role: 'viewer' })
    const { person, secret } = added.data
    const again = await call('people.newLink', headers, { id: person.id })
    await call('people.setRole', headers, { id: person.id, role: 'operator' })
    await call('people.disable', headers, { id: person.id })
    await call('people.enable', headers, { id: person.id })
    const made = await call('account.makeToken', headers, { name: 'ci', role: 'viewer' })
    await call('account.revokeToken', headers, { id: made.data.token.id })
    await call('account.signOutEverywhere', headers)
    expect(told()).toEqual([
      ['done', 'addPerson', 'root', 'Bob', undefined],
      ['done', 'makeLink', 'root', 'Bob', undefined],
      ['done', 'changeRole', 'root', 'Bob', undefined],
      ['done', 'disablePerson', 'root', 'Bob', undefined],
      ['done', 'enablePerson', 'root', 'Bob', undefined],
      ['done', 'makeToken', 'root', undefined, undefined],
      ['done', 'revokeToken', 'root', undefined, undefined],
      ['done', 'signOutEverywhere', 'root', undefined, undefined],
    ])
    expect(audit.entries[2]).toMatchObject({ asked: { role: 'operator' }, seen: { role: 'viewer', disabled: false } })
    expect(audit.entries[6]?.asked).toEqual({ token: 'ci', role: 'viewer' })
    for (const hidden of [secret, again.data.secret, made.data.secret]) expect(everything()).not.toContain(hidden)
  })

  test('what takes no input is asked for without a body, as browsers do', async () => {
    await at.add('ada', 'viewer')
    const headers = new Headers([...(await at.signedIn('ada')), ...Object.entries(json)])
    const request = new Request('http://localhost/api/trpc/account.signOutEverywhere', { method: 'POST', headers })
    expect((await answer(request, runtime())).status).toBe(200)
    expect(told()).toEqual([['done', 'signOutEverywhere', 'ada', undefined, undefined]])
  })

  test('whoever may not is refused and recorded, whatever they send', async () => {
    const headers = new Headers([...cameFrom(), ...Object.entries(json)])
    for (const path of ['people.disable', 'actions.confirmElection']) {
      const request = new Request(`http://localhost/api/trpc/${path}`, { method: 'POST', headers, body: 'no JSON' })
      expect([path, (await answer(request, runtime())).status]).toEqual([path, 401])
    }
    expect(audit.entries.map(({ verb, code }) => [verb, code])).toEqual([
      ['disablePerson', 'not-signed-in'],
      ['confirmElection', 'not-signed-in'],
    ])
  })

  test('are recorded when they were refused: by role, as the last admin, or without a sign-in', async () => {
    const root = await at.add('root', 'admin')
    await at.add('ada', 'viewer')
    await call('people.disable', await at.signedIn('ada'), { id: root.id })
    await call('people.disable', await at.signedIn('root'), { id: root.id })
    await call('people.disable', cameFrom(), { id: root.id })
    await call('account.makeToken', await at.signedIn('ada'), { name: 'ci', role: 'admin' })
    await call('people.add', await at.signedIn('root'), { name: '', email: 'no', role: 'x' })
    expect(told()).toEqual([
      ['refusal', 'disablePerson', 'ada', 'root', 'role'],
      ['refusal', 'disablePerson', 'root', 'root', 'last-admin'],
      ['refusal', 'disablePerson', 'nobody', 'root', 'not-signed-in'],
      ['refusal', 'makeToken', 'ada', undefined, 'forbidden'],
    ])
    expect(audit.operation('')).toBeNull()
  })

  test('somebody is locked out also while the log cannot be written, and it is recorded later', async () => {
    await at.add('root', 'admin')
    const { id } = await at.add('ada', 'operator')
    const headers = await at.signedIn('root')
    audit.refuse = 'the disk is full'
    expect((await call('people.disable', headers, { id })).status).toBe(200)
    expect(at.accounts.people.find(id)?.disabled).toBe(true)
    expect(audit.entries).toEqual([])
    audit.refuse = null
    await expect.poll(() => told(), { timeout: 4_000 }).toEqual([['done', 'disablePerson', 'root', 'ada', undefined]])
  })
})

test('strangers cannot fill the log: what is more than some in a minute is counted', async () => {
  for (let n = 0; n < MOST_IN_WINDOW + 25; n += 1) await call('people.disable', cameFrom(), { id: 'x' })
  expect(audit.entries).toHaveLength(MOST_IN_WINDOW)
})
