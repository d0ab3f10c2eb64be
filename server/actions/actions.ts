/** Everything that can be done to an election from here: one verb per file, all through `perform`. */
import type { Operation } from '../../lib/election/actions.ts'
import { type Verb, whyNever } from '../../lib/election/policy.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { Audit, Json } from '../history/audit.ts'
import type { Log } from '../watch/log.ts'
import { type AcknowledgeRollback, acknowledgeRollback } from './acknowledge-rollback.ts'
import type { Caller } from './caller.ts'
import { type ConfirmElection, confirmElection } from './confirm-election.ts'
import { Operations } from './operations.ts'
import type { ActionParts } from './parts.ts'
import { PeopleLog } from './people-log.ts'
import { recordingRefusals } from './perform.ts'
import type { Reach } from './reach.ts'
import { Recorder } from './recorder.ts'
import { Refused } from './refused.ts'

export interface ActionsOptions {
  reaches: ReadonlyMap<string, Reach>
  audit: Audit
  clock: Clock
  log: Log
  secondPerson: boolean
}

export class Actions {
  /** Where what people do besides is recorded. */
  readonly people: PeopleLog
  private readonly parts: ActionParts
  private readonly stopping = new AbortController()

  constructor(options: ActionsOptions) {
    const { signal } = this.stopping
    this.parts = { ...options, operations: new Operations(), recorder: new Recorder({ ...options, signal }), signal }
    this.people = new PeopleLog(this.parts)
  }

  confirmElection(caller: Caller, input: ConfirmElection): Promise<Operation> {
    return confirmElection(this.parts, caller, input)
  }

  acknowledgeRollback(caller: Caller, input: AcknowledgeRollback): Promise<Operation> {
    return acknowledgeRollback(this.parts, caller, input)
  }

  /** Throws `Refused` for whom no state would let do this; `raw` is what they sent, not yet read. */
  async admit(caller: Caller, verb: Verb, raw: () => Promise<unknown>): Promise<void> {
    const refusal = whyNever(caller.role, verb)
    if (refusal === null) return
    const request = {
      verb,
      operation: '',
      subject: { cluster: '' },
      reason: '',
      asked: cut(await raw().catch(() => null)),
    }
    await recordingRefusals(this.parts, caller, request, async () => {
      throw new Refused(refusal)
    })
  }

  operation(id: string): Operation | null {
    return this.parts.operations.get(id)
  }

  stop(): void {
    this.stopping.abort()
  }
}

const LONGEST_RAW = 2_000

/** Whoever may not act cannot fill the log with what they send. */
function cut(raw: unknown): Json {
  const text = JSON.stringify(raw) ?? 'null'
  return text.length > LONGEST_RAW ? `${text.slice(0, LONGEST_RAW)}…` : (JSON.parse(text) as Json)
}
