import { expect, test } from 'vitest'
import type { Transition } from '../../lib/election/transitions.ts'
import { blockAt, blockEnd, TransitionCache } from './transition-cache.ts'

const HOUR = 3_600_000
const rows = (count: number) => Array.from({ length: count }, () => ({}) as Transition)

test('an hour is kept until something of it is written, in its own cluster', () => {
  const cache = new TransitionCache()
  cache.put(1n, HOUR, rows(3))
  cache.put(2n, HOUR, rows(2))
  cache.forget(1n, 3 * HOUR)
  expect(cache.get(1n, HOUR)).toHaveLength(3)
  cache.forget(1n, 2 * HOUR - 1)
  expect(cache.get(1n, HOUR)).toBeUndefined()
  expect(cache.get(2n, HOUR)).toHaveLength(2)
})

test('it holds so many rows at most; what was put first goes first', () => {
  const cache = new TransitionCache(10)
  for (const hour of [1, 2, 3]) cache.put(1n, hour * HOUR, rows(4))
  expect([1, 2, 3].map((hour) => cache.get(1n, hour * HOUR)?.length)).toEqual([undefined, 4, 4])
  cache.put(1n, 2 * HOUR, rows(6))
  expect([2, 3].map((hour) => cache.get(1n, hour * HOUR)?.length)).toEqual([6, 4])
})

test('hours begin where they do in UTC', () => {
  expect([blockAt(HOUR), blockAt(2 * HOUR - 1), blockEnd(HOUR), blockEnd(HOUR + 5)]).toEqual([
    HOUR,
    HOUR,
    2 * HOUR,
    2 * HOUR,
  ])
})
