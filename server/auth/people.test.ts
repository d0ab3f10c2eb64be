import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cameFrom, PASSWORD, type TestAuth, testAuth } from './auth-for-test.ts'

let at: TestAuth
beforeEach(async () => {
  at = await testAuth()
})
afterEach(() => at.close())

const whoIs = async (headers: Headers) => {
  const actor = await at.auth.whoIs(headers)
  return actor === null || actor === 'bad-token' ? actor : `${actor.kind} ${actor.role}`
}
const signIn = (email: string, password: string) => at.accounts.entrance.signIn({ email, password }, cameFrom())

describe('somebody who is disabled', () => {
  test('is out at once, with every session, token and stream, and is told so only with the right password', async () => {
    await at.add('root', 'admin')
    const { id } = await at.add('ada', 'operator')
    const headers = await at.signedIn('ada')
    const { secret } = at.accounts.tokens.make(id, { name: 'ci', role: 'operator' })
    const bearer = cameFrom({ authorization: `Bearer ${secret}` })
    expect(await whoIs(bearer)).toBe('token operator')
    await at.accounts.people.disable(id)
    expect([await whoIs(headers), await whoIs(bearer)]).toEqual([null, 'bad-token'])
    expect((await signIn('ada@example.org', PASSWORD)).is).toBe('disabled')
    expect((await signIn('ada@example.org', 'wrong horse battery')).is).toBe('wrong')
    at.accounts.people.enable(id)
    expect((await signIn('ada@example.org', PASSWORD)).is).toBe('in')
    expect(await whoIs(bearer)).toBe('bad-token')
  })

  test('cannot be the last admin, who cannot become less either', async () => {
    const { id } = await at.add('root', 'admin')
    await expect(at.accounts.people.disable(id)).rejects.toMatchObject({ code: 'last-admin' })
    expect(() => at.accounts.people.setRole(id, 'viewer')).toThrow(/only admin/)
    const other = await at.add('ada', 'admin')
    await at.accounts.people.disable(id)
    await expect(at.accounts.people.disable(other.id)).rejects.toMatchObject({ code: 'last-admin' })
  })
})

test('who is out before anybody listens is told to whoever listens then', async () => {
  await at.add('root', 'admin')
  const { id } = await at.add('ada', 'operator')
  const made = at.accounts.tokens.make(id, { name: 'ci', role: 'operator' })
  const actors = [
    await at.auth.whoIs(await at.signedIn('ada')),
    await at.auth.whoIs(cameFrom({ authorization: `Bearer ${made.secret}` })),
  ]
  await at.accounts.people.disable(id)
  let ended = 0
  for (const actor of actors) {
    if (actor === null || actor === 'bad-token') throw new Error('was not in')
    at.auth.onEnd(actor, () => (ended += 1))()
  }
  expect(ended).toBe(2)
})

describe('people', () => {
  test('an address is there once, however it is written', async () => {
    await at.add('ada', 'viewer')
    const again = at.accounts.people.add({ name: 'Ada', email: 'ADA@example.org', role: 'admin' })
    await expect(again).rejects.toMatchObject({ code: 'exists' })
  })

  test('a new role counts from the next request on', async () => {
    const { id } = await at.add('ada', 'viewer')
    const headers = await at.signedIn('ada')
    at.accounts.people.setRole(id, 'operator')
    expect(await whoIs(headers)).toBe('person operator')
  })

  test('a new link replaces the one before, and by it a forgotten password', async () => {
    const { id } = await at.add('ada', 'viewer')
    const headers = await at.signedIn('ada')
    const [old, link] = [at.accounts.people.newLink(id), at.accounts.people.newLink(id)]
    expect(at.accounts.entrance.lookAtLink(old)).toBeUndefined()
    expect(at.accounts.entrance.lookAtLink(link)).toEqual({ name: 'ada', email: 'ada@example.org' })
    expect((await at.accounts.entrance.setUp({ link, password: 'another horse battery' }, cameFrom())).is).toBe('in')
    expect(await whoIs(headers)).toBeNull()
  })
})

describe('a token', () => {
  test('does no more than its owner may now', async () => {
    const { id } = await at.add('ada', 'operator')
    const { secret } = at.accounts.tokens.make(id, { name: 'ci', role: 'operator' })
    const low = at.accounts.tokens.make(id, { name: 'graphs', role: 'viewer' })
    const by = (token: string) => whoIs(cameFrom({ authorization: `Bearer ${token}` }))
    expect([await by(secret), await by(low.secret)]).toEqual(['token operator', 'token viewer'])
    at.accounts.people.setRole(id, 'viewer')
    expect(await by(secret)).toBe('token viewer')
  })

  test('is listed without its secret, with its last use, until it is revoked', async () => {
    const { id } = await at.add('ada', 'operator')
    const bob = await at.add('bob', 'viewer')
    const { secret, token } = at.accounts.tokens.make(id, { name: 'ci', role: 'operator' })
    expect(secret).toMatch(/^tenure_[\w-]{43}$/)
    expect(at.accounts.tokens.of(id)).toEqual([{ ...token, usedAt: null }])
    await whoIs(cameFrom({ authorization: `Bearer ${secret}` }))
    expect(at.accounts.tokens.of(id)[0]?.usedAt).not.toBeNull()
    expect(at.accounts.tokens.revoke(bob.id, token.id)).toBe(false)
    expect(at.accounts.tokens.revoke(id, token.id)).toBe(true)
    expect(await whoIs(cameFrom({ authorization: `Bearer ${secret}` }))).toBe('bad-token')
  })

  test('that is none is nobody, also where anybody may look', async () => {
    at = await at.reopen({ anonymousViewing: true })
    expect(await whoIs(cameFrom())).toBe('anonymous viewer')
    expect(await whoIs(cameFrom({ authorization: 'Bearer tenure_nonsense' }))).toBe('bad-token')
  })
})
