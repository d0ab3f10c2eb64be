import { expect, test } from 'vitest'
import { cursorOf, parseCursor } from './cursor.ts'
import { InvalidCursor } from './history.ts'

test('a cursor comes back as it was, also negative and large', () => {
  for (const position of [
    [0n, 0n],
    [-5n, 9_223_372_036_854_775_807n],
  ] as const) {
    expect(parseCursor(cursorOf(position))).toEqual(position)
  }
  expect(parseCursor(undefined)).toBeNull()
})

test.each(['', 'x', '1', '1.2.3', '1.-2', '1.9999999999999999999'])('%s is none', (cursor) => {
  expect(() => parseCursor(cursor)).toThrow(InvalidCursor)
})
