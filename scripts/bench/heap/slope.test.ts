import { expect, test } from 'vitest'
import { slopePercentPerMin } from './slope.ts'

const every15s = (values: readonly number[]) => values.map((value, at) => ({ atMs: 7_000 + at * 15_000, value }))

test('what grows steadily, in per cent of its mean', () => {
  // 98 → 102 in two minutes: 2 of a mean of 100 in each.
  const steady = every15s(Array.from({ length: 9 }, (_, at) => 98 + at * 0.5))
  expect(slopePercentPerMin(steady)).toBeCloseTo(2, 6)
})

test('what goes up and down stays where it is; what shrinks is below zero', () => {
  expect(slopePercentPerMin(every15s([100, 104, 96, 104, 100]))).toBeCloseTo(0, 6)
  expect(slopePercentPerMin(every15s([104, 102, 100]))).toBeLessThan(0)
})

test('one sample tells nothing', () => {
  expect(slopePercentPerMin(every15s([100]))).toBeNaN()
  expect(slopePercentPerMin([])).toBeNaN()
})
