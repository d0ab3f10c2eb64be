/** What is looked at before leadership is handed off. Nothing is written. */
import {
  HANDOFF_DEADLINE_MS,
  type HandoffAction,
  type HandoffPreflight,
  type HandoffTarget,
} from '../../../lib/election/actions.ts'
import { whyNot } from '../../../lib/election/policy.ts'
import { EtcdError } from '../../../lib/election/ports.ts'
import type { ElectionState } from '../../../lib/election/types.ts'
import { instant } from '../../../lib/shared/clock.ts'
import type { Caller } from '../caller.ts'
import { electionOf } from '../find.ts'
import type { ActionParts } from '../parts.ts'
import { recordingRefusals } from '../perform.ts'
import type { Reach } from '../reach.ts'
import { type ElectionNow, readElection } from '../read-election.ts'
import { Refused } from '../refused.ts'
import { checksOf } from './checks.ts'
import { coolDownOf } from './cool-down.ts'
import { type OnLease, onLease, othersOn } from './lease.ts'
import { defaultOf, methodsOf } from './offers.ts'
import { type Place, type Seats, seatsOf, seenOf, targetsOf } from './seat.ts'
import { handoffSituation, hasStandby, waitingOf } from './situation.ts'
import { TICKET_MS, type Tickets } from './tickets.ts'

export interface PreflightInput {
  cluster: string
  ref: string
  action: HandoffAction
}

export interface HandoffParts extends ActionParts {
  tickets: Tickets
}

/** Throws `Refused` when there is nobody to take leadership from, or etcd does not answer. */
export async function preflight(parts: HandoffParts, caller: Caller, input: PreflightInput): Promise<HandoffPreflight> {
  const { reach, state } = electionOf(parts, input.cluster, input.ref)
  const { cluster, ref, action } = input
  const subject = { cluster, ref, name: reach.view.nameOf(state) }
  const attempt = { verb: 'handoff' as const, operation: '', subject, reason: '', asked: { preflight: action } }
  return recordingRefusals(parts, caller, attempt, () => look(parts, caller, input, { reach, state }))
}

async function look(
  parts: HandoffParts,
  caller: Caller,
  input: PreflightInput,
  { reach, state }: { reach: Reach; state: ElectionState },
): Promise<HandoffPreflight> {
  const now = await readOrRefuse(reach, state, parts.signal)
  const seats = seatsOf(state.ref, now, reach.metaPrefix)
  const { leader } = seats
  if (leader === null) throw nobodyLeads(reach.view.nameOf(state), now)
  const [lease, next] = await Promise.all([leaseOf(parts, reach, leader), leaseOf(parts, reach, nextOf(seats))])
  return told(parts, caller, { input, reach, state, now, seats, leader, lease, next })
}

interface Read {
  input: PreflightInput
  reach: Reach
  state: ElectionState
  now: ElectionNow
  seats: Seats
  leader: Place
  lease: OnLease
  next: OnLease
}

function told(parts: HandoffParts, caller: Caller, read: Read): HandoffPreflight {
  const { input, reach, state, now, seats, leader, lease, next } = read
  const standby = hasStandby(state, seats, now)
  const situation = handoffSituation(parts, reach, state, { hasStandby: standby })
  const refusal = whyNot(caller.role, 'handoff', situation)
  const { keys, error: leaseKeysError, ttl } = lease
  const facts = { seats, request: now.request, leaseKeys: keys, ...(leaseKeysError ? { leaseKeysError } : {}) }
  const methods = methodsOf(facts)
  const seen = { ...input, leader: seenOf(leader), leaseKeys: keys, hasStandby: standby }
  const nowMs = parts.clock.nowMs()
  const alive = ttl === 'gone' ? null : ttl
  return {
    token: parts.tickets.issue(caller, seen),
    validMs: TICKET_MS,
    serverTime: instant(nowMs),
    ...input,
    name: reach.view.nameOf(state),
    leader: seenOf(leader),
    term: termOf(state, leader, reach),
    readAt: now.header.revision,
    ttl: alive,
    checks: checksOf({
      cluster: reach.view.info,
      readAt: now.header.revision,
      layout: state.layout,
      nextUp: nextOf(seats),
      waiting: waitingOf(now),
      nextTtl: next.ttl,
      inFlight: situation.actionInFlight !== false,
      role: caller.role,
      refusal,
    }),
    refusal,
    methods,
    defaultMethod: defaultOf(methods),
    targets: state.layout === 'queue' ? targetsOf(seats) : [],
    leaseKeys: keys === null || leader.lease === null ? null : othersOn(keys, leader.keyBase64, reach, leader.lease),
    ...(leaseKeysError === undefined ? {} : { leaseKeysError }),
    overlapMs: alive === null ? null : Math.round(alive.grantedMs / 3),
    deadlineMs: HANDOFF_DEADLINE_MS,
    coolDown: coolDownOf(parts.operations.of(input.cluster, input.ref), nowMs),
  }
}

/** Rejects with `Refused`, in etcd's own words, where it does not answer or this account may not read. */
export async function readOrRefuse(reach: Reach, { ref }: ElectionState, signal: AbortSignal): Promise<ElectionNow> {
  try {
    return await readElection(reach, ref, signal)
  } catch (error) {
    if (!(error instanceof EtcdError)) throw error
    const why = `etcd could not be asked, so nothing was sent: ${error.message}.`
    throw new Refused({ code: 'etcd', why, fix: 'Try again, or act with etcdctl.' })
  }
}

export function nobodyLeads(name: string, { header }: ElectionNow): Refused {
  const why = `Nobody leads ${name} at revision ${header.revision}.`
  return new Refused({ code: 'changed', why, fix: 'There is nothing to hand off.', expected: 'a leader', is: 'nobody' })
}

export function nextOf({ waiters: [next] }: Seats): Place | null {
  return next === undefined || next.isNested ? null : next
}

export type Target = Pick<HandoffTarget, 'createRevision' | 'lease'>

/** Candidates compare with the epoch that they read in etcd: theirs goes into a request. */
export function termOf(
  state: ElectionState,
  { says, createRevision }: Place,
  { view }: Reach,
): HandoffPreflight['term'] {
  const own = says?.token?.revision === createRevision ? says.token.epoch : null
  const ordinal = state.term?.token === createRevision ? state.term.ordinal : null
  return { ordinal, epoch: own ?? view.info.epoch, token: createRevision }
}

async function leaseOf({ signal }: ActionParts, reach: Reach, place: Place | null): Promise<OnLease> {
  return place?.lease ? onLease(reach, place.lease, signal) : { ttl: null, keys: null, error: 'its key has no lease' }
}
