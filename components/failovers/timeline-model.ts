/** Where the marks of the timeline stand: time across, duration up on a logarithmic scale. Pure pixels. */
import { msOf } from '../../lib/shared/clock.ts'
import { type Plot, type Span, xOf } from '../charts/time-axis.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'

export type Point = FailoverSummaryShape['points'][number]
export type Mass = FailoverSummaryShape['masses']['events'][number]

export interface TimelineFrame {
  span: Span
  plot: Plot
  /** Of the durations' scale; below it is a lane for those whose time is not known. */
  height: number
  nowMs: number
}

const TICKS_MS = [1, 10, 50, 200, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 7_200_000, 43_200_000]
const LOW_MS = 200
const HIGH_MS = 60_000
/** Ticks closer than this would touch. */
const APART_PX = 22
export const UNKNOWN_PX = 22

export interface Scale {
  lowMs: number
  highMs: number
}

/** From 0.2 s to a minute, and further where there is more. */
export function scaleOf(points: readonly Point[], masses: readonly Mass[], nowMs: number): Scale {
  const least = [...points, ...masses].flatMap(({ leastMs }) => (leastMs === null ? [] : [leastMs]))
  const most = [...points, ...masses].flatMap(({ mostMs }) => (mostMs === null ? [] : [mostMs]))
  const open = points.flatMap((point) => (point.open ? [nowMs - msOf(point.at)] : []))
  const low = least.reduce((a, b) => Math.min(a, b), LOW_MS)
  const high = [...most, ...open].reduce((a, b) => Math.max(a, b), HIGH_MS)
  return {
    lowMs: TICKS_MS.findLast((tick) => tick <= low) ?? 1,
    highMs: TICKS_MS.find((tick) => tick >= high) ?? high,
  }
}

export function durationY(ms: number, { lowMs, highMs }: Scale, height: number): number {
  const share = Math.log(Math.max(lowMs, Math.min(highMs, ms)) / lowMs) / Math.log(highMs / lowMs)
  return height * (1 - share)
}

export function durationTicks(scale: Scale, height: number): { ms: number; y: number }[] {
  const ticks = TICKS_MS.filter((ms) => ms >= scale.lowMs && ms <= scale.highMs)
  const placed: { ms: number; y: number }[] = []
  for (const ms of ticks) {
    const y = durationY(ms, scale, height)
    if ((placed.at(-1)?.y ?? Number.POSITIVE_INFINITY) - y >= APART_PX) placed.push({ ms, y })
  }
  return placed
}

export interface Mark {
  key: string
  x: number
  y: number
  atMs: number
  /** More of them are larger. */
  scale: number
  point: Point
}

export interface MassMark {
  key: string
  x: number
  y: number
  atMs: number
  /** Those that would touch are told as one; newest first. */
  masses: Mass[]
  elections: number
}

export type Item = Mark | MassMark

export const isMassMark = (item: Item): item is MassMark => 'masses' in item

function yOf(point: Pick<Point, 'leastMs' | 'mostMs' | 'open' | 'at'>, scale: Scale, frame: TimelineFrame): number {
  if (point.open) return durationY(frame.nowMs - msOf(point.at), scale, frame.height)
  if (point.leastMs === null || point.mostMs === null) return frame.height + UNKNOWN_PX / 2
  return durationY(Math.sqrt(Math.max(1, point.leastMs) * Math.max(1, point.mostMs)), scale, frame.height)
}

export function marksOf(points: readonly Point[], scale: Scale, frame: TimelineFrame): Mark[] {
  return points.flatMap((point, at) => {
    const fromMs = msOf(point.at)
    const atMs = point.to === undefined ? fromMs : (fromMs + msOf(point.to)) / 2
    if (atMs < frame.span.fromMs || atMs > frame.span.toMs) return []
    const x = xOf(frame.span, frame.plot, atMs)
    return [
      {
        key: `${point.at} ${at}`,
        x,
        y: yOf(point, scale, frame),
        atMs,
        scale: Math.min(1.8, 1 + Math.log10(point.count) / 3),
        point,
      },
    ]
  })
}

const MASS_PX = 34

export function massMarksOf(masses: readonly Mass[], scale: Scale, frame: TimelineFrame): MassMark[] {
  const marks: MassMark[] = []
  for (const mass of masses) {
    const atMs = msOf(mass.from)
    if (atMs < frame.span.fromMs || atMs > frame.span.toMs) continue
    // Its box stays inside.
    const x = Math.min(frame.plot.right - MASS_PX / 2, xOf(frame.span, frame.plot, atMs))
    const last = marks.at(-1)
    if (last !== undefined && last.x - x < MASS_PX) {
      last.masses.push(mass)
      last.elections += mass.elections
      continue
    }
    const known = { leastMs: mass.medianMs, mostMs: mass.medianMs, at: mass.from }
    const y = yOf(mass.medianMs === null && mass.open > 0 ? { ...known, open: true } : known, scale, frame)
    marks.push({ key: mass.from, x, y, atMs, masses: [mass], elections: mass.elections })
  }
  return marks
}

const REACH_PX = 16

/** The mark nearest to a place, within reach of a pointer. */
export function itemAt(items: readonly Item[], x: number, y: number): Item | null {
  let best: Item | null = null
  let bestPx = REACH_PX
  for (const item of items) {
    const px = Math.hypot(item.x - x, item.y - y) - (isMassMark(item) ? 10 : 0)
    if (px < bestPx) {
      best = item
      bestPx = px
    }
  }
  return best
}

/** The next mark in time; from the newest one where none is chosen. `items` ascend. */
export function stepItem(items: readonly Item[], key: string | null, by: 1 | -1): Item | null {
  const at = items.findIndex((item) => item.key === key)
  if (at === -1) return items.at(-1) ?? null
  return items[Math.max(0, Math.min(items.length - 1, at + by))] ?? null
}
