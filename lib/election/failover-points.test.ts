import { describe, expect, it } from 'vitest'
import { MOST_POINTS, pointsOf } from './failover-points.ts'
import { handed, lost, START_MS } from './transitions-for-test.ts'

const DAY_S = 86_400
const SPAN = { fromMs: START_MS, toMs: START_MS + DAY_S * 1_000 }
const many = (count: number, make: (at: number) => ReturnType<typeof lost>) =>
  Array.from({ length: count }, (_, at) => make((at / count) * DAY_S))
const sum = (points: ReturnType<typeof pointsOf>) => points.reduce((all, { count }) => all + count, 0)

describe('points of the timeline', () => {
  it('are the changes themselves while they are few', () => {
    const [failover, open] = pointsOf([lost(1), lost(2, { nextMs: null })], SPAN)
    expect(failover).toEqual({
      atMs: START_MS + 1_000,
      toMs: START_MS + 1_000,
      cause: 'lease lost',
      kind: 'failover',
      count: 1,
      leastMs: 9_000,
      mostMs: 9_000,
      ref: 'q~jobs',
    })
    expect(open).toMatchObject({ open: true, leastMs: null })
  })

  it('keep failovers singly before what was planned, and lose nothing', () => {
    const points = pointsOf([...many(900, (at) => lost(at)), ...many(40_000, (at) => handed(at))], SPAN)
    expect(points.length).toBeLessThanOrEqual(MOST_POINTS)
    expect(sum(points)).toBe(40_900)
    expect(points.filter(({ kind, count }) => kind === 'failover' && count === 1)).toHaveLength(900)
    expect(points.every(({ atMs }, at) => at === 0 || atMs >= (points[at - 1]?.atMs ?? 0))).toBe(true)
  })

  it('keep the extremes of what lies in one bin, and never mix causes', () => {
    const slow = lost(43_200, { detectMs: 25_000 })
    const points = pointsOf([...many(30_000, (at) => lost(at, { detectMs: 500 + (at % 700) })), slow], SPAN)
    expect(points.length).toBeLessThanOrEqual(MOST_POINTS)
    expect(Math.max(...points.map(({ mostMs }) => mostMs ?? 0))).toBe(26_000)
    expect(Math.min(...points.map(({ leastMs }) => leastMs ?? Infinity))).toBe(1_500)
    const bins = points.filter(({ count }) => count > 1)
    expect(bins.length).toBeGreaterThan(0)
    expect(bins.every((bin) => bin.ref === undefined && bin.toMs >= bin.atMs)).toBe(true)
  })

  it('keep one that has not ended beside thousands that have', () => {
    const points = pointsOf([...many(30_000, (at) => lost(at)), lost(DAY_S - 1, { nextMs: null })], SPAN)
    expect(points.filter(({ open }) => open)).toHaveLength(1)
  })
})
