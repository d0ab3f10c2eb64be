import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import { instantMaker } from './instants.ts'

test('is the same time in the same words', () => {
  const fast = instantMaker()
  fc.assert(
    fc.property(fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2200-01-01') }), (ms) => {
      expect(fast(ms)).toBe(instant(ms))
    }),
  )
})
