import { expect, test } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import { isTooOld, provenAgoMs } from './silence.ts'

const cluster = (freshness: 'live' | 'stale', asOfMs: number | null) => ({
  freshness,
  asOf: asOfMs === null ? null : instant(asOfMs),
})

test('three seconds without a frame are too long', () => {
  expect(isTooOld(3_000, 900)).toBe(false)
  expect(isTooOld(3_001, 0)).toBe(true)
})

test('a server that was behind when it fell silent is given less time', () => {
  expect(isTooOld(1_500, 3_000)).toBe(false)
  expect(isTooOld(1_501, 3_000)).toBe(true)
})

test('frames that come every second are never too old: the server itself says when it is behind', () => {
  expect(isTooOld(1_000, 60_000)).toBe(false)
})

test('only clusters that were called live count', () => {
  expect(provenAgoMs([cluster('live', 9_500), cluster('live', 8_000), cluster('stale', 1_000)], instant(10_000))).toBe(
    2_000,
  )
  expect(provenAgoMs([cluster('live', null), cluster('live', 10_500)], instant(10_000))).toBe(0)
})
