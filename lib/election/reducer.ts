/**
 * Turns what etcd did under one prefix into candidates, a leader and terms. Pure, and the same on the
 * server and in the browser: who leads is never stored, it is the oldest key that is there
 * (etcd client/v3/concurrency/election.go, `WithFirstCreate`).
 */
import { latin1FromBase64 } from '../shared/bytes.ts'
import type { Instant } from '../shared/clock.ts'
import type { ElectionChange, Fact, KeyPut } from './changes.ts'
import { hear, takenOver } from './claims.ts'
import { isNewer, refOf } from './ids.ts'
import { competitors, findIn, headOf, heldHeadOf, leaderOf, withCandidates, withoutCandidates } from './queue.ts'
import { endTerm, explainTerm, keepRecent, startTerm } from './terms.ts'
import type { Candidate, ElectionState, Gap, LeaseId, LeaseSample, Revision } from './types.ts'

export interface Reduced {
  state: ElectionState
  facts: readonly Fact[]
}

type Opened = Extract<ElectionChange, { type: 'opened' }>
type RevisionChange = Extract<ElectionChange, { type: 'revision' }>
type RolledBack = Extract<ElectionChange, { type: 'rolled-back' }>
type Relisted = Extract<ElectionChange, { type: 'relisted' }>

const NEVER = '0' as Revision

function candidateOf(put: KeyPut, at: Instant, sinceAtLeast: boolean, was?: Candidate): Candidate {
  const same = was !== undefined && was.createRevision === put.createRevision
  return {
    ...put,
    since: same ? was.since : at,
    sinceAtLeast: same ? was.sinceAtLeast : sinceAtLeast,
    ttl: same && was.lease === put.lease ? was.ttl : null,
    ...(same && was.lease === put.lease && was.ttlDenied ? { ttlDenied: true } : {}),
  }
}

/** The first state of an election. Nothing is assumed of the time before `opened.at` but what the seed says. */
export function openElection(opened: Opened): Reduced {
  const seed = opened.seed
  const empty: ElectionState = {
    ref: refOf(opened.layout, latin1FromBase64(opened.prefixBase64)),
    layout: opened.layout,
    prefix: opened.prefix,
    prefixBase64: opened.prefixBase64,
    confirmed: opened.confirmed,
    foundBy: opened.foundBy,
    epoch: opened.epoch,
    revision: NEVER,
    candidates: [],
    term: seed?.openTerm ?? null,
    ended: seed?.ended ?? [],
    gaps: seed?.gaps ?? [],
    failovers: seed?.failovers ?? [],
    leaderlessSince: seed?.openTerm ? null : (seed?.ended.at(-1)?.to ?? opened.at),
    lastOrdinal: seed?.lastOrdinal ?? 0,
    // An election stays one while nobody queues, also for whoever was not there when somebody did.
    valuesEmpty: [...(seed?.ended ?? []), seed?.openTerm].every((term) => !term || term.leader.identity === ''),
    claims: [],
  }
  const { at, revision, live, keys, epoch, rolledBackFrom } = opened
  const { state, facts } = rolledBackFrom
    ? applyRollback(empty, { type: 'rolled-back', at, epoch, from: rolledBackFrom, revision, keys })
    : settle(empty, {
        at,
        revision,
        exact: live,
        opening: true,
        puts: keys,
        removed: [],
        ...(opened.unseen ? { gap: opened.unseen } : {}),
      })
  // Candidates that were there before the first look did not join now.
  return { state, facts: live ? facts : facts.filter((fact) => fact.type !== 'candidate-joined') }
}

/** Applies one change. Revisions that are not newer than the state's are ignored. */
export function reduceElection(state: ElectionState, change: ElectionChange): Reduced {
  switch (change.type) {
    case 'opened':
      return openElection(change)
    case 'revision':
      return isNewer(change.revision, state.revision) ? applyRevision(state, change) : unchanged(state)
    case 'relisted':
      return isNewer(state.revision, change.revision) ? unchanged(state) : applyRelist(state, change)
    case 'rolled-back':
      return applyRollback(state, change)
    case 'lease':
      return unchanged(sampled(state, change.lease, change.sample))
    case 'lease-denied':
      return unchanged(mapLease(state, change.lease, (candidate) => ({ ...candidate, ttl: null, ttlDenied: true })))
    case 'cause':
      return explainTerm(state, change.token, change.endedBy)
    case 'confirmed':
      return unchanged({ ...state, confirmed: true, foundBy: change.foundBy })
    case 'claims':
      return unchanged(hear(state, change))
  }
}

const unchanged = (state: ElectionState): Reduced => ({ state, facts: [] })

function mapLease(state: ElectionState, lease: LeaseId, edit: (candidate: Candidate) => Candidate): ElectionState {
  if (!state.candidates.some((candidate) => candidate.lease === lease)) return state
  return {
    ...state,
    candidates: state.candidates.map((candidate) => (candidate.lease === lease ? edit(candidate) : candidate)),
  }
}

function sampled(state: ElectionState, lease: LeaseId, ttl: LeaseSample): ElectionState {
  return mapLease(state, lease, ({ ttlDenied: _, ...candidate }) =>
    candidate.ttl !== null && candidate.ttl.asOf >= ttl.asOf ? candidate : { ...candidate, ttl },
  )
}

