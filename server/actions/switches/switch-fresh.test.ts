import { expect, test } from 'vitest'
import { msOf } from '../../../lib/shared/clock.ts'
import { whyNotGoOn } from './switch-fresh.ts'

const meantAt = '2026-03-12T03:00:00.000Z'
const after = (ms: number, over: object = {}) =>
  whyNotGoOn({ meantAt, nowMs: msOf(meantAt) + ms, meant: '7', is: '7', ...over })
const MINUTE = 60_000

test('a stop that is fresh goes on over the record that it was asked for', () => {
  expect([after(0), after(5 * MINUTE), after(0, { meant: '0', is: '0' })]).toEqual([null, null, null])
})

test.each([
  ['one that is old', 5 * MINUTE + 1, {}, 'what was asked for at Thu 12 Mar 03:00 UTC is older than 5 m'],
  ['one of a clock that was set back', -6 * MINUTE, {}, 'what was asked for'],
  ['one whose record was changed', 0, { is: '8' }, 'the record was changed since it was asked for'],
  ['one whose record is gone', 0, { is: '0' }, 'the record was changed since it was asked for'],
  ['one whose record was not read', 0, { meant: '' }, 'it is not known which record'],
])('%s does not', (_name, ms, over, words) => {
  expect(after(ms, over)).toMatch(`Not executed: the server was restarted and ${words}`)
})
