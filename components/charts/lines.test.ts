import { describe, expect, it } from 'vitest'
import type { Bucket } from '../../lib/election/series.ts'
import { instant } from '../../lib/shared/clock.ts'
import { bucketAt, byOwnReign, byReign, coarser, linePoints } from './lines.ts'
import { onRttScale, rttY, secondsScale } from './value-axis.ts'

const span = { fromMs: 0, toMs: 100_000 }
const spacing = { bucketMs: 2_000, joinMs: 3_200 }

function bucket(fromMs: number, value = 5): Bucket {
  return { from: instant(fromMs), count: 1, p50: value, p95: value, p99: value, min: value, max: value }
}

const drawn = (buckets: Bucket[], gaps: { fromMs: number; toMs: number }[] = []) =>
  linePoints(buckets, ({ max }) => max, spacing, gaps, span).map(({ v }) => v)

describe('linePoints', () => {
  it('breaks where buckets are missing', () => {
    expect(drawn([bucket(0), bucket(2_000), bucket(8_000)])).toEqual([5, 5, null, 5])
  })

  it('breaks at unobserved time even between neighbours, and draws nothing inside it', () => {
    const gaps = [{ fromMs: 2_900, toMs: 5_500 }]
    expect(drawn([bucket(0), bucket(2_000), bucket(4_000), bucket(6_000)], gaps)).toEqual([5, null, 5])
    expect(drawn([bucket(0), bucket(2_000)], [{ fromMs: 1_500, toMs: 1_600 }])).toEqual([5, null, 5])
  })

  it('marks a sample that has no neighbour', () => {
    const points = linePoints([bucket(0), bucket(20_000), bucket(22_000)], ({ max }) => max, spacing, [], span)
    expect(points.filter(({ alone }) => alone).map(({ t }) => t)).toEqual([1_000])
  })
})

describe('buckets', () => {
  it('are found by the time they cover, and only that', () => {
    const buckets = [bucket(0, 1), bucket(2_000, 2), bucket(8_000, 3)]
    expect(bucketAt(buckets, 2_000, 3_999)?.max).toBe(2)
    expect(bucketAt(buckets, 2_000, 4_000)).toBeUndefined()
  })

  it('keep their extremes when put together', () => {
    const wide = coarser([bucket(0, 90), bucket(2_000, 61), bucket(8_000, 70), bucket(12_000, 50)], 10_000)
    expect(wide.map(({ from, min, max, count }) => [from, min, max, count])).toEqual([
      [instant(0), 61, 90, 3],
      [instant(10_000), 50, 50, 1],
    ])
  })

  it('belong to whoever led', () => {
    const reigns = [
      { lane: 'a', fromMs: 0, toMs: 4_000 },
      { lane: 'b', fromMs: 4_000, toMs: 9_000 },
      { lane: 'a', fromMs: 9_000, toMs: 20_000 },
    ]
    const buckets = [bucket(0), bucket(2_000), bucket(4_000), bucket(10_000)]
    expect(byReign(buckets, reigns, 2_000).map(({ lane, buckets: run }) => [lane, run.length])).toEqual([
      ['a', 2],
      ['b', 1],
      ['a', 1],
    ])
    const own = [bucket(0), bucket(2_000), bucket(10_000)]
    expect(byOwnReign(own, reigns, 'a', 2_000).map((run) => run.length)).toEqual([2, 1])
  })
})

describe('value axes', () => {
  it('puts round trips on a logarithmic scale and keeps them on it', () => {
    expect(rttY(1, 200)).toBe(200)
    expect(rttY(100, 200)).toBe(100)
    expect(rttY(10_000, 200)).toBe(0)
    expect(onRttScale(0.3)).toBe(1)
    expect(onRttScale(60_000)).toBe(10_000)
  })

  it('finds round seconds for the longest bar', () => {
    for (const ms of [0, 300, 1_000, 8_400, 61_000, 4_000_000]) {
      const { topS, ticks } = secondsScale(ms)
      expect(topS * 1_000).toBeGreaterThan(ms)
      expect(ticks.every((tick) => tick <= topS)).toBe(true)
    }
  })
})
