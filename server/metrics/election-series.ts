/** What is said of one election. Pure: what is not known now is left out. */
import { dualClaimOf, isClaiming } from '../../lib/election/claims.ts'
import { competitors, leaderOf } from '../../lib/election/queue.ts'
import { stoppedBy } from '../../lib/election/scopes.ts'
import { JUDGEABLE_TTL_MS, kindOf, silentMsAt } from '../../lib/election/status.ts'
import { PARTS } from '../../lib/election/transitions.ts'
import { CAUSES, type Candidate, type Cluster, type ElectionState } from '../../lib/election/types.ts'
import { isComparable } from '../../lib/election/verdicts.ts'
import { instant } from '../../lib/shared/clock.ts'
import type { Counts, ElectionTally } from './election-tally.ts'
import type { Margins } from './margins.ts'
import type { Sheet } from './sheet.ts'

type Shared = Readonly<Record<'cluster' | 'election', string>>

/** Look-ups tell whole seconds, rounded down. */
const ROUNDED_OFF_MS = 1_000

/** Beyond this a float would be another token: then only the label says it. */
function tokenValue(token: string): number | null {
  const value = Number(token)
  return Number.isSafeInteger(value) ? value : null
}

/**
 * Upper bound, so that nothing is at risk that may not be. null where look-ups are too few, or the TTL too
 * short, to judge.
 */
export function marginRatio({ ttl }: Candidate, margins: Margins, nowMs: number): number | null {
  if (ttl === null || ttl.grantedMs < JUDGEABLE_TTL_MS) return null
  const worst = margins.worst(nowMs, ttl.grantedMs)
  if (worst === null) return null
  const now = 1 - (silentMsAt(ttl) - ROUNDED_OFF_MS) / ttl.grantedMs
  return Math.max(0, Math.min(1, now, worst + ROUNDED_OFF_MS / ttl.grantedMs))
}

export interface Looked {
  state: ElectionState
  cluster: Cluster
  tally: ElectionTally
  nowMs: number
}

/** What etcd shows now; nothing while that is not known. */
function putPresent(sheet: Sheet, shared: Shared, { state, cluster, tally, nowMs }: Looked): void {
  const { term, candidates } = state
  const leader = leaderOf(candidates)
  sheet.put('tenure_election_led', shared, leader !== null)
  sheet.put('tenure_election_candidates', shared, competitors(candidates).length)
  if (leader !== null && term !== null) {
    const { identity, lease } = leader
    const { epoch, token } = term
    const labels = { leader: identity, lease: lease ?? '', epoch: String(epoch), token }
    sheet.put('tenure_election_leader_info', shared, 1, labels)
    sheet.put('tenure_election_term_token', shared, tokenValue(token))
    const { ttl } = leader
    sheet.put('tenure_election_lease_ttl_seconds', shared, ttl === null ? null : ttl.grantedMs / 1_000)
    sheet.put('tenure_election_renewal_margin_ratio', shared, marginRatio(leader, tally.margins, nowMs))
  }
  if (cluster.switches !== undefined && cluster.switchesError === undefined) {
    sheet.put('tenure_election_switch_engaged', shared, stoppedBy(state.prefixBase64, cluster.switches) !== null)
  }
  if (state.claims.length > 0) {
    const dual = dualClaimOf(state, cluster.gaps, instant(nowMs))
    sheet.put('tenure_election_dual_claimants', shared, dual?.claimants.length ?? 0)
  }
}

export function claimsNow({ claims }: ElectionState, nowMs: number): number | null {
  const now = instant(nowMs)
  return claims.length === 0 ? null : claims.filter((claim) => isClaiming(claim, now)).length
}

export function putCounts(sheet: Sheet, shared: Shared, counts: Counts): void {
  for (const cause of CAUSES) sheet.put('tenure_election_terms_total', shared, counts.ended[cause], { cause })
}

export function putElection(sheet: Sheet, shared: Shared, looked: Looked): void {
  const { state, cluster, tally, nowMs } = looked
  const kind = kindOf(state)
  sheet.put('tenure_election_info', shared, 1, { ref: state.ref, layout: state.layout, kind })
  if (isComparable(cluster)) putPresent(sheet, shared, looked)
  sheet.put('tenure_election_claims', shared, claimsNow(state, nowMs))
  putCounts(sheet, shared, tally.counts)
  // That nobody holds a mutex is no lack.
  if (kind !== 'mutex') {
    sheet.put('tenure_election_leaderless_seconds_total', shared, tally.counts.leaderlessMs / 1_000)
  }
  if (tally.hasReports) sheet.put('tenure_election_fencing_rejections_total', shared, tally.counts.rejections)
  for (const part of PARTS) {
    const ms = tally.failover?.[`${part}Ms`] ?? null
    sheet.put('tenure_election_last_failover_seconds', shared, ms === null ? null : ms / 1_000, { part })
  }
}
