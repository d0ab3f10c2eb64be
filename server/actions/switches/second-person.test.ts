import { afterEach, expect, test } from 'vitest'
import type { Revision } from '../../../lib/election/types.ts'
import { instant } from '../../../lib/shared/clock.ts'
import { type TestAuth, testAuth } from '../../auth/auth-for-test.ts'
import { mayStill } from '../../auth/may-still.ts'
import type { Caller } from '../caller.ts'
import { ADA, BEN } from '../callers-for-test.ts'
import type { ReleaseRequest } from './release-requests.ts'
import { requireSecond, requireSignedIn } from './second-person.ts'

let at: TestAuth | null = null
afterEach(() => at?.close())

const request = (actor: Caller['actor']): ReleaseRequest => {
  return {
    cluster: 'test',
    scopeBase64: '',
    nonce: 'n',
    modRevision: '7' as Revision,
    actor,
    reason: 'fixed',
    at: instant(0),
  }
}
const refusal = (why: string | RegExp) =>
  expect.objectContaining({
    refusal: expect.objectContaining({ code: 'second-person', why: expect.stringMatching(why) }),
  })
const refused = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('was not refused')
}

test('whoever asked and was disabled or is no admin any more is not agreed with', async () => {
  at = await testAuth()
  const { people } = at.accounts
  await at.add('root', 'admin')
  const { id, name } = await at.add('Anna', 'admin')
  const { auth } = at
  const parts = { mayStill: (personId: string | undefined, verb: 'release') => mayStill(auth, personId, verb) } as never
  const asked = request({ kind: 'person', name, personId: id, address: '' })
  const noMore = refusal(/^Anna, who asked, may not release any more\.$/)
  expect(requireSecond(parts, asked, BEN)).toBe(asked)
  await people.setRole(id, 'operator')
  expect(refused(() => requireSecond(parts, asked, BEN))).toEqual(noMore)
  await people.setRole(id, 'admin')
  await people.disable(id)
  expect(refused(() => requireSecond(parts, asked, BEN))).toEqual(noMore)
  const gone = request({ kind: 'person', name, personId: 'gone', address: '' })
  expect(refused(() => requireSecond(parts, gone, BEN))).toEqual(noMore)
  const byToken = request({ ...ADA.actor, kind: 'token', token: 't' })
  expect(refused(() => requireSecond({ mayStill: () => true }, byToken, BEN))).toEqual(refusal(/may not release/))
})

test('neither of the two is an API token, or somebody who did not sign in', () => {
  const parts = { mayStill: () => true }
  const token: Caller = { role: 'operator', actor: { ...BEN.actor, kind: 'token', token: 'deploy' } }
  expect(refused(() => requireSecond(parts, request(ADA.actor), token))).toEqual(refusal(/an API token does not count/))
  expect(refused(() => requireSignedIn(token, 'first'))).toEqual(
    refusal(/^Whoever asks .* an API token does not count/),
  )
  const everybody: Caller = { role: 'admin', actor: { kind: 'loopback', name: 'somebody', address: '' } }
  expect(refused(() => requireSignedIn(everybody, 'first'))).toEqual(refusal(/must be signed in with a browser\.$/))
  expect(() => requireSignedIn(ADA, 'first')).not.toThrow()
})

test('where nobody signs in, whoever asked still may', () => {
  expect(mayStill({ accounts: null }, undefined, 'release')).toBe(true)
})
