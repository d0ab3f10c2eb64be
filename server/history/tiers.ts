/** How long samples are kept at which width, and which of it answers a query. */

const S = 1_000
const M = 60 * S
const H = 60 * M

export interface Tier {
  /** 0 is the raw samples. */
  index: number
  /** Width of a rolled row; 0 for raw samples. */
  widthMs: number
  keepMs: number
  /** Rows of one block lie together on disk: a block is one bucket of the next tier. */
  blockMs: number
}

export const RAW: Tier = { index: 0, widthMs: 0, keepMs: H, blockMs: 10 * S }
export const ROLLED: readonly Tier[] = [
  { index: 1, widthMs: 10 * S, keepMs: 2 * H, blockMs: M },
  { index: 2, widthMs: M, keepMs: 48 * H, blockMs: 10 * M },
  { index: 3, widthMs: 10 * M, keepMs: 30 * 24 * H, blockMs: 6 * H },
]
export const TIERS: readonly Tier[] = [RAW, ...ROLLED]

/** A query for "the last hour" is asked a little later than its `from` was computed. */
export const COVER_SLACK_MS = M
/** Kept beyond that, so that no query finds its oldest rows half deleted. */
export const RETENTION_SLACK_MS = 2 * M

/** Steps that read well on a time axis. */
const STEPS_MS = [
  ...[100, 200, 500],
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * S),
  ...[1, 2, 3, 5, 10, 15, 20, 30].map((n) => n * M),
  ...[1, 2, 3, 6, 12, 24].map((n) => n * H),
]

export const blockOf = (tier: Tier, atMs: number) => Math.floor(atMs / tier.blockMs)
/** Which bucket of its block. */
export const slotOf = (tier: Tier, fromMs: number) => (fromMs - blockOf(tier, fromMs) * tier.blockMs) / tier.widthMs
export const bucketOf = (widthMs: number, atMs: number) => Math.floor(atMs / widthMs) * widthMs

/** The finest tier that still holds `fromMs`; the coarsest when none does. */
export function tierFor(fromMs: number, nowMs: number): Tier {
  const covers = (tier: Tier) => fromMs >= nowMs - tier.keepMs - COVER_SLACK_MS
  return TIERS.find(covers) ?? (TIERS.at(-1) as Tier)
}

/**
 * Width of the buckets in which `rangeMs` is at most `points` of them, wherever it begins: buckets
 * lie on multiples of their width, so that a live chart does not shiver as its range slides.
 */
export function bucketWidthMs(rangeMs: number, points: number, tier: Tier): number {
  const leastMs = Math.max(tier.widthMs, points > 1 ? rangeMs / (points - 1) : rangeMs)
  const fits = (stepMs: number) => stepMs >= leastMs && (tier.widthMs === 0 || stepMs % tier.widthMs === 0)
  return STEPS_MS.find(fits) ?? Math.ceil(leastMs / (24 * H)) * 24 * H
}
