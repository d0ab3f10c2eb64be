/** Everything that can be done to an election from here: one verb per file, all through `perform`. */
import type { Operation } from '../../lib/election/actions.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { Audit } from '../history/audit.ts'
import type { Log } from '../watch/log.ts'
import { type AcknowledgeRollback, acknowledgeRollback } from './acknowledge-rollback.ts'
import type { Caller } from './caller.ts'
import { type ConfirmElection, confirmElection } from './confirm-election.ts'
import { Operations } from './operations.ts'
import type { ActionParts } from './parts.ts'
import type { Reach } from './reach.ts'
import { Recorder } from './recorder.ts'

export interface ActionsOptions {
  reaches: ReadonlyMap<string, Reach>
  audit: Audit
  clock: Clock
  log: Log
  secondPerson: boolean
}

export class Actions {
  private readonly parts: ActionParts
  private readonly stopping = new AbortController()

  constructor(options: ActionsOptions) {
    const { signal } = this.stopping
    this.parts = { ...options, operations: new Operations(), recorder: new Recorder({ ...options, signal }), signal }
  }

  confirmElection(caller: Caller, input: ConfirmElection): Promise<Operation> {
    return confirmElection(this.parts, caller, input)
  }

  acknowledgeRollback(caller: Caller, input: AcknowledgeRollback): Promise<Operation> {
    return acknowledgeRollback(this.parts, caller, input)
  }

  operation(id: string): Operation | null {
    return this.parts.operations.get(id)
  }

  stop(): void {
    this.stopping.abort()
  }
}
