/** Where terms begin and end, and what is known of why. */
import { elapsedMs, type Instant, instant, msOf } from '../shared/clock.ts'
import type { Fact } from './changes.ts'
import type { Anatomy, Candidate, Cause, ElectionState, EndedBy, Leader, Revision, Term } from './types.ts'

const HOUR_MS = 3_600_000
/** Look-ups tell whole seconds, rounded down: the last renewal was so much later at the most. */
const LOOKED_UP_WITHIN_MS = 1_000
/** How much of the past a state holds; the rest is in history. */
export const KEEP = { terms: 256, gaps: 32, failovers: 256 } as const

interface Moment {
  at: Instant
  revision: Revision
  exact: boolean
  seen?: boolean
  opening?: boolean
  rolledBack?: { from: Revision; to: Revision }
  /** The oldest key now, when a stop holds it. */
  held?: Candidate | null
}

const PENDING: EndedBy = { cause: 'unobserved', evidence: 'key gone; its lease has not been looked up yet' }
const UNSEEN: EndedBy = { cause: 'unobserved', evidence: 'it changed while Tenure could not see' }
/** Causes that nobody planned: each counts as a failover. */
export function isUnplanned(cause: Cause): boolean {
  return cause === 'lease lost' || cause === 'expired' || cause === 'store rolled back'
}

/** Counts against the election: nobody planned it, and nobody had stopped it. */
export function isFailover(endedBy: EndedBy | null): boolean {
  return endedBy !== null && isUnplanned(endedBy.cause) && !endedBy.duringStop
}

/** The cause is still being established. */
export function isPending(endedBy: EndedBy | null): boolean {
  return endedBy === PENDING || endedBy?.evidence === PENDING.evidence
}

/** Of a term that an earlier run left pending, unless its lease is looked up after all. */
export const NEVER_LOOKED_UP: EndedBy = {
  cause: 'unobserved',
  evidence: 'key gone; Tenure was stopped before it had looked its lease up',
}

function leaderFrom(candidate: Candidate): Leader {
  const { identity, key, keyBase64, lease } = candidate
  return { identity, key, keyBase64, lease }
}

/** How long its leader had been silent at the end, and what a refill by etcd had to do with it. */
function silence(candidate: Candidate | undefined, term: Term, at: Instant): Pick<Term, 'silentMs' | 'refillMs'> {
  if (!candidate?.ttl) return { silentMs: null }
  const { remainingMs, grantedMs, asOf, renewedAt, refilledAt } = candidate.ttl
  const renewedMs = renewedAt === undefined ? msOf(asOf) + remainingMs - grantedMs : msOf(renewedAt)
  // While it waited its silence kept nobody from leading: it counts from when it led.
  const ledMs = term.fromAtLeast ? Number.POSITIVE_INFINITY : elapsedMs(term.from, at)
  const silentMs = Math.max(0, Math.min(ledMs, msOf(at) - renewedMs))
  // Without the refill the lease would have run out its TTL after the renewal.
  return { silentMs, refillMs: refilledAt === undefined ? 0 : Math.max(0, silentMs - grantedMs) }
}

function whyEnded({ exact, seen, rolledBack, held }: Moment, { token }: Term): EndedBy {
  if (rolledBack)
    return { cause: 'store rolled back', evidence: `store rolled back ${rolledBack.from}→${rolledBack.to}` }
  // The same key: put again without its lease. Another one was created when this one had gone already.
  if (held?.held && held.createRevision === token) {
    const evidence = `its key was put again without a lease at revision ${held.modRevision}, by an enforced stop`
    return { cause: 'kill switch', ...(held.held.by === '' ? {} : { by: held.held.by }), evidence }
  }
  return exact || seen ? PENDING : UNSEEN
}

export function endTerm(state: ElectionState, before: ElectionState, moment: Moment, facts: Fact[]): ElectionState {
  const open = state.term
  if (open === null) return state
  const endedBy = whyEnded(moment, open)
  const last = before.candidates.find((candidate) => candidate.keyBase64 === open.leader.keyBase64)
  const term: Term = { ...open, to: moment.at, ...silence(last, open, moment.at), endedBy }
  facts.push({ at: moment.at, revision: moment.revision, type: 'term-ended', term })
  return {
    ...state,
    term: null,
    ended: [...state.ended, term],
    leaderlessSince: moment.at,
    failovers: isFailover(endedBy) ? [...state.failovers, moment.at] : state.failovers,
  }
}

