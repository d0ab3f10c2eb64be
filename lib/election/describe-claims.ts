/** Claims as callers from outside get them: `docs/api.md` documents these shapes. */
import type { Instant } from '../shared/clock.ts'
import { type Contradiction, dualClaimOf } from './claims.ts'
import type { CandidateState } from './presence.ts'
import type { Cluster, ElectionState, LeaseId, Revision } from './types.ts'
import { isComparable, type Judged, judgeClaims, type Verdict } from './verdicts.ts'

export interface ClaimShape {
  instance: string
  identity: string
  lease: LeaseId | null
  state: CandidateState
  /** The term it claims to lead; all null when it claims none. */
  epoch: number | null
  token: Revision | null
  /** null also for a term that is not remembered. */
  ordinal: number | null
  since: Instant | null
  validUntil: Instant | null
  reportedAt: Instant
  lastWorkAt: Instant | null
  rejections: number
  missed: number
  verdict: Verdict
  reason: Contradiction | null
}

export interface DualClaimShape {
  since: Instant
  claimants: readonly { instance: string; identity: string; epoch: number; token: Revision; reason: Contradiction }[]
}

function ordinalOf({ standing }: Judged): number | null {
  if (standing === null || standing.at === 'unseen') return null
  return standing.term?.ordinal ?? null
}

export function claimShape(judged: Judged): ClaimShape {
  const { claim, verdict, reason } = judged
  const { token, lateSince: _, ...rest } = claim
  return {
    ...rest,
    epoch: token?.epoch ?? null,
    token: token?.revision ?? null,
    ordinal: ordinalOf(judged),
    verdict,
    reason,
  }
}

/** Contradictions first, then as `judgeClaims` has them. */
export function claimShapes(state: ElectionState, cluster: Cluster, now: Instant): ClaimShape[] {
  return judgeClaims(state, cluster, now).map(claimShape)
}

/** null also while etcd's own word is not known. */
export function dualClaimShape(state: ElectionState, cluster: Cluster, now: Instant): DualClaimShape | null {
  const dual = isComparable(cluster) ? dualClaimOf(state, cluster.gaps, now) : null
  if (dual === null) return null
  const claimants = dual.claimants.flatMap(({ claim, reason }) => {
    const { instance, identity, token } = claim
    return token === null ? [] : [{ instance, identity, epoch: token.epoch, token: token.revision, reason }]
  })
  return { since: dual.since, claimants }
}
