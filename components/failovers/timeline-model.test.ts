import { describe, expect, it } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import {
  durationTicks,
  durationY,
  isMassMark,
  itemAt,
  type Mass,
  marksOf,
  massMarksOf,
  type Point,
  scaleOf,
  stepItem,
} from './timeline-model.ts'

const HOUR = 3_600_000
const NOW = 24 * HOUR
const FRAME = { span: { fromMs: 0, toMs: NOW }, plot: { left: 50, right: 1_250 }, height: 300, nowMs: NOW }
const SCALE = { lowMs: 200, highMs: 60_000 }

const point = (atMs: number, ms: number | null, part: Partial<Point> = {}): Point => ({
  at: instant(atMs),
  cause: 'lease lost',
  kind: 'failover',
  count: 1,
  leastMs: ms,
  mostMs: ms,
  ...part,
})
const mass = (atMs: number, elections = 14): Mass => ({
  from: instant(atMs),
  to: instant(atMs + 2_000),
  elections,
  failovers: elections,
  open: 0,
  leastMs: 9_000,
  medianMs: 11_000,
  mostMs: 13_000,
  words: `${elections} elections moved within 2 s`,
})

describe('the scale', () => {
  it('goes from 0.2 s to a minute, and further where there is more', () => {
    expect(scaleOf([point(0, 9_000)], [], NOW)).toEqual(SCALE)
    expect(scaleOf([point(0, 14), point(0, 90_000)], [], NOW)).toEqual({ lowMs: 10, highMs: 300_000 })
    expect(scaleOf([point(NOW - HOUR, null, { open: true })], [], NOW).highMs).toBe(7_200_000)
  })

  it('is logarithmic, and keeps what is beyond it at its edges', () => {
    expect(durationY(200, SCALE, 300)).toBe(300)
    expect(durationY(60_000, SCALE, 300)).toBe(0)
    expect(durationY(5, SCALE, 300)).toBe(300)
    const half = Math.sqrt(200 * 60_000)
    expect(durationY(half, SCALE, 300)).toBeCloseTo(150)
  })

  it('has ticks that do not touch', () => {
    const ys = durationTicks({ lowMs: 1, highMs: 43_200_000 }, 200).map(({ y }) => y)
    expect(ys.length).toBeGreaterThan(4)
    for (const [at, y] of ys.slice(1).entries()) expect((ys[at] ?? 0) - y).toBeGreaterThanOrEqual(22)
  })
})

describe('marks', () => {
  it('stand below the scale where the time is not known, never at its bottom', () => {
    const [known, unknown, open] = marksOf(
      [point(HOUR, 200), point(HOUR, null), point(NOW - 30_000, null, { open: true })],
      SCALE,
      FRAME,
    )
    expect(known?.y).toBe(300)
    expect(unknown?.y).toBeGreaterThan(300)
    expect(open?.y).toBeCloseTo(durationY(30_000, SCALE, 300))
  })

  it('of mass events that would touch are told as one', () => {
    const marks = massMarksOf([mass(5 * HOUR), mass(4.8 * HOUR, 6), mass(HOUR)], SCALE, FRAME)
    expect(marks.map(({ elections, masses }) => [elections, masses.length])).toEqual([
      [20, 2],
      [14, 1],
    ])
  })

  it('are found by a pointer near them, and stepped through in time', () => {
    const items = [...marksOf([point(HOUR, 9_000), point(2 * HOUR, 9_000)], SCALE, FRAME)]
    const [first, second] = items
    expect(itemAt(items, 102, (first?.y ?? 0) + 4)?.key).toBe(first?.key)
    expect(itemAt(items, 125, 10)).toBeNull()
    expect(stepItem(items, null, -1)?.key).toBe(second?.key)
    expect(stepItem(items, second?.key ?? '', -1)?.key).toBe(first?.key)
    expect(stepItem(items, first?.key ?? '', -1)?.key).toBe(first?.key)
    expect(stepItem([], null, 1)).toBeNull()
    expect(massMarksOf([mass(HOUR)], SCALE, FRAME).every(isMassMark)).toBe(true)
  })
})