/** How much less a detect may be that comes from look-ups. */
export const detectErrorMs = (detectMs: number) => Math.min(LOOKED_UP_WITHIN_MS, detectMs)

/** How the change that began `term` went, seen from the term before it. */
export function anatomyOf(term: Term, previous: Term): Anatomy {
  const rest = { vacancyMs: term.gapMs, takeoverMs: term.takeoverMs }
  const { silentMs, refillMs } = previous
  if (!isFailover(previous.endedBy) || silentMs === null) return { detectMs: null, ...rest }
  const detectMs = silentMs - (refillMs ?? 0)
  return { detectMs, detectErrorMs: detectErrorMs(detectMs), ...(refillMs === undefined ? {} : { refillMs }), ...rest }
}

/** Opens the head's term, or carries its newest identity and lease into the open one. */
export function startTerm(
  state: ElectionState,
  head: Candidate,
  moment: Moment,
  facts: Fact[],
  continues: boolean,
): ElectionState {
  if (continues && state.term !== null) return { ...state, term: continued(state.term, head, moment) }
  const previous = state.ended.at(-1)
  if (previous?.token === head.createRevision && previous.epoch === state.epoch) {
    return takenBack(state, previous, { head, moment, facts })
  }
  const term: Term = {
    ordinal: state.lastOrdinal + 1,
    epoch: state.epoch,
    token: head.createRevision,
    leader: leaderFrom(head),
    from: moment.at,
    fromAtLeast: !moment.exact || (moment.opening === true && head.createRevision !== moment.revision),
    to: null,
    gapMs: previous?.to && moment.exact ? elapsedMs(previous.to, moment.at) : null,
    takeoverMs: null,
    silentMs: null,
    endedBy: null,
  }
  facts.push({ at: moment.at, revision: moment.revision, type: 'term-started', term })
  return { ...state, term, lastOrdinal: term.ordinal, leaderlessSince: null }
}

/** The former leader put its held key again, on its lease: the same token, so the same term goes on. */
function takenBack(
  state: ElectionState,
  previous: Term,
  { head, moment, facts }: { head: Candidate; moment: Moment; facts: Fact[] },
): ElectionState {
  const { refillMs: _, ...open } = previous
  const term: Term = { ...open, leader: leaderFrom(head), to: null, silentMs: null, endedBy: null }
  facts.push({ at: moment.at, revision: moment.revision, type: 'term-started', term })
  return { ...state, ended: state.ended.slice(0, -1), term, leaderlessSince: null }
}

function continued(term: Term, head: Candidate, moment: Moment): Term {
  const proclaimed = moment.exact && head.modRevision === moment.revision && head.createRevision !== moment.revision
  const takeoverMs = term.takeoverMs ?? (proclaimed && !term.fromAtLeast ? elapsedMs(term.from, moment.at) : null)
  return { ...term, leader: leaderFrom(head), takeoverMs }
}

/** Sets the cause of an ended term, once it is known. A cause that is known is never replaced. */
export function explainTerm(
  state: ElectionState,
  token: Revision,
  endedBy: EndedBy,
): { state: ElectionState; facts: Fact[] } {
  const at = state.ended.findIndex((term) => term.token === token && isPending(term.endedBy))
  const found = state.ended[at]
  if (!found?.to) return { state, facts: [] }
  const term: Term = { ...found, endedBy }
  const failovers = isFailover(endedBy) ? [...state.failovers, found.to].sort() : state.failovers
  return {
    state: { ...state, ended: state.ended.with(at, term), failovers },
    facts: [{ at: found.to, revision: state.revision, type: 'term-explained', term }],
  }
}

/** Drops what is older than the windows that views show. */
export function keepRecent(state: ElectionState, at: Instant): ElectionState {
  const hourAgo = instant(msOf(at) - HOUR_MS)
  const dayAgo = instant(msOf(at) - 24 * HOUR_MS)
  const ended = state.ended.filter((term, index) => index === state.ended.length - 1 || (term.to ?? at) >= hourAgo)
  return {
    ...state,
    ended: ended.slice(-KEEP.terms),
    gaps: state.gaps.filter((gap) => gap.to >= hourAgo).slice(-KEEP.gaps),
    failovers: state.failovers.filter((moment) => moment >= dayAgo).slice(-KEEP.failovers),
  }
}
