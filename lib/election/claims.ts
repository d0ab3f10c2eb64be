/**
 * What instances say of themselves beside what etcd says. Pure, and the same on the server and in the
 * browser. A report needs time to arrive: what was said before a term's end is old, not wrong.
 */
import { elapsedMs, type Instant, instant, later, msOf } from '../shared/clock.ts'
import type { ClaimsChange, Said } from './changes.ts'
import { compareTokens, type FencingToken } from './tokens.ts'
import type { Claim, ElectionState, Gap, LeaseId, Term } from './types.ts'

/** A report that comes later than this after etcd showed a term's end was sent after that end. */
export const LATE_GRACE_MS = 1_000
/**
 * A late claim counts once its instance had so long to take it back: one that just woke up does so at
 * once, and where reports are slow the next one follows within the two seconds that the library waits.
 */
export const LATE_HOLD_MS = 2_500
/** A token that etcd has not shown may be newer than what has been seen of etcd, for so long. */
export const UNSEEN_GRACE_MS = 5_000

/** Why a claim cannot be true beside what etcd says. */
export type Contradiction = 'same-token' | 'term-ended' | 'other-lease' | 'never-led'

export interface Contradicting {
  claim: Claim
  reason: Contradiction
  since: Instant
}

export interface DualClaim {
  /** When it began. */
  since: Instant
  /** In the order of their tokens, the newest first. */
  claimants: readonly Contradicting[]
}

/** It says that it leads, and what it said last has not run out. */
export function isClaiming(claim: Claim, now: Instant): boolean {
  return claim.token !== null && claim.validUntil !== null && claim.validUntil > now
}

const tokenOf = (term: Term): FencingToken => ({ epoch: term.epoch, revision: term.token })

/** By its key where the epochs differ: a dashboard that may not write the epoch counts its own. */
function isOf(term: Term, token: FencingToken, lease: LeaseId | null): boolean {
  if (term.token !== token.revision) return false
  return term.epoch === token.epoch || (lease !== null && lease === term.leader.lease)
}

export type Standing =
  | { at: 'open'; term: Term }
  /** `shown`: when etcd showed that the term is over; `term` is null when it is no longer remembered. */
  | { at: 'ended'; shown: Instant; term: Term | null }
  /** Newer than anything etcd has shown so far. */
  | { at: 'unseen' }

/** Where the term of a claim stands in what etcd has shown. */
export function standingOf(state: ElectionState, claim: Pick<Claim, 'token' | 'lease'>): Standing | null {
  const { token, lease } = claim
  if (token === null) return null
  if (state.term !== null && isOf(state.term, token, lease)) return { at: 'open', term: state.term }
  const ended = state.ended.findLast((term) => isOf(term, token, lease))
  if (ended?.to) return { at: 'ended', shown: ended.to, term: ended }
  const newest = state.term ?? state.ended.at(-1)
  if (newest === undefined || compareTokens(token, tokenOf(newest)) > 0) return { at: 'unseen' }
  return { at: 'ended', shown: newest.to ?? newest.from, term: null }
}

/** The leader's key may be on another lease than the claimant's: then it is no longer its own. */
function isOnOtherLease(claim: Pick<Claim, 'lease'>, term: Term): boolean {
  return claim.lease !== null && term.leader.lease !== claim.lease
}

function isLate(state: ElectionState, said: Said): boolean {
  const standing = standingOf(state, said)
  if (standing?.at === 'open') return isOnOtherLease(said, standing.term)
  return standing?.at === 'ended' && elapsedMs(standing.shown, said.reportedAt) > LATE_GRACE_MS
}

export function sameToken(a: FencingToken | null, b: FencingToken | null): boolean {
  return a !== null && b !== null && compareTokens(a, b) === 0
}

function claimOf(state: ElectionState, said: Said, was: Claim | undefined): Claim {
  if (said.token === null || said.validUntil === null) return { ...said, since: null, lateSince: null }
  const goesOn = was !== undefined && sameToken(was.token, said.token)
  const since = (goesOn ? was.since : null) ?? said.reportedAt
  const lateSince = isLate(state, said) ? ((goesOn ? was.lateSince : null) ?? said.reportedAt) : null
  return { ...said, since, lateSince }
}

