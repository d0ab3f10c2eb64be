/** Everything that can be done to an election from here: one verb per file, all through `perform`. */
import type { HandoffPreflight, Operation } from '../../lib/election/actions.ts'
import { type Verb, whyNever } from '../../lib/election/policy.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { Audit, Json } from '../history/audit.ts'
import type { Log } from '../watch/log.ts'
import { type AcknowledgeRollback, acknowledgeRollback } from './acknowledge-rollback.ts'
import type { Caller } from './caller.ts'
import { type ConfirmElection, confirmElection } from './confirm-election.ts'
import { handoff, handoffAgain, handoffsOf, rememberHandoffs } from './handoff.ts'
import type { HandoffInput } from './handoff-plan.ts'
import { type HandoffParts, type PreflightInput, preflight } from './handoff-preflight.ts'
import { Tickets } from './handoff-tickets.ts'
import { Operations } from './operations.ts'
import { recordingRefusals } from './perform.ts'
import type { Reach } from './reach.ts'
import { Recorder } from './recorder.ts'
import { Refused } from './refused.ts'
import { type Rebuilds, resumeAll } from './resume.ts'

export interface ActionsOptions {
  reaches: ReadonlyMap<string, Reach>
  audit: Audit
  clock: Clock
  log: Log
  secondPerson: boolean
}

export class Actions {
  private readonly parts: HandoffParts
  private readonly stopping = new AbortController()

  constructor(options: ActionsOptions) {
    const { signal } = this.stopping
    const recorder = new Recorder({ ...options, signal })
    this.parts = { ...options, operations: new Operations(), recorder, signal, tickets: new Tickets(options.clock) }
  }

  /** After a restart, once: finds out what came of what was left without an outcome. */
  resume(): void {
    rememberHandoffs(this.parts)
    const rebuilds: Rebuilds = new Map([['handoff', (intent) => handoffAgain(this.parts, intent)]])
    resumeAll(this.parts, rebuilds)
  }

  preflight(caller: Caller, input: PreflightInput): Promise<HandoffPreflight> {
    return preflight(this.parts, caller, input)
  }

  handoff(caller: Caller, input: HandoffInput): Promise<Operation> {
    return handoff(this.parts, caller, input)
  }

  /** Newest first: those that are known, with what is still to be warned of. */
  handoffs(cluster: string, ref: ElectionRef): Operation[] {
    return handoffsOf(this.parts, cluster, ref)
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
    const request = { verb, operation: '', subject: { cluster: '' }, reason: '', asked: cut(await raw()) }
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
  // A one-time token is nobody's business afterwards.
  const text = JSON.stringify(raw, (name, value) => (name === 'token' ? undefined : value)) ?? 'null'
  return text.length > LONGEST_RAW ? `${text.slice(0, LONGEST_RAW)}…` : (JSON.parse(text) as Json)
}