function applyRevision(state: ElectionState, change: RevisionChange): Reduced {
  const removed = state.candidates.filter((candidate) => change.deletes.includes(candidate.keyBase64))
  return settle(state, {
    at: change.at,
    revision: change.revision,
    exact: !change.late,
    seen: true,
    puts: change.puts,
    removed,
  })
}

function applyRelist(state: ElectionState, change: Relisted): Reduced {
  const there = new Set(change.keys.map((put) => put.keyBase64))
  const removed = state.candidates.filter((candidate) => !there.has(candidate.keyBase64))
  return settle(state, {
    at: change.at,
    revision: change.revision,
    exact: false,
    puts: change.keys,
    removed,
    gap: change.gap,
  })
}

function applyRollback(state: ElectionState, change: RolledBack): Reduced {
  const ended = settle(state, {
    at: change.at,
    revision: change.revision,
    exact: true,
    puts: [],
    removed: state.candidates,
    rolledBack: { from: change.from, to: change.revision },
  })
  const fresh = { ...ended.state, epoch: change.epoch, leaderlessSince: change.at }
  const begun = settle(fresh, {
    at: change.at,
    revision: change.revision,
    exact: false,
    puts: change.keys,
    removed: [],
  })
  return { state: begun.state, facts: [...ended.facts, ...begun.facts] }
}

interface Step {
  at: Instant
  revision: Revision
  /** The moment is that of the change; otherwise it only was before. */
  exact: boolean
  puts: readonly KeyPut[]
  removed: readonly Candidate[]
  gap?: Gap
  /** The election is seen for the first time: its keys may be older. */
  opening?: boolean
  /** The change itself was seen, if late; without it only its outcome was. */
  seen?: boolean
  rolledBack?: { from: Revision; to: Revision }
}

/** Applies keys, then lets the oldest key decide who leads. */
function settle(before: ElectionState, step: Step): Reduced {
  const facts: Fact[] = []
  for (const gone of step.removed) {
    if (!gone.nested && !gone.held) facts.push({ ...mark(step), type: 'candidate-left', ...who(gone) })
  }
  const finder = findIn(before.candidates, step.puts.length)
  const added = step.puts.map((put) => {
    const was = finder(put.keyBase64)
    // A key older than the revision that brought it here was there before.
    const since = !step.exact || put.createRevision !== step.revision
    const candidate = candidateOf(put, step.at, since, was)
    facts.push(...putFacts(step, candidate, was))
    return candidate
  })
  const candidates = withCandidates(withoutCandidates(before.candidates, step.removed), added)
  const state: ElectionState = {
    ...before,
    candidates,
    revision: step.revision,
    valuesEmpty: before.valuesEmpty && competitors(candidates).every(({ valueBytes }) => valueBytes === 0),
  }
  return decide(before, state, step, facts)
}

const mark = (step: Step) => ({ at: step.at, revision: step.revision })
const who = (candidate: Candidate) => ({
  identity: candidate.identity,
  keyBase64: candidate.keyBase64,
  lease: candidate.lease,
})

function putFacts(step: Step, candidate: Candidate, was: Candidate | undefined): Fact[] {
  if (candidate.nested) return []
  if (candidate.held)
    return was === undefined || was.held ? [] : [{ ...mark(step), type: 'candidate-left', ...who(was) }]
  if (was === undefined || was.held) return [{ ...mark(step), type: 'candidate-joined', ...who(candidate) }]
  if (was.createRevision !== candidate.createRevision) {
    return [
      { ...mark(step), type: 'candidate-left', ...who(was) },
      { ...mark(step), type: 'candidate-joined', ...who(candidate) },
    ]
  }
  const facts: Fact[] = []
  if (was.modRevision === candidate.modRevision) return facts
  facts.push({ ...mark(step), type: 'proclaimed', identity: candidate.identity, was: was.identity })
  if (was.lease !== candidate.lease) {
    facts.push({
      ...mark(step),
      type: 'lease-changed',
      identity: candidate.identity,
      was: was.lease,
      lease: candidate.lease,
    })
  }
  return facts
}

function decide(before: ElectionState, state: ElectionState, step: Step, facts: Fact[]): Reduced {
  const head = leaderOf(state.candidates)
  // (epoch, token): another store may hand out the same revision.
  const sameTerm = head !== null && state.term?.token === head.createRevision && state.term.epoch === state.epoch
  let next = state
  const held = heldHeadOf(state.candidates)
  if (!sameTerm && state.term !== null) next = endTerm(next, before, { ...step, held }, facts)
  if (head !== null) next = startTerm(next, head, step, facts, sameTerm)
  const blocker = headOf(state.candidates)
  if (head === null && blocker?.nested && headOf(before.candidates)?.keyBase64 !== blocker.keyBase64) {
    facts.push({ ...mark(step), type: 'blocked', key: blocker.key })
  }
  if (step.gap !== undefined) {
    const changed = state.term !== null && !sameTerm
    next = { ...next, gaps: [...next.gaps, step.gap] }
    facts.push({ ...mark(step), type: 'gap', gap: step.gap, changed })
  }
  return { state: takenOver(keepRecent(next, step.at)), facts }
}
