/** From what somebody saw to what will be written: any difference to what is now refuses it, and nothing was written. */
import type { HandoffMethod, SeenLeader } from '../../../lib/election/actions.ts'
import { whyNot } from '../../../lib/election/policy.ts'
import type { ElectionState, LeaseId, Revision } from '../../../lib/election/types.ts'
import { type Instant, instant } from '../../../lib/shared/clock.ts'
import { groupDigits } from '../../../lib/shared/decimal.ts'
import type { Caller } from '../caller.ts'
import type { Reach } from '../reach.ts'
import { Refused } from '../refused.ts'
import { coolDownOf } from './cool-down.ts'
import { onLease, sameKeys } from './lease.ts'
import { methodsOf } from './offers.ts'
import { type HandoffParts, nobodyLeads, readOrRefuse, termOf } from './preflight.ts'
import { type Place, type Seats, seatsOf, seenOf, targetsOf } from './seat.ts'
import { handoffSituation, hasStandby } from './situation.ts'
import type { Ticket } from './tickets.ts'

export interface HandoffInput {
  cluster: string
  ref: string
  token: string
  method: HandoffMethod
  target?: { createRevision: Revision; lease: LeaseId } | undefined
  reason: string
  operation: string
  acknowledgedOperation?: string | undefined
  overridesNoStandby?: boolean | undefined
  deadlineMs: number
}

/** Stored with the intent: enough to act by, and to find out after a restart what came of it. */
export type HandoffPlan = {
  method: HandoffMethod
  leader: { [Field in keyof SeenLeader]: SeenLeader[Field] }
  epoch: number
  /** Of the linearizable read it stands on. */
  readAt: Revision
  ttlMs: number | null
  /** Before this the leader's lease cannot end by itself; keep-alives only put it off. null: not known, or no lease. */
  lastsUntil: Instant | null
  /** base64 of everything on the leader's lease. */
  leaseKeys: readonly string[] | null
  /** The leader uses the candidate library. */
  isLibrary: boolean
  target: { identity: string; keyBase64: string; createRevision: Revision; lease: LeaseId } | null
  /** Of `ask`: when the request ends. */
  deadline: Instant
  deadlineMs: number
}

export async function planOf(
  parts: HandoffParts,
  caller: Caller,
  input: HandoffInput,
  { reach, state }: { reach: Reach; state: ElectionState },
): Promise<HandoffPlan> {
  const { cluster, ref, method } = input
  const action = method === 'remove-key' ? 'remove-key' : 'handoff'
  const ticket = parts.tickets.find(input.token, caller, { cluster, ref, action })
  const now = await readOrRefuse(reach, state, parts.signal)
  const seats = seatsOf(ref, now, reach.metaPrefix)
  const { leader } = seats
  if (leader === null) throw nobodyLeads(reach.view.nameOf(state), now)
  requireSame(ticket, leader)
  parts.tickets.use(ticket)
  const standby = {
    hasStandby: hasStandby(state, seats, now),
    overridesNoStandby: input.overridesNoStandby === true,
  }
  // In flight is this operation itself: `perform` has asked before.
  const refusal = whyNot(caller.role, 'handoff', {
    ...handoffSituation(parts, reach, state, standby),
    actionInFlight: false,
  })
  if (refusal !== null) throw new Refused(refusal)
  requireAcknowledged(parts, input)
  const askedMs = parts.clock.nowMs()
  const lease = leader.lease === null ? null : await onLease(reach, leader.lease, parts.signal)
  const leaseKeys = lease?.keys ?? null
  const ttl = lease === null || lease.ttl === 'gone' ? null : lease.ttl
  if (method === 'revoke-session') requireSameKeys(ticket.leaseKeys, leaseKeys)
  const offer = methodsOf({ seats, request: now.request, leaseKeys }).find((each) => each.method === method)
  if (!offer?.offered) {
    const fix = 'Look at the election again: the dialog says which methods are offered.'
    throw new Refused({ code: 'method-not-offered', why: offer?.why ?? `There is no method ${method}.`, fix })
  }
  return {
    method,
    leader: seenOf(leader),
    epoch: termOf(state, leader, reach).epoch,
    readAt: now.header.revision,
    ttlMs: ttl?.grantedMs ?? null,
    lastsUntil: ttl === null ? null : instant(askedMs + ttl.remainingMs),
    leaseKeys,
    isLibrary: leader.says !== null,
    target: targetOf(input, seats),
    deadline: instant(parts.clock.nowMs() + input.deadlineMs),
    deadlineMs: input.deadlineMs,
  }
}

