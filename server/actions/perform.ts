/**
 * The one way to act: authorize, check the state, store the intent, write under conditions, verify by a
 * linearizable read, store the outcome. What is refused on the way is stored as well, and nothing was written.
 */
import type { Operation, Outcome } from '../../lib/election/actions.ts'
import { type Situation, type Verb, whyNot } from '../../lib/election/policy.ts'
import { sleep } from '../../lib/shared/abort.ts'
import { type AuditEntry, AuditUnavailable, type Json } from '../history/audit.ts'
import type { Caller } from './caller.ts'
import type { ActionParts } from './parts.ts'
import { Refused } from './refused.ts'
import { notRecorded, replay } from './replay.ts'
import { settle } from './settle.ts'
import { draftOf, operationOf, type Request, UNKNOWN, type Undertaking } from './undertaking.ts'

/** An answer is waited for this long; the rest is told by `actions.operation`. */
const ANSWER_WITHIN_MS = 2_500
const LONGEST_REASON = 500

/** Resolves with the operation as it stands when it is settled, or soon. Rejects with `Refused`. */
export async function perform<Plan extends Json>(
  parts: ActionParts,
  caller: Caller,
  what: Undertaking<Plan>,
): Promise<Operation> {
  const { operations } = parts
  const { operation: id } = what
  for (let other = operations.entering(id); other !== undefined; other = operations.entering(id)) await other
  // No await from here to `enter`: the same id that comes meanwhile must find it.
  const first = recordingRefusal(parts, caller, what, () => replay(parts, caller, what))
  if (first !== null) return first
  const { cluster, ref } = what.subject
  const leave = operations.enter(id)
  let plan: Plan
  try {
    plan = await recordingRefusals(parts, caller, what, async () => {
      authorize(caller, what.verb, what.situation())
      requireReason(what.reason)
      if (ref !== undefined) operations.occupy(what.operation, cluster, ref)
      return what.prepare()
    })
    operations.begin(operationOf(caller, what, parts.clock.nowMs()))
    intend(parts, caller, what, plan)
  } finally {
    leave()
  }
  const startedMs = parts.clock.monoMs()
  what.watched?.begins(plan)
  const settled = settle(parts, caller, what, { plan, startedMs, resumed: false })
  await Promise.race([settled, sleep(ANSWER_WITHIN_MS, parts.signal)])
  return operations.get(what.operation) ?? operationOf(caller, what, parts.clock.nowMs())
}

/** After a restart: finds out what came of an intent that has no final outcome, and never writes it again. */
export function resume<Plan extends Json>(parts: ActionParts, intent: AuditEntry, what: Undertaking<Plan>): void {
  const caller: Caller = { role: null, actor: intent.actor }
  parts.operations.begin({ ...operationOf(caller, what, intent.at), outcome: UNKNOWN })
  const plan = intent.seen as Plan
  what.watched?.begins(plan)
  void settle(parts, caller, what, { plan, startedMs: parts.clock.monoMs(), resumed: true })
}

/** Throws `Refused` when the policy says no. */
export function authorize(caller: Caller, verb: Verb, situation: Situation): void {
  const refusal = whyNot(caller.role, verb, situation)
  if (refusal !== null) throw new Refused(refusal)
}

/** Runs `check`; what it refuses is stored before it is told. A refusal that cannot be stored is refused all the same. */
export async function recordingRefusals<T>(
  parts: ActionParts,
  caller: Caller,
  what: Request,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    storeRefusal(parts, caller, what, error)
    throw error
  }
}

function recordingRefusal<T>(parts: ActionParts, caller: Caller, what: Request, check: () => T): T {
  try {
    return check()
  } catch (error) {
    storeRefusal(parts, caller, what, error)
    throw error
  }
}

function storeRefusal({ recorder }: ActionParts, caller: Caller, what: Request, error: unknown): void {
  if (!(error instanceof Refused)) return
  const { code, why, expected, is } = error.refusal
  const seen = { ...(expected === undefined ? {} : { expected }), ...(is === undefined ? {} : { is }) }
  recorder.refusal({ ...draftOf(caller, what), kind: 'refusal', seen, code, words: why })
  error.isStored = true
}

function requireReason(reason: string): void {
  if (reason.trim() === '') {
    throw new Refused({ code: 'reason-missing', why: 'No reason was given.', fix: 'Say why: the audit log keeps it.' })
  }
  if (reason.length > LONGEST_REASON) {
    const why = `The reason has ${reason.length} characters.`
    throw new Refused({ code: 'reason-missing', why, fix: `Say it in at most ${LONGEST_REASON}.` })
  }
}

const NOT_RECORDED: Outcome = { is: 'failed', words: 'It could not be recorded, so it was not done.', revision: null }

function intend<Plan extends Json>(parts: ActionParts, caller: Caller, what: Undertaking<Plan>, plan: Plan): void {
  const draft = { ...draftOf(caller, what), kind: 'intent' as const, seen: plan }
  try {
    parts.recorder.store(draft)
  } catch (error) {
    if (!(error instanceof AuditUnavailable)) throw error
    if (what.evenUnrecorded) {
      parts.recorder.keep(draft)
      const warning = `The audit log cannot be written (${error.message}). The record in etcd says who, why and when; the log is completed later.`
      parts.operations.warn(what.operation, warning)
      return
    }
    parts.operations.update(what.operation, { outcome: NOT_RECORDED })
    throw notRecorded(`The audit log cannot be written (${error.message}), so nothing was done.`)
  }
}
