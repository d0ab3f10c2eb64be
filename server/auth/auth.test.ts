import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cameFrom, cookieOf, PASSWORD, type TestAuth, testAuth } from './auth-for-test.ts'
import { LINK_LASTS_MS } from './links.ts'

let at: TestAuth
beforeEach(async () => {
  at = await testAuth()
})
afterEach(() => at.close())

const whoIs = async (headers: Headers) => {
  const actor = await at.auth.whoIs(headers)
  return actor === null || actor === 'bad-token' ? actor : `${actor.kind} ${actor.role}`
}
const signIn = (email: string, password: string, headers = cameFrom()) =>
  at.accounts.entrance.signIn({ email, password }, headers)

describe('the first link', () => {
  const ada = { name: 'Ada', email: 'Ada@Example.org', password: PASSWORD }

  test('makes the first admin, who is signed in by it', async () => {
    const link = at.accounts.links.make({ personId: null })
    expect(at.accounts.entrance.lookAtLink(link)).toBeNull()
    const outcome = await at.accounts.entrance.setUp({ link, ...ada }, cameFrom())
    if (outcome.is !== 'in') throw new Error(outcome.is)
    expect(await whoIs(cameFrom({ cookie: cookieOf(outcome.cookies) }))).toBe('person admin')
    expect(at.accounts.people.list()).toMatchObject([
      { email: 'ada@example.org', role: 'admin', signsInBy: ['password'] },
    ])
  })

  test('works once, also when two use it at the same time', async () => {
    const link = at.accounts.links.make({ personId: null })
    const twice = [1, 2].map((n) =>
      at.accounts.entrance.setUp({ link, ...ada, email: `a${n}@example.org` }, cameFrom()),
    )
    const outcomes = (await Promise.all(twice)).map(({ is }) => is)
    expect(outcomes.sort()).toEqual(['expired-link', 'in'])
    expect(at.accounts.people.count).toBe(1)
  })

  test('expires after a day, and is void as soon as a newer one is made', async () => {
    const old = at.accounts.links.make({ personId: null })
    const link = at.accounts.links.make({ personId: null })
    expect(at.accounts.entrance.lookAtLink(old)).toBeUndefined()
    at.clock.aheadMs = LINK_LASTS_MS
    expect(at.accounts.entrance.lookAtLink(link)).toBeUndefined()
    expect((await at.accounts.entrance.setUp({ link, ...ada }, cameFrom())).is).toBe('expired-link')
  })

  test('is not used up by a password that is too short', async () => {
    const link = at.accounts.links.make({ personId: null })
    const outcome = await at.accounts.entrance.setUp({ link, ...ada, password: 'too short' }, cameFrom())
    expect(outcome).toEqual({ is: 'bad-password', why: 'A password has at least 12 characters.' })
    expect(at.accounts.entrance.lookAtLink(link)).toBeNull()
  })

  test('does nothing once there is an admin', async () => {
    const link = at.accounts.links.make({ personId: null })
    await at.add('bob', 'viewer')
    expect(at.accounts.entrance.lookAtLink(link)).toBeNull()
    await at.add('root', 'admin')
    expect((await at.accounts.entrance.setUp({ link, ...ada }, cameFrom())).is).toBe('expired-link')
  })

  test('is not used up by an address that somebody has', async () => {
    const link = at.accounts.links.make({ personId: null })
    await at.add('bob', 'viewer')
    const outcome = await at.accounts.entrance.setUp({ link, ...ada, email: 'Bob@example.org' }, cameFrom())
    expect([outcome.is, at.accounts.entrance.lookAtLink(link)]).toEqual(['taken', null])
  })
})

