/** Failover bars: detect, refill, vacancy and takeover stacked. A part that took any time is at least 2 px high. */
import { seconds } from '../../lib/shared/format.ts'
import { type Plot, type Span, xOf } from './time-axis.ts'

export interface FailoverParts {
  key: string
  atMs: number
  detectMs: number | null
  /** So much less it may be. */
  detectErrorMs?: number
  refillMs?: number
  vacancyMs: number | null
  takeoverMs: number | null
}

export type Part = 'detect' | 'refill' | 'vacancy' | 'takeover'

export interface BarPart {
  part: Part
  y: number
  height: number
}

export interface FailoverBar {
  key: string
  x: number
  width: number
  top: number
  parts: BarPart[]
  /** From the ground up: the last renewal may have been so much later. 0 where it is exact. */
  errorPx: number
  /** The true figure; empty where another label stands. */
  label: string
  labelX: number
  labelEnd: boolean
}

const BAR_PX = 9
const LEAST_PX = 2
const LABEL_PX = 40
export const PARTS: readonly Part[] = ['detect', 'refill', 'vacancy', 'takeover']

/** 40 ms · 8.4 s. */
function barLabel(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : seconds(ms)
}

export function totalMs(parts: FailoverParts): number {
  return PARTS.reduce((sum, part) => sum + partMs(parts, part), 0)
}

export function partMs(failover: FailoverParts, part: Part): number {
  return failover[`${part}Ms`] ?? 0
}

function stack(failover: FailoverParts, height: number, topS: number): { parts: BarPart[]; top: number } {
  let y = height
  const parts: BarPart[] = []
  for (const part of PARTS) {
    const ms = partMs(failover, part)
    if (ms <= 0) continue
    const tall = Math.max(LEAST_PX, (ms / 1_000 / topS) * height)
    y -= tall
    parts.push({ part, y, height: tall })
  }
  return { parts, top: y }
}

interface Frame {
  /** Labels end here. */
  width: number
  span: Span
  plot: Plot
  height: number
  topS: number
}

/** `failovers` ascend. The longest get their labels first; one that would touch another goes without. */
export function failoverBars(failovers: readonly FailoverParts[], frame: Frame): FailoverBar[] {
  const { span, plot, height, topS, width: room } = frame
  const inside = failovers.filter(({ atMs }) => atMs >= span.fromMs && atMs <= span.toMs)
  const labels: { from: number; to: number }[] = []
  const each = (plot.right - plot.left) / Math.max(1, inside.length)
  const width = Math.max(2, Math.min(BAR_PX, Math.floor(each) - 1))
  const bars = inside.map((failover) => {
    const centre = xOf(span, plot, failover.atMs)
    const x = Math.max(plot.left, Math.min(plot.right - width, centre - width / 2))
    const errorPx = ((failover.detectErrorMs ?? 0) / 1_000 / topS) * height
    return { ...stack(failover, height, topS), errorPx, failover, x }
  })
  const boxes = bars.map(({ x }) => ({ from: x - 1, to: x + width + 1 }))
  const labelled = new Map<string, { labelX: number; labelEnd: boolean }>()
  for (const { failover, x } of bars.toSorted((a, b) => totalMs(b.failover) - totalMs(a.failover))) {
    const sides = [
      { from: x + width + 4, to: x + width + LABEL_PX, labelX: x + width + 4, labelEnd: false },
      { from: x - LABEL_PX, to: x - 4, labelX: x - 4, labelEnd: true },
    ]
    const free = sides.find(
      (side) =>
        side.from >= plot.left - 4 &&
        side.to <= room &&
        ![...labels, ...boxes].some((box) => box.from < side.to && box.to > side.from),
    )
    if (free === undefined) continue
    labels.push(free)
    labelled.set(failover.key, free)
  }
  return bars.map(({ failover, x, top, parts, errorPx }) => {
    const label = labelled.get(failover.key)
    return {
      key: failover.key,
      x,
      width,
      top,
      parts,
      errorPx,
      label: label === undefined ? '' : barLabel(totalMs(failover)),
      labelX: label?.labelX ?? 0,
      labelEnd: label?.labelEnd ?? false,
    }
  })
}
