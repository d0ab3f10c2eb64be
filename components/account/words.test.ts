import { expect, test } from 'vitest'
import { ownPath } from '../live/sign-in.ts'
import { providerWords, wordsOf } from './words.ts'

test.each([
  'wrong',
  'disabled',
  'expired-link',
  'taken',
  'not-signed-in',
  'no-password',
  'provider',
  'off',
  'unreachable',
  'failed',
])('%s has a sentence that is not the general one', (code) => {
  const words = wordsOf({ ok: false, code })
  expect(words).toMatch(/\.$/)
  if (code !== 'failed') expect(words).not.toBe(wordsOf({ ok: false, code: 'failed' }))
})

test('a code that is not known has a sentence all the same', () => {
  expect(wordsOf({ ok: false, code: 'something new' })).toBe(wordsOf({ ok: false, code: 'failed' }))
})

test('the time to wait is told, rounded up', () => {
  expect(wordsOf({ ok: false, code: 'too-many', waitMs: 41_200 })).toMatch(/again in 42 s\.$/)
})

test('what stands in the address is never shown itself', () => {
  expect(providerWords(null)).toBeNull()
  expect(providerWords('NO_ROLE')).toMatch(/no role/)
  expect(providerWords('Call +1 555 to unlock')).not.toMatch(/555/)
})

test('after signing in one goes on to pages of this server alone', () => {
  expect(ownPath('/elections/eu/q~x?range=1h')).toBe('/elections/eu/q~x?range=1h')
  for (const to of [
    'https://attacker.example',
    '//attacker.example',
    '/\\attacker.example',
    'javascript:alert(1)',
    '',
    null,
  ]) {
    expect([to, ownPath(to)]).toEqual([to, '/'])
  }
})