describe('signing in', () => {
  test('gives a cookie that no script reads and no other site sends', async () => {
    await at.add('ada', 'operator')
    const outcome = await signIn('ada@example.org', PASSWORD)
    const [cookie] = outcome.is === 'in' ? outcome.cookies : []
    expect(cookie).toMatch(/^tenure\.session_token=/)
    expect(cookie).toMatch(/; HttpOnly/i)
    expect(cookie).toMatch(/; SameSite=Lax/i)
    expect(cookie).not.toMatch(/Secure/)
  })

  test.each([
    ['https in front', { publicUrl: 'https://tenure.example.org' }],
    ['another address than loopback', { host: '10.0.0.5' }],
    ['a name that is not loopback', { publicUrl: 'http://tenure.example.org' }],
  ])('with %s the cookie is Secure', async (_, settings) => {
    await at.add('ada', 'operator')
    at = await at.reopen(settings)
    const outcome = await signIn('ada@example.org', PASSWORD)
    expect(outcome.is === 'in' && outcome.cookies[0]).toMatch(/^__Secure-tenure\.session_token=.*; Secure/i)
  })

  test('does not tell whether the address or the password was wrong', async () => {
    await at.add('ada', 'operator')
    const wrong = { is: 'wrong' }
    expect(await signIn('ada@example.org', 'wrong horse battery')).toEqual(wrong)
    expect(await signIn('nobody@example.org', PASSWORD)).toEqual(wrong)
    expect(await signIn('not an address', PASSWORD)).toEqual(wrong)
    expect(await signIn('ada@example.org', 'x'.repeat(500))).toEqual(wrong)
  })

  test('is refused after ten tries from one address within a minute, with the time to wait', async () => {
    await at.add('ada', 'operator')
    const here = cameFrom()
    // What is no address costs no slow hash here, and counts as well.
    for (let n = 0; n < 9; n += 1) expect((await signIn('nonsense', PASSWORD, here)).is).toBe('wrong')
    expect((await signIn('ada@example.org', 'wrong horse battery', here)).is).toBe('wrong')
    const outcome = await signIn('ada@example.org', PASSWORD, here)
    expect(outcome.is === 'too-many' && outcome.waitMs).toBeGreaterThan(50_000)
    expect((await signIn('ada@example.org', PASSWORD)).is).toBe('in')
  })

  test('keeps no password, cookie or link in the log or, in clear, in the file', async () => {
    const { secret } = await at.accounts.people.add({ name: 'eve', email: 'eve@example.org', role: 'viewer' })
    await at.add('ada', 'operator')
    const headers = await at.signedIn('ada')
    const { secret: token } = at.accounts.tokens.make('x', { name: 'n', role: 'viewer' })
    await signIn('ada@example.org', 'wrong horse battery')
    const text = at.logged.join('\n')
    const bytes = ['history.sqlite', 'history.sqlite-wal']
      .map((name) => readFileSync(join(at.folder, name), 'latin1'))
      .join()
    for (const hidden of [PASSWORD, 'wrong horse battery', String(headers.get('cookie')), secret, token]) {
      expect(text).not.toContain(hidden)
      expect(bytes).not.toContain(hidden)
    }
  })

  test('a cookie that was changed, or signed with another secret, is nobody', async () => {
    await at.add('ada', 'operator')
    const headers = await at.signedIn('ada')
    const cookie = String(headers.get('cookie'))
    expect(await whoIs(cameFrom({ cookie }))).toBe('person operator')
    expect(await whoIs(cameFrom({ cookie: cookie.replace(/.$/, '') }))).toBeNull()
    writeFileSync(join(at.folder, 'other'), 'another-secret-of-at-least-32-characters')
    at = await at.reopen({ authSecretFile: 'other' })
    expect(await whoIs(cameFrom({ cookie }))).toBeNull()
  })
})

