import { expect, test } from 'vitest'
import { failuresAfter } from './retry.ts'

test('streams that break at once are opened ever more slowly', () => {
  expect(failuresAfter(0, 20, 'unavailable')).toBe(1)
  expect(failuresAfter(4, 20, 'other')).toBe(5)
})

test('a black hole, noticed after three seconds each time, does not put off what comes after it', () => {
  expect(failuresAfter(5, 3_000, 'deadline')).toBe(0)
})

test('a compacted start is listed anew without delay, whatever failed before', () => {
  expect(failuresAfter(5, 150, 'compacted')).toBe(0)
})