/** Applies what was heard. An older report never replaces a newer one of the same instance. */
export function hear(state: ElectionState, { put = [], again = [], gone = [] }: ClaimsChange): ElectionState {
  const claims = new Map(state.claims.map((claim) => [claim.instance, claim]))
  const take = (said: Said) => {
    const was = claims.get(said.instance)
    if (was === undefined || was.reportedAt <= said.reportedAt) claims.set(said.instance, claimOf(state, said, was))
  }
  for (const said of put) take(said)
  for (const heard of again) {
    const was = claims.get(heard.instance)
    if (was !== undefined) take({ ...was, ...heard })
  }
  for (const instance of gone) claims.delete(instance)
  return takenOver({ ...state, claims: [...claims.values()] })
}

/** The new leader's first report of its term is its first act, unless it proclaimed before. */
export function takenOver(state: ElectionState): ElectionState {
  const { term } = state
  if (term === null || term.takeoverMs !== null || term.fromAtLeast) return state
  const leads = state.claims.find(
    (claim) => claim.state === 'leading' && claim.token !== null && isOf(term, claim.token, claim.lease),
  )
  if (leads === undefined) return state
  // It may have come before etcd's own word.
  return { ...state, term: { ...term, takeoverMs: Math.max(0, elapsedMs(term.from, leads.reportedAt)) } }
}

function contradictionOf(state: ElectionState, claim: Claim, context: Context): Contradicting | null {
  const { claiming, now, seenSince } = context
  const since = claim.since ?? claim.reportedAt
  const twin = claiming.find((other) => other !== claim && sameToken(other.token, claim.token))
  if (twin !== undefined) return { claim, reason: 'same-token', since: later(since, twin.since ?? twin.reportedAt) }
  const standing = standingOf(state, claim)
  if (claim.lateSince !== null && elapsedMs(claim.lateSince, now) >= LATE_HOLD_MS) {
    const ended = standing?.at === 'ended'
    return {
      claim,
      reason: ended ? 'term-ended' : 'other-lease',
      since: ended ? later(since, standing.shown) : claim.lateSince,
    }
  }
  if (standing?.at !== 'unseen' || elapsedMs(later(since, seenSince), now) < UNSEEN_GRACE_MS) return null
  return { claim, reason: 'never-led', since }
}

interface Context {
  claiming: readonly Claim[]
  now: Instant
  /** Since when nothing was missed of what etcd did. */
  seenSince: Instant
}

/** `gaps` are the cluster's: what it did in them is known only from their end on. */
export function dualClaimOf(state: ElectionState, gaps: readonly Gap[], now: Instant): DualClaim | null {
  if (state.claims.length === 0) return null
  const claiming = state.claims.filter((claim) => isClaiming(claim, now))
  if (claiming.length === 0) return null
  const context: Context = { claiming, now, seenSince: gaps.at(-1)?.to ?? '' }
  const claimants = claiming.flatMap((claim) => contradictionOf(state, claim, context) ?? [])
  if (claimants.length === 0) return null
  const [since = now] = claimants.map((each) => each.since).sort()
  return { since, claimants: claimants.sort(byToken) }
}

const ZERO_TOKEN = { epoch: 0, revision: '0' } as FencingToken
const byToken = (a: Contradicting, b: Contradicting) =>
  compareTokens(b.claim.token ?? ZERO_TOKEN, a.claim.token ?? ZERO_TOKEN) ||
  (a.claim.instance < b.claim.instance ? -1 : 1)

/** When time alone may change what `dualClaimOf` says, in ms since 1970; Infinity when it cannot. */
export function claimsHoldUntilMs({ claims }: ElectionState, gaps: readonly Gap[], nowMs: number): number {
  const seenMs = msOf(gaps.at(-1)?.to ?? instant(0))
  const turns = claims.flatMap(({ since, validUntil, lateSince }) => [
    validUntil === null ? 0 : msOf(validUntil),
    lateSince === null ? 0 : msOf(lateSince) + LATE_HOLD_MS,
    since === null ? 0 : Math.max(seenMs, msOf(since)) + UNSEEN_GRACE_MS,
  ])
  return Math.min(Number.POSITIVE_INFINITY, ...turns.filter((ms) => ms > nowMs))
}
