/** An election as callers from outside get it: `docs/api.md` documents these shapes. */

import type { Instant } from '../shared/clock.ts'
import type { Annotated } from './annotations.ts'
import { type ClaimShape, claimShapes } from './describe-claims.ts'
import { blockerOf, competitors, heldHeadOf, leaderOf, nextUpOf } from './queue.ts'
import { type StandingSwitch, stoppedBy } from './scopes.ts'
import { kindOf, type Status, sharedIdentities, statusOf } from './status.ts'
import { anatomyOf } from './terms.ts'
import type {
  Anatomy,
  Candidate,
  Cause,
  Cluster,
  ElectionState,
  Kind,
  Layout,
  LeaseId,
  LeaseSample,
  Revision,
  Term,
} from './types.ts'
import { newestOn } from './verdicts.ts'

export interface CandidateShape {
  identity: string
  key: string
  keyBase64: string
  lease: LeaseId | null
  createRevision: Revision
  modRevision: Revision
  since: Instant
  sinceAtLeast: boolean
  valueBytes: number
  ttl: LeaseSample | null
  ttlDenied: boolean
  /** What who has its lease says of itself; absent where nobody reports for it. */
  claim?: ClaimShape
}

export interface ElectionShape {
  cluster: string
  ref: string
  prefix: string
  prefixBase64: string
  name: string
  layout: Layout
  kind: Kind
  status: Status
  leader: CandidateShape | null
  nextUp: CandidateShape | null
  candidateCount: number
  term: { ordinal: number; epoch: number; token: Revision; since: Instant; sinceAtLeast: boolean } | null
  lastChange: { at: Instant; cause: Cause; by?: string; evidence: string } | null
  /** The kill switch that stops it, engaged or unreadable. */
  stopped: StandingSwitch | null
  leaderlessSince: Instant | null
  foundBy: string
  notes: readonly Note[]
}

/** Something a reader should know besides the status. */
export type Note =
  | { type: 'leader-without-lease' }
  | { type: 'identity-shared'; identity: string; candidates: number }
  | { type: 'blocked'; key: string; createRevision: Revision }
  | { type: 'ttl-denied' }
  /** An enforced stop holds the seat: nobody leads. */
  | { type: 'held'; by: string }

/** With what people said about it, where anybody did. */
export interface TermShape extends Term, Partial<Annotated> {
  anatomy?: Anatomy
}

export function candidateShape(candidate: Candidate, claims: readonly ClaimShape[] = []): CandidateShape {
  const { nested: _, held: __, ttlDenied, ...rest } = candidate
  const claim = newestOn(claims, candidate.lease)
  return { ...rest, ttlDenied: ttlDenied === true, ...(claim === null ? {} : { claim }) }
}

export function notesOf(state: ElectionState): Note[] {
  const notes: Note[] = []
  const leader = leaderOf(state.candidates)
  if (leader !== null && leader.lease === null) notes.push({ type: 'leader-without-lease' })
  if (leader?.ttlDenied) notes.push({ type: 'ttl-denied' })
  const held = heldHeadOf(state.candidates)
  if (held?.held) notes.push({ type: 'held', by: held.held.by })
  const blocker = blockerOf(state.candidates)
  if (blocker !== null && competitors(state.candidates).length > 0) {
    notes.push({ type: 'blocked', key: blocker.key, createRevision: blocker.createRevision })
  }
  if (kindOf(state) !== 'mutex') {
    for (const identity of sharedIdentities(state.candidates)) {
      const candidates = competitors(state.candidates).filter((candidate) => candidate.identity === identity).length
      notes.push({ type: 'identity-shared', identity, candidates })
    }
  }
  return notes
}

export function electionShape(state: ElectionState, name: string, cluster: Cluster, now: Instant): ElectionShape {
  const leader = leaderOf(state.candidates)
  const nextUp = nextUpOf(state.candidates)
  const claims = claimShapes(state, cluster, now)
  const last = state.ended.at(-1)
  return {
    cluster: cluster.name,
    ref: state.ref,
    prefix: state.prefix,
    prefixBase64: state.prefixBase64,
    name,
    layout: state.layout,
    kind: kindOf(state),
    status: statusOf(state, cluster, now),
    leader: leader === null ? null : candidateShape(leader, claims),
    nextUp: nextUp === null ? null : candidateShape(nextUp, claims),
    candidateCount: competitors(state.candidates).length,
    term: state.term && {
      ordinal: state.term.ordinal,
      epoch: state.term.epoch,
      token: state.term.token,
      since: state.term.from,
      sinceAtLeast: state.term.fromAtLeast,
    },
    lastChange: last?.to && last.endedBy ? { at: last.to, ...last.endedBy } : null,
    stopped: stoppedBy(state.prefixBase64, cluster.switches ?? []),
    leaderlessSince: state.leaderlessSince,
    foundBy: state.foundBy,
    notes: notesOf(state),
  }
}

/** `terms` newest first; each gets the anatomy of the change that began it. */
export function termShapes(terms: readonly Term[]): TermShape[] {
  return terms.map((term, at) => {
    const previous = terms[at + 1]
    return previous?.to && term.gapMs !== null ? { ...term, anatomy: anatomyOf(term, previous) } : term
  })
}
