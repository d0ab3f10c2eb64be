import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RELATIVE_ERROR, Summary } from './sketch.ts'
import { binsOf, bytesOf } from './sketch-bytes.ts'

const value = fc.oneof(
  fc.constant(0),
  fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
  fc.double({ min: 0.5, max: 50, noNaN: true }),
)

/** The value at the rank that DDSketch aims at, or the next. */
function exact(sorted: readonly number[], quantile: number): [number, number] {
  const rank = quantile * (sorted.length - 1)
  return [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0]
}

function summaryOf(values: readonly number[]): Summary {
  const summary = new Summary()
  for (const one of values) summary.add(one)
  return summary
}

describe('bins as bytes', () => {
  it('come back as they were', () => {
    const counts = fc.array(fc.oneof(fc.constant(0), fc.nat(100_000)), { maxLength: 60 })
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: -3_000, max: 3_000 }), counts, (zeroCount, firstKey, some) => {
        const bins = { zeroCount, firstKey: some.length === 0 ? 0 : firstKey, counts: some }
        expect(binsOf(bytesOf(bins))).toEqual(bins)
      }),
    )
  })
})

describe('a summary', () => {
  it('stored, read and merged in any grouping has the quantiles of all its samples', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(value, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 12 }),
        (groups) => {
          const merged = new Summary()
          for (const group of groups) {
            const again = new Summary()
            again.merge(summaryOf(group).toRow())
            merged.merge(again.toRow())
          }
          const sorted = groups.flat().sort((a, b) => a - b)
          const found = merged.quantiles()
          expect(found.count).toBe(sorted.length)
          expect(found.min).toBe(sorted[0])
          expect(found.max).toBe(sorted.at(-1))
          for (const [quantile, got] of [
            [0.5, found.p50],
            [0.95, found.p95],
            [0.99, found.p99],
          ] as const) {
            const [low, high] = exact(sorted, quantile)
            expect(RELATIVE_ERROR).toBeLessThanOrEqual(0.05)
            expect(got).toBeGreaterThanOrEqual(low * (1 - RELATIVE_ERROR) - 1e-9)
            expect(got).toBeLessThanOrEqual(high * (1 + RELATIVE_ERROR) + 1e-9)
          }
        },
      ),
    )
  })

  it('merges to the same whatever the order', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 60 }), fc.nat(), (values, seed) => {
        const cut = 1 + (seed % (values.length - 1))
        const [a, b] = [summaryOf(values.slice(0, cut)).toRow(), summaryOf(values.slice(cut)).toRow()]
        const [ab, ba] = [new Summary(), new Summary()]
        ab.merge(a)
        ab.merge(b)
        ba.merge(b)
        ba.merge(a)
        expect(ab.quantiles()).toEqual(ba.quantiles())
        expect(ab.quantiles()).toEqual(summaryOf(values).quantiles())
      }),
    )
  })

  it('is small: ten samples in some ten bytes, six hundred in some forty, equal ones in none', () => {
    expect(summaryOf([4.1, 4.2, 4.1, 5, 3.9, 4.4, 4.2, 4.3, 4.1, 90]).toRow().sketch?.length).toBeLessThan(16)
    const many = Array.from({ length: 600 }, (_, at) => 2 * 1.005 ** (at % 500))
    expect(summaryOf(many).toRow().sketch?.length).toBeLessThan(48)
    expect(summaryOf([4, 4, 4]).toRow()).toEqual({ count: 3, min: 4, max: 4, sketch: null })
  })
})