const rev = ({ createRevision }: { createRevision: Revision }) => `rev ${groupDigits(createRevision)}`
const named = (leader: SeenLeader) => `${leader.identity || leader.key} (${rev(leader)})`

const LOOK_AGAIN = 'Look at the election again, and decide anew. Nothing was sent.'

/** Throws `Refused` unless the key and lease that were seen lead; for removing the key, unless it is unchanged. */
function requireSame({ leader: seen, action }: Ticket, is: Place): void {
  const changed = (why: string, expected: string, now: string) =>
    new Refused({ code: 'changed', why, fix: LOOK_AGAIN, expected, is: now })
  if (is.keyBase64 !== seen.keyBase64 || is.createRevision !== seen.createRevision) {
    const again = is.identity === seen.identity ? ', who leads a new term' : ''
    throw changed(`The leader changed to ${named(is)}${again}.`, named(seen), named(is))
  }
  if (is.lease !== seen.lease) {
    const why = `The key of ${seen.identity} is on another lease now.`
    throw changed(why, `lease ${seen.lease ?? 'none'}`, `lease ${is.lease ?? 'none'}`)
  }
  if (action === 'remove-key' && is.modRevision !== seen.modRevision) {
    const why = `${seen.identity} wrote its key again since you saw it.`
    throw changed(why, `mod revision ${seen.modRevision}`, `mod revision ${is.modRevision}`)
  }
}

function requireSameKeys(seen: readonly string[] | null, are: readonly string[] | null): void {
  if (seen !== null && are !== null && sameKeys(seen, are)) return
  const told = (keys: readonly string[] | null) => (keys === null ? 'not known' : `${keys.length} keys`)
  const why = 'What hangs on the lease is not what you saw: other keys would go with it.'
  throw new Refused({ code: 'changed', why, fix: LOOK_AGAIN, expected: told(seen), is: told(are) })
}

function requireAcknowledged({ operations, clock }: HandoffParts, input: HandoffInput): void {
  const others = operations.of(input.cluster, input.ref).filter(({ id }) => id !== input.operation)
  const coolDown = coolDownOf(others, clock.nowMs())
  if (coolDown === null || coolDown.operation === input.acknowledgedOperation) return
  throw new Refused({
    code: 'cool-down',
    why: `${coolDown.words}. A second one within two minutes is most often a mistake.`,
    fix: `Look at what came of the first, and acknowledge it: acknowledgedOperation ${coolDown.operation}.`,
    expected: coolDown.operation,
    is: input.acknowledgedOperation ?? 'none',
  })
}

function targetOf({ method, target }: HandoffInput, seats: Seats): HandoffPlan['target'] {
  if (target === undefined) return null
  const refuse = (why: string) => new Refused({ code: 'target-not-offered', why, fix: LOOK_AGAIN })
  if (method !== 'ask') throw refuse('Only a leader that is asked can wait for who leads next.')
  const found = targetsOf(seats).find(({ createRevision }) => createRevision === target.createRevision)
  if (found === undefined || found.lease !== target.lease) throw refuse('Who should lead next does not wait any more.')
  if (!found.offered) throw refuse(found.why)
  return { identity: found.identity, keyBase64: found.keyBase64, ...target }
}
