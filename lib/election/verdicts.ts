/** Each instance's word beside etcd's, one verdict for each: what the page and the API tell. */
import { elapsedMs, type Instant } from '../shared/clock.ts'
import {
  type Contradiction,
  dualClaimOf,
  isClaiming,
  type Standing,
  sameToken,
  standingOf,
  UNSEEN_GRACE_MS,
} from './claims.ts'
import { leaderOf } from './queue.ts'
import type { Claim, Cluster, ElectionState } from './types.ts'

/** Candidates of the library report every five to eight seconds. */
const QUIET_MS = 15_000

export const VERDICTS = ['contradicts', 'unverified', 'outdated', 'lapsed', 'unaware', 'agrees'] as const
/**
 * - `contradicts`: it claims to lead and etcd says otherwise, or another instance claims the same.
 * - `unverified`: etcd's word is not known now, so that there is nothing to compare with.
 * - `outdated`: it claims a term that is over or not seen yet, but may have said so in good faith.
 * - `lapsed`: what it claimed has run out, and it has said nothing since.
 * - `unaware`: etcd says that it leads; it does not claim to.
 * - `agrees`: etcd says the same.
 */
export type Verdict = (typeof VERDICTS)[number]

export interface Judged {
  claim: Claim
  verdict: Verdict
  /** Where the term it claims stands; null when it claims none. */
  standing: Standing | null
  reason: Contradiction | null
}

/** Nothing can be compared with an etcd that does not answer, or whose store was rolled back. */
export function isComparable(cluster: Pick<Cluster, 'freshness' | 'rolledBack'>): boolean {
  return cluster.freshness === 'live' && cluster.rolledBack === undefined
}

/** What it said before it could know that it leads is no sign of anything. */
function knowsItsPlace({ candidates, term }: ElectionState, claim: Claim): boolean {
  if (term === null || claim.lease === null || leaderOf(candidates)?.lease !== claim.lease) return true
  return elapsedMs(term.from, claim.reportedAt) < UNSEEN_GRACE_MS
}

/** Short claims run out between two reports: etcd bears it out, and it has not fallen silent. */
function speaksOn(state: ElectionState, claim: Claim, now: Instant): boolean {
  const quiet = elapsedMs(claim.reportedAt, now) > QUIET_MS
  const alone = state.claims.every((other) => other === claim || !sameToken(other.token, claim.token))
  return !quiet && alone && claim.lateSince === null && standingOf(state, claim)?.at === 'open'
}

function verdictOf(state: ElectionState, claim: Claim, now: Instant): Verdict {
  if (claim.token === null || claim.validUntil === null) return knowsItsPlace(state, claim) ? 'agrees' : 'unaware'
  if (!isClaiming(claim, now)) return speaksOn(state, claim, now) ? 'agrees' : 'lapsed'
  return standingOf(state, claim)?.at === 'open' && claim.lateSince === null ? 'agrees' : 'outdated'
}

/** The worst first, then by who holds the seat, then by name. */
export function judgeClaims(
  state: ElectionState,
  cluster: Pick<Cluster, 'freshness' | 'rolledBack' | 'gaps'>,
  now: Instant,
): Judged[] {
  const comparable = isComparable(cluster)
  const dual = comparable ? dualClaimOf(state, cluster.gaps, now) : null
  const reasons = new Map(dual?.claimants.map(({ claim, reason }) => [claim.instance, reason]))
  const judged = state.claims.map((claim): Judged => {
    const reason = reasons.get(claim.instance) ?? null
    const verdict = !comparable ? 'unverified' : reason === null ? verdictOf(state, claim, now) : 'contradicts'
    return { claim, verdict, standing: standingOf(state, claim), reason }
  })
  return judged.sort(inOrder)
}

const rank = ({ verdict, standing }: Judged) =>
  VERDICTS.indexOf(verdict) * 2 + (standing?.at === 'open' ? 0 : 1) - (verdict === 'agrees' && standing ? 1 : 0)

function inOrder(a: Judged, b: Judged): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b)
  const [x, y] = [`${a.claim.identity}\n${a.claim.instance}`, `${b.claim.identity}\n${b.claim.instance}`]
  return x < y ? -1 : x > y ? 1 : 0
}

/** The newest word of who has this lease. */
export function newestOn<T extends Pick<Claim, 'lease' | 'reportedAt'>>(
  claims: readonly T[],
  lease: Claim['lease'],
): T | null {
  if (lease === null) return null
  return claims
    .filter((claim) => claim.lease === lease)
    .reduce<T | null>((newest, claim) => (newest && newest.reportedAt > claim.reportedAt ? newest : claim), null)
}
