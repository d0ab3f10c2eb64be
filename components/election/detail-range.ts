/** The time a page shows, as its URL names it. */
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { shortDuration } from '../../lib/shared/format.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface Range {
  /** As the URL has it. */
  id: string
  label: string
  ms: number
  /** Width of a bucket of measured values. */
  bucketMs: number
  /** What is asked for begins and ends at multiples of it. */
  pageMs: number
  refetchMs: number
}

export const RANGES = [
  { id: '15m', label: '15 m', ms: 15 * MINUTE, bucketMs: 2 * SECOND, pageMs: MINUTE, refetchMs: 2 * SECOND },
  { id: '1h', label: '1 h', ms: HOUR, bucketMs: 10 * SECOND, pageMs: 2 * MINUTE, refetchMs: 5 * SECOND },
  { id: '6h', label: '6 h', ms: 6 * HOUR, bucketMs: MINUTE, pageMs: 10 * MINUTE, refetchMs: 20 * SECOND },
  { id: '24h', label: '24 h', ms: DAY, bucketMs: 3 * MINUTE, pageMs: 30 * MINUTE, refetchMs: MINUTE },
  { id: '7d', label: '7 d', ms: 7 * DAY, bucketMs: 20 * MINUTE, pageMs: 4 * HOUR, refetchMs: 5 * MINUTE },
  { id: '30d', label: '30 d', ms: 30 * DAY, bucketMs: 2 * HOUR, pageMs: 12 * HOUR, refetchMs: 10 * MINUTE },
] as const satisfies readonly Range[]

export const SHORTEST_MS = 10 * SECOND
const LONGEST_MS = 30 * DAY
const UNITS = { s: SECOND, m: MINUTE, h: HOUR, d: DAY }
/** Of buckets in a range that is none of the usual ones. */
const STEPS_MS = [SECOND, 2 * SECOND, 10 * SECOND, MINUTE, 3 * MINUTE, 10 * MINUTE, 20 * MINUTE, HOUR, 2 * HOUR]
const MOST_BUCKETS = 540

/** A stretch of any length, as a brush leaves it: one of the usual ranges where it is as long. */
export function rangeOf(lengthMs: number): Range {
  const ms = Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, lengthMs)) / SECOND) * SECOND
  const usual = RANGES.find((range) => range.ms === ms)
  if (usual !== undefined) return usual
  const bucketMs = STEPS_MS.find((stepMs) => ms / stepMs <= MOST_BUCKETS) ?? 2 * HOUR
  const pageMs = bucketMs * 10
  return {
    id: `${ms / SECOND}s`,
    label: shortDuration(ms),
    ms,
    bucketMs,
    pageMs,
    refetchMs: Math.max(2 * SECOND, bucketMs / 2),
  }
}

/** Anything that is no range reads as `byDefault`. */
export function rangeFrom(text: string | null, byDefault: Range = DEFAULT): Range {
  const found = /^(\d{1,8})([smhd])$/.exec(text ?? '')
  const [, number, unit] = found ?? []
  return number === undefined ? byDefault : rangeOf(Number(number) * UNITS[unit as keyof typeof UNITS])
}

export const HOUR_RANGE = RANGES[1]
const DEFAULT = HOUR_RANGE

export interface View {
  range: Range
  /** The right edge; null follows the clock. */
  end: Instant | null
}

/** Anything that is not a range or a time falls back to the last hour, live. */
export function viewFrom(params: URLSearchParams): View {
  const range = rangeFrom(params.get('range'))
  const end = Date.parse(params.get('end') ?? '')
  return { range, end: Number.isNaN(end) ? null : instant(end) }
}

/** `params` with the view in it; what the URL need not say is left out. */
export function withView(params: URLSearchParams, { range, end }: View): URLSearchParams {
  const next = new URLSearchParams(params)
  next.delete('range')
  next.delete('end')
  if (range.id !== DEFAULT.id) next.set('range', range.id)
  if (end !== null) next.set('end', end)
  return next
}

/** In the past nothing is shown of what came after `at`; null is the present. */
export function upToMoment<Of extends Pick<View, 'end'>>(view: Of, at: Instant | null): Of {
  return at === null || (view.end !== null && view.end <= at) ? view : { ...view, end: at }
}

/** The next longer or shorter of the usual ranges. */
export function stepRange(range: Range, by: 1 | -1): Range {
  const found = by === 1 ? RANGES.find(({ ms }) => ms > range.ms) : RANGES.findLast(({ ms }) => ms < range.ms)
  return found ?? range
}

/** Half a range earlier or later; where it comes near `now` it follows the clock again. */
export function shifted({ range, end }: View, by: 1 | -1, now: Instant): View {
  const endMs = (end === null ? msOf(now) : msOf(end)) + (by * range.ms) / 2
  return { range, end: endMs >= msOf(now) - range.ms / 20 ? null : instant(endMs) }
}

/** What was brushed; a stretch too short to be drawn is widened around its middle. */
export function brushed(fromMs: number, toMs: number): View {
  const range = rangeOf(toMs - fromMs)
  return { range, end: instant(Math.round((fromMs + toMs + range.ms) / 2)) }
}

export interface Span {
  fromMs: number
  toMs: number
}

/** What figures are asked for: the range as it is, ending anew as often as it is fetched. */
export function figuresRange({ range, end }: View, now: Instant): { from: Instant; to: Instant } {
  const toMs = end === null ? Math.ceil(msOf(now) / range.refetchMs) * range.refetchMs : msOf(end)
  return { from: instant(toMs - range.ms), to: instant(toMs) }
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
