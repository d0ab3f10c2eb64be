/** The time a page shows, as its URL names it. */
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

export const RANGES = [
  { id: '15m', label: '15 m', ms: 15 * MINUTE, bucketMs: 2 * SECOND, pageMs: MINUTE, refetchMs: 2 * SECOND },
  { id: '1h', label: '1 h', ms: HOUR, bucketMs: 10 * SECOND, pageMs: 2 * MINUTE, refetchMs: 5 * SECOND },
  { id: '6h', label: '6 h', ms: 6 * HOUR, bucketMs: MINUTE, pageMs: 10 * MINUTE, refetchMs: 20 * SECOND },
  { id: '24h', label: '24 h', ms: 24 * HOUR, bucketMs: 3 * MINUTE, pageMs: 30 * MINUTE, refetchMs: MINUTE },
] as const
export type Range = (typeof RANGES)[number]

export const HOUR_RANGE = RANGES[1]
const DEFAULT = HOUR_RANGE

export interface View {
  range: Range
  /** The right edge; null follows the clock. */
  end: Instant | null
}

/** Anything that is not a range or a time falls back to the last hour, live. */
export function viewFrom(params: URLSearchParams): View {
  const range = RANGES.find((each) => each.id === params.get('range')) ?? DEFAULT
  const end = Date.parse(params.get('end') ?? '')
  return { range, end: Number.isNaN(end) ? null : instant(end) }
}

/** `params` with the view in it; what the URL need not say is left out. */
export function withView(params: URLSearchParams, { range, end }: View): URLSearchParams {
  const next = new URLSearchParams(params)
  next.delete('range')
  next.delete('end')
  if (range !== DEFAULT) next.set('range', range.id)
  if (end !== null) next.set('end', end)
  return next
}

export function stepRange(range: Range, by: 1 | -1): Range {
  const at = RANGES.indexOf(range) + by
  return RANGES[Math.max(0, Math.min(RANGES.length - 1, at))] ?? range
}

export interface Span {
  fromMs: number
  toMs: number
}

const AXIS_STEP_MS = 2 * SECOND

/** The time on the axis. It moves by what a pixel is worth, and not more often than every two seconds. */
export function spanOf({ range, end }: { range: { ms: number }; end: Instant | null }, now: Instant): Span {
  const stepMs = Math.max(AXIS_STEP_MS, range.ms / 900)
  const toMs = end === null ? Math.ceil(msOf(now) / stepMs) * stepMs : msOf(end)
  return { fromMs: toMs - range.ms, toMs }
}

/**
 * What to ask the server for: whole pages around the span, so that buckets keep their edges and the
 * question stays the same while its answer is fetched again.
 */
export function pageOf({ range }: View, span: Span): { from: Instant; to: Instant; points: number } {
  const toMs = Math.ceil(span.toMs / range.pageMs) * range.pageMs
  const lengthMs = range.ms + range.pageMs
  return { from: instant(toMs - lengthMs), to: instant(toMs), points: Math.round(lengthMs / range.bucketMs) }
}
