/** A database that can be read and not written, as on a full disk. */
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cameFrom, type TestAuth, testAuth } from './auth-for-test.ts'

let at: TestAuth
beforeEach(async () => {
  at = await testAuth()
})
afterEach(() => at.close())

test('keeps neither a token nor a session out', async () => {
  const { id } = await at.add('ada', 'admin')
  const session = await at.signedIn('ada')
  const { secret } = at.accounts.tokens.make(id, { name: 'deploy', role: 'operator' })
  const database = Reflect.get(at.accounts.tokens, 'database') as DatabaseSync
  database.exec('PRAGMA query_only = on')
  expect(await at.auth.whoIs(cameFrom({ authorization: `Bearer ${secret}` }))).toMatchObject({ role: 'operator' })
  expect(await at.auth.whoIs(session)).toMatchObject({ role: 'admin' })
})
