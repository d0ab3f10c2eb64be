/** What one verb gives to `perform`, and how the audit log and pages are told of it. */
import type { Operation, Outcome } from '../../lib/election/actions.ts'
import type { Situation, Verb } from '../../lib/election/policy.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import type { AuditDraft, AuditSubject, Json } from '../history/audit.ts'
import type { Caller } from './caller.ts'

/** What a linearizable read says of an action whose answer is missing. null: etcd did not say. */
export type Verdict = Outcome | { is: 'unchanged'; revision: string } | null

/** What is asked for, as it is stored and told; never a secret. */
export interface Request {
  verb: Verb
  /** Made by the client. */
  operation: string
  /** With `ref`, no other operation on that election runs beside it. */
  subject: AuditSubject & { cluster: string }
  reason: string
  asked: Json
}

export interface Undertaking<Plan extends Json> extends Request {
  situation: () => Situation
  /** Reads what the write will be bound to. Throws `Refused`. The plan is stored with the intent: it must be enough to verify by. */
  prepare: () => Promise<Plan>
  /** The write. Its outcome, or an `EtcdError`: one that leaves the effect open is followed by `verify`. */
  act: (plan: Plan) => Promise<Outcome>
  verify: (plan: Plan) => Promise<Verdict>
  /** Before it is tried, and once when its outcome is final. */
  watched?: { begins: (plan: Plan) => void; ends: (outcome: Outcome) => void }
  /** Stopping is more urgent than its record: it goes on when the intent cannot be stored. */
  evenUnrecorded?: boolean
  /** It looks before it writes, so that a restart may go on with it where it was left. */
  isRepeatable?: boolean
  /** What the words begin with where it is certain that it was not done. */
  notDone?: string
}

export const UNKNOWN: Outcome = {
  is: 'unknown',
  words: 'No answer of etcd yet says whether it was done. Tenure keeps asking.',
  revision: null,
}

export function draftOf(
  { actor }: Caller,
  { operation, verb, subject, reason, asked }: Request,
): Omit<AuditDraft, 'kind' | 'seen'> {
  return { operation, verb, actor, subject, reason, asked }
}

export function operationOf(
  { actor }: Caller,
  { operation, verb, subject, reason }: Request,
  at: Instant | number,
): Operation {
  const when = typeof at === 'number' ? instant(at) : at
  const about = { cluster: subject.cluster, ref: subject.ref ?? null }
  return { id: operation, verb, ...about, by: actor.name, reason, at: when, phases: [], outcome: null, warnings: [] }
}
