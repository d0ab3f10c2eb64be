/** What an election's state means, in one word. Pure predicates: alerts and views share them. */
import { elapsedMs, type Instant, instant, msOf } from '../shared/clock.ts'
import { dualClaimOf } from './claims.ts'
import { competitors, leaderOf, nextUpOf } from './queue.ts'
import { stoppedBy } from './scopes.ts'
import type { Candidate, Cluster, ElectionState, Kind, LeaseSample } from './types.ts'

export const STATUSES = [
  'unconfirmed',
  'unknown',
  'dual-claim',
  'stopped',
  'leaderless',
  'flapping',
  'at-risk',
  'no-standby',
  'handing-off',
  'healthy',
] as const
export type Status = (typeof STATUSES)[number]

/** Worst first, as lists sort. */
export const WORST_FIRST: readonly Status[] = [
  'dual-claim',
  'leaderless',
  'unknown',
  'flapping',
  'at-risk',
  'no-standby',
  'stopped',
  'handing-off',
  'unconfirmed',
  'healthy',
]

const RANK = new Map(WORST_FIRST.map((status, rank) => [status, rank]))

export function rankOf(status: Status): number {
  return RANK.get(status) ?? WORST_FIRST.length
}

export function needsAttention(status: Status): boolean {
  return rankOf(status) < rankOf('stopped')
}

export const LEADERLESS_AFTER_MS = 2_000
export const FLAPPING_FAILOVERS = 5
export const FLAPPING_WINDOW_MS = 3_600_000
/** Whole seconds say too little about a shorter one. */
export const JUDGEABLE_TTL_MS = 5_000
/** Less left of the TTL is a risk. */
const LEFT_SHARE = 1 / 3

/** A mutex is a queue whose every value is empty (etcd client/v3/concurrency/mutex.go puts ""). */
export function kindOf(state: ElectionState): Kind {
  if (!state.confirmed) return 'unconfirmed'
  return state.layout === 'queue' && state.valuesEmpty && state.lastOrdinal > 0 ? 'mutex' : 'election'
}

/** At the look-up, since the last proven renewal; up to a second less. */
export function silentMsAt({ grantedMs, remainingMs, asOf, renewedAt }: LeaseSample): number {
  return renewedAt === undefined ? grantedMs - remainingMs : elapsedMs(renewedAt, asOf)
}

/**
 * No renewal for two thirds of the TTL at the look-up, counting the second that etcd rounds away: a
 * third is left, or more where a change of the etcd raft leader refilled the lease without a renewal.
 * A TTL under 5 s is too short to judge from whole seconds.
 */
export function isAtRisk(ttl: LeaseSample | null, leftShare = LEFT_SHARE): boolean {
  if (ttl === null || ttl.grantedMs < JUDGEABLE_TTL_MS) return false
  return silentMsAt(ttl) - 1_000 > ttl.grantedMs * (1 - leftShare)
}

export function recentFailovers(state: ElectionState, now: Instant, windowMs = FLAPPING_WINDOW_MS): number {
  const from = instant(msOf(now) - windowMs)
  return state.failovers.filter((at) => at >= from).length
}

export function isLeaderless(state: ElectionState, now: Instant): boolean {
  if (kindOf(state) === 'mutex' || leaderOf(state.candidates) !== null || state.leaderlessSince === null) return false
  return elapsedMs(state.leaderlessSince, now) > LEADERLESS_AFTER_MS
}

function hasNoStandby(state: ElectionState): boolean {
  return state.layout === 'queue' && kindOf(state) === 'election' && nextUpOf(state.candidates) === null
}

/** The first that applies, in the order of `STATUSES`. `now` is the server's time. */
export function statusOf(state: ElectionState, cluster: Cluster, now: Instant): Status {
  if (!state.confirmed) return 'unconfirmed'
  if (cluster.freshness !== 'live' || cluster.rolledBack !== undefined) return 'unknown'
  if (dualClaimOf(state, cluster.gaps, now) !== null) return 'dual-claim'
  if (stoppedBy(state.prefixBase64, cluster.switches ?? []) !== null) return 'stopped'
  if (isLeaderless(state, now)) return 'leaderless'
  if (recentFailovers(state, now) >= FLAPPING_FAILOVERS) return 'flapping'
  if (isAtRisk(leaderOf(state.candidates)?.ttl ?? null)) return 'at-risk'
  if (hasNoStandby(state) && leaderOf(state.candidates) !== null) return 'no-standby'
  return cluster.handingOff?.includes(state.ref) ? 'handing-off' : 'healthy'
}

/** Candidates whose identity another candidate of the same election uses as well. */
export function sharedIdentities(candidates: readonly Candidate[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { identity } of competitors(candidates)) (seen.has(identity) ? shared : seen).add(identity)
  return shared
}
