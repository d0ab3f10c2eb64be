/** The time axis that all panels of a page share: milliseconds to pixels and back, and where its labels stand. */
import { instant } from '../../lib/shared/clock.ts'
import { dayAndMonth, hourAndMinute, timeOfDay } from '../../lib/shared/format.ts'

export interface Span {
  fromMs: number
  toMs: number
}

/** The part of a panel that carries data, in pixels from the panel's left edge. */
export interface Plot {
  left: number
  right: number
}

export function xOf(span: Span, plot: Plot, ms: number): number {
  const share = (ms - span.fromMs) / (span.toMs - span.fromMs)
  return plot.left + share * (plot.right - plot.left)
}

/** Like `xOf`, held inside the plot. */
export function clampedX(span: Span, plot: Plot, ms: number): number {
  return Math.max(plot.left, Math.min(plot.right, xOf(span, plot, ms)))
}

/** The inverse of `xOf`, held inside the span. */
export function msAt(span: Span, plot: Plot, x: number): number {
  const share = Math.max(0, Math.min(1, (x - plot.left) / (plot.right - plot.left)))
  return Math.round(span.fromMs + share * (span.toMs - span.fromMs))
}

export function msPerPx(span: Span, plot: Plot): number {
  return (span.toMs - span.fromMs) / Math.max(1, plot.right - plot.left)
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 7].map((days) => days * DAY),
]
const LABEL_PX = 64
const NOW_PX = 44

export interface Tick {
  ms: number
  x: number
  /** Empty where a label would touch the one at the right edge. */
  label: string
}

/** To the second, the minute or the day, by how far apart they are; a midnight between hours names its day. */
function labelOf(ms: number, step: number): string {
  const at = instant(ms)
  if (step < MINUTE) return timeOfDay(at)
  return step >= DAY || (step >= 6 * HOUR && ms % DAY === 0) ? dayAndMonth(at) : hourAndMinute(at)
}

/** Round UTC times, as close as their labels allow. */
export function timeTicks(span: Span, plot: Plot): Tick[] {
  const perPx = msPerPx(span, plot)
  const step = STEPS.find((each) => each / perPx >= LABEL_PX) ?? 14 * DAY
  const ticks: Tick[] = []
  for (let ms = Math.ceil(span.fromMs / step) * step; ms < span.toMs; ms += step) {
    const x = xOf(span, plot, ms)
    ticks.push({ ms, x, label: plot.right - x < NOW_PX ? '' : labelOf(ms, step) })
  }
  return ticks
}
