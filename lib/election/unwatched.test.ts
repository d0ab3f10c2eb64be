import { expect, test } from 'vitest'
import { unwatched } from './unwatched.ts'

const range = { from: '2026-03-12T03:00:00.000Z', to: '2026-03-12T04:00:00.000Z' }
const spans = (since: string | null) =>
  unwatched(since, range).map(({ from, to }) => [from.slice(11, 16), to.slice(11, 16)])

test('what lies before the first look is a gap, and nothing of what comes after it', () => {
  expect(spans('2026-03-12T02:00:00.000Z')).toEqual([])
  expect(spans('2026-03-12T03:00:00.000Z')).toEqual([])
  expect(spans('2026-03-12T03:20:00.000Z')).toEqual([['03:00', '03:20']])
  expect(spans('2026-03-12T05:00:00.000Z')).toEqual([['03:00', '04:00']])
  expect(spans(null)).toEqual([['03:00', '04:00']])
})
