/** The time axis that all panels of a page share: milliseconds to pixels and back, and where its labels stand. */
import { roundStep, tickLabel } from '../../lib/shared/time-steps.ts'

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

const LABEL_PX = 64
const NOW_PX = 44

export interface Tick {
  ms: number
  x: number
  /** Empty where a label would touch the one at the right edge. */
  label: string
}

/** Round UTC times, as close as their labels allow. */
export function timeTicks(span: Span, plot: Plot): Tick[] {
  const perPx = msPerPx(span, plot)
  const step = roundStep(perPx * LABEL_PX)
  const ticks: Tick[] = []
  for (let ms = Math.ceil(span.fromMs / step) * step; ms < span.toMs; ms += step) {
    const x = xOf(span, plot, ms)
    ticks.push({ ms, x, label: plot.right - x < NOW_PX ? '' : tickLabel(ms, step) })
  }
  return ticks
}