describe('signing out', () => {
  test('ends this session alone, and tells its streams', async () => {
    await at.add('ada', 'operator')
    const [one, two] = [await at.signedIn('ada'), await at.signedIn('ada')]
    const actor = await at.auth.whoIs(one)
    let ended = 0
    if (actor === null || actor === 'bad-token') throw new Error('not signed in')
    at.auth.onEnd(actor, () => (ended += 1))
    const cookies = await at.accounts.entrance.signOut(one)
    expect(cookies.join()).toMatch(/tenure\.session_token=; Max-Age=0/i)
    expect([await whoIs(one), await whoIs(two)]).toEqual([null, 'person operator'])
    expect(ended).toBeGreaterThan(0)
  })

  test('everywhere ends all, and another password too', async () => {
    const { id } = await at.add('ada', 'operator')
    const [one, two] = [await at.signedIn('ada'), await at.signedIn('ada')]
    await at.accounts.people.endSessions(id)
    expect([await whoIs(one), await whoIs(two)]).toEqual([null, null])
    const [three, four] = [await at.signedIn('ada'), await at.signedIn('ada')]
    const change = { current: PASSWORD, next: 'another horse battery' }
    const outcome = await at.accounts.entrance.changePassword(change, three)
    if (outcome.is !== 'in') throw new Error(outcome.is)
    expect([await whoIs(three), await whoIs(four)]).toEqual([null, null])
    expect(await whoIs(cameFrom({ cookie: cookieOf(outcome.cookies) }))).toBe('person operator')
    expect((await signIn('ada@example.org', PASSWORD)).is).toBe('wrong')
  })

  test('the password does not change without the current one', async () => {
    await at.add('ada', 'operator')
    const headers = await at.signedIn('ada')
    const change = { current: 'wrong horse battery', next: 'another horse battery' }
    expect((await at.accounts.entrance.changePassword(change, headers)).is).toBe('wrong')
    expect((await at.accounts.entrance.changePassword({ ...change, current: PASSWORD }, cameFrom())).is).toBe(
      'not-signed-in',
    )
    expect((await at.accounts.entrance.changePassword({ current: PASSWORD, next: 'short' }, headers)).is).toBe(
      'bad-password',
    )
    expect((await signIn('ada@example.org', PASSWORD)).is).toBe('in')
  })

  test('one of several sessions is ended by its id, and never that of somebody else', async () => {
    const ada = await at.add('ada', 'operator')
    const bob = await at.add('bob', 'viewer')
    const headers = await at.signedIn('ada')
    const [session] = await at.accounts.sessions.of(ada.id)
    expect(session).toMatchObject({ browser: 'test' })
    expect(JSON.stringify(session)).not.toContain('token')
    expect(at.accounts.sessions.end(bob.id, String(session?.id))).toBe(false)
    expect(await whoIs(headers)).toBe('person operator')
    expect(at.accounts.sessions.end(ada.id, String(session?.id))).toBe(true)
    expect(await whoIs(headers)).toBeNull()
  })
})

describe('the file', () => {
  test('is for this user alone, with what SQLite keeps beside it', async () => {
    chmodSync(join(at.folder, 'history.sqlite'), 0o644)
    at = await at.reopen()
    await at.add('ada', 'operator')
    for (const name of ['history.sqlite', 'history.sqlite-wal', 'history.sqlite-shm']) {
      expect([name, statSync(join(at.folder, name)).mode & 0o077]).toEqual([name, 0])
    }
  })

  test('forgets at the next start what has run out', async () => {
    const { id } = await at.add('ada', 'operator')
    await at.signedIn('ada')
    const link = at.accounts.people.newLink(id)
    at = await at.reopen()
    expect([(await at.accounts.sessions.of(id)).length, at.accounts.links.peek(link)]).toEqual([1, { personId: id }])
    const database = new DatabaseSync(join(at.folder, 'history.sqlite'))
    at.clock.aheadMs = 8 * 24 * 3_600_000
    at = await at.reopen()
    const left = database.prepare(
      'select (select count(*) from auth_sessions) + (select count(*) from auth_links) as n',
    )
    expect(left.get()).toEqual({ n: 0 })
    database.close()
  })

  test('that cannot be used stops the start, with the reason', async () => {
    at.auth.close()
    writeFileSync(join(at.folder, 'history.sqlite'), 'this is no database, and long enough to tell so')
    await expect(at.reopen()).rejects.toThrow(
      /people and sessions cannot be kept in .*history.sqlite: .*not a database/,
    )
  })
})

describe('the secret of the cookies', () => {
  test('is made once, for this user alone, and kept over a restart', async () => {
    await at.add('ada', 'operator')
    const headers = await at.signedIn('ada')
    expect(statSync(join(at.folder, 'auth-secret')).mode & 0o777).toBe(0o600)
    at = await at.reopen()
    expect(await whoIs(headers)).toBe('person operator')
  })

  test('must be long enough', async () => {
    writeFileSync(join(at.folder, 'short'), 'short')
    await expect(at.reopen({ authSecretFile: 'short' })).rejects.toThrow(/shorter than 32 characters/)
  })
})
