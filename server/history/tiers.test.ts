import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketWidthMs, RAW, ROLLED, TIERS, tierFor } from './tiers.ts'

const M = 60_000
const H = 60 * M
const NOW_MS = Date.parse('2026-03-12T03:00:00.000Z')

describe('the tier of a query', () => {
  it.each([
    ['15 minutes', 15 * M, 0],
    ['an hour', H, 0],
    ['an hour, asked two seconds late', H + 2000, 0],
    ['2 hours', 2 * H, 10_000],
    ['6 hours', 6 * H, M],
    ['24 hours', 24 * H, M],
    ['48 hours', 48 * H, M],
    ['30 days', 30 * 24 * H, 10 * M],
    ['a year', 365 * 24 * H, 10 * M],
  ])('is the finest that still holds %s', (_, rangeMs, widthMs) => {
    expect(tierFor(NOW_MS - rangeMs, NOW_MS).widthMs).toBe(widthMs)
  })

  it('has blocks that are one bucket of the next tier', () => {
    for (const [at, tier] of ROLLED.entries()) expect(TIERS[at]?.blockMs).toBe(tier.widthMs)
  })
})

describe('the width of buckets', () => {
  it('gives no more points than asked for, in whole rows of the tier', () => {
    const range = fc.record({
      fromMs: fc.integer({ min: 0, max: 1e12 }),
      rangeMs: fc.integer({ min: 1, max: 400 * 24 * H }),
      points: fc.integer({ min: 2, max: 600 }),
      tier: fc.constantFrom(...TIERS),
    })
    fc.assert(
      fc.property(range, ({ fromMs, rangeMs, points, tier }) => {
        const widthMs = bucketWidthMs(rangeMs, points, tier)
        const buckets = Math.floor((fromMs + rangeMs - 1) / widthMs) - Math.floor(fromMs / widthMs) + 1
        expect(buckets).toBeLessThanOrEqual(points)
        expect(tier.widthMs === 0 ? 0 : widthMs % tier.widthMs).toBe(0)
      }),
    )
  })

  it('uses most of the points where a chart needs them', () => {
    expect(bucketWidthMs(15 * M, 600, RAW)).toBe(2_000)
    expect(bucketWidthMs(H, 600, RAW)).toBe(10_000)
    expect(bucketWidthMs(24 * H, 600, ROLLED[1] ?? RAW)).toBe(3 * M)
  })
})
