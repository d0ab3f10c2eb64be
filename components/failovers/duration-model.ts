/** Where the bars of the distribution of durations stand. Pure pixels. */
import type { FailoverSummaryShape } from '../live/failovers.ts'

export type Bin = FailoverSummaryShape['distribution'][number]

export interface DurationBar {
  key: number
  x: number
  width: number
  /** From the top. */
  y: number
  height: number
  /** Of this, the part of mass events; it stands on the ground. */
  massHeight: number
}

export interface DurationFrame {
  left: number
  right: number
  height: number
}

/** Without the empty bins at the end, but the objective and a bin after it always in sight. */
export function shownBins(bins: readonly Bin[], withinMs: number): Bin[] {
  const last = bins.findLastIndex(({ count }) => count > 0)
  const least = bins.findIndex(({ toMs }) => toMs === null || toMs > withinMs * 1.25)
  const end = Math.max(last, least)
  return bins.slice(0, Math.max(6, end + 1))
}

const NICE = [1, 2, 5]

/** Three steps or fewer up to above the highest. */
export function countTicks(most: number): number[] {
  for (let power = 1; ; power *= 10) {
    for (const nice of NICE) {
      const step = nice * power
      if (most <= step * 3) return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, at) => at * step)
    }
  }
}

export function durationBars(bins: readonly Bin[], top: number, { left, right, height }: DurationFrame): DurationBar[] {
  const each = (right - left) / Math.max(1, bins.length)
  // What is there must be seen, however many the others are.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / top) * height))
  return bins.map(({ fromMs, count, mass }, at) => ({
    key: fromMs,
    x: left + at * each + 1,
    width: Math.max(1, each - 2),
    y: height - tall(count),
    height: tall(count),
    massHeight: count === 0 ? 0 : tall(count) * (mass / count),
  }))
}

/** Where a duration stands among bins of equal width; held inside them. */
export function durationX(ms: number, bins: readonly Bin[], { left, right }: DurationFrame): number {
  const stepMs = bins[0]?.toMs ?? 1
  return left + Math.min(bins.length, ms / stepMs) * ((right - left) / Math.max(1, bins.length))
}

export function durationRows(bins: readonly Bin[]): string[][] {
  const seconds = (ms: number) => `${ms / 1_000} s`
  return [
    ['from', 'to', 'failovers', 'in mass events'],
    ...bins
      .filter(({ count }) => count > 0)
      .map(({ fromMs, toMs, count, mass }) => [
        seconds(fromMs),
        toMs === null ? 'longer' : seconds(toMs),
        String(count),
        String(mass),
      ]),
  ]
}
