/** Times on an axis that may cover a month. */
import { instant } from '../../lib/shared/clock.ts'
import { type Plot, type Span, type Tick, timeTicks, xOf } from '../charts/time-axis.ts'

const DAY_MS = 24 * 3_600_000
const LABEL_PX = 64
const NOW_PX = 44

const dayAndMonth = (ms: number) =>
  new Date(instant(ms)).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** Beyond three days: days, as close as their labels allow. */
export function longTicks(span: Span, plot: Plot): Tick[] {
  const lengthMs = span.toMs - span.fromMs
  if (lengthMs <= 3 * DAY_MS) return timeTicks(span, plot)
  const perPx = lengthMs / Math.max(1, plot.right - plot.left)
  const stepMs = ([1, 2, 5, 7, 10].find((days) => (days * DAY_MS) / perPx >= LABEL_PX) ?? 15) * DAY_MS
  const ticks: Tick[] = []
  for (let ms = Math.ceil(span.fromMs / stepMs) * stepMs; ms < span.toMs; ms += stepMs) {
    const x = xOf(span, plot, ms)
    ticks.push({ ms, x, label: plot.right - x < NOW_PX ? '' : dayAndMonth(ms) })
  }
  return ticks
}
