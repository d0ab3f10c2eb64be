/** Everything that can be done to an election from here: one verb per file, all through `perform`. */
import type { HandoffPreflight, Operation, SwitchForecast, SwitchProof } from '../../lib/election/actions.ts'
import { type Verb, whyNever } from '../../lib/election/policy.ts'
import type { SwitchMatch } from '../../lib/election/scopes.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { Audit } from '../history/audit.ts'
import type { Log } from '../watch/log.ts'
import { type AcknowledgeRollback, acknowledgeRollback } from './acknowledge-rollback.ts'
import type { Caller } from './caller.ts'
import { type ConfirmElection, confirmElection } from './confirm-election.ts'
import { handoff, handoffsOf, rememberHandoffs } from './handoff/handoff.ts'
import type { HandoffInput } from './handoff/plan.ts'
import { type HandoffParts, type PreflightInput, preflight } from './handoff/preflight.ts'
import { Tickets } from './handoff/tickets.ts'
import { HoldKeeper } from './holding/hold-keeper.ts'
import { Operations } from './operations.ts'
import { PeopleLog } from './people-log.ts'
import { rawRequest } from './raw-request.ts'
import type { Reach } from './reach.ts'
import { Recorder } from './recorder.ts'
import { Refused } from './refused.ts'
import { resumeAll } from './resume.ts'
import { type ArmSwitch, armSwitch } from './switches/arm-switch.ts'
import { type EngageSwitch, engageSwitch } from './switches/engage-switch.ts'
import { type ExtendSwitch, extendSwitch } from './switches/extend-switch.ts'
import { ReleaseRequests } from './switches/release-requests.ts'
import { type ConfirmRelease, confirmRelease, type ReleaseSwitch, releaseSwitch } from './switches/release-switch.ts'
import { correctLateOnes } from './switches/switch-late.ts'
import { completeLog } from './switches/switch-log.ts'
import { SwitchLooks, type SwitchScope } from './switches/switch-looks.ts'
import { draftOf } from './undertaking.ts'

export interface ActionsOptions {
  reaches: ReadonlyMap<string, Reach>
  audit: Audit
  clock: Clock
  log: Log
  secondPerson: boolean
  mayStill: HandoffParts['mayStill']
}

export class Actions {
  /** Where what people do besides is recorded. */
  readonly people: PeopleLog
  private readonly parts: HandoffParts
  private readonly stopping = new AbortController()
  private readonly looks: SwitchLooks

  constructor(options: ActionsOptions) {
    const { signal } = this.stopping
    const recorder = new Recorder({ ...options, signal })
    const writable = [...options.reaches.values()].filter(({ readOnly }) => readOnly === 'no')
    const keepers = new Map(
      writable.map((reach) => [reach.name, new HoldKeeper(reach, { ...options, recorder, signal })]),
    )
    this.parts = {
      ...options,
      operations: new Operations((cluster, refs) => options.reaches.get(cluster)?.handingOff(refs)),
      releases: new ReleaseRequests(),
      tickets: new Tickets(options.clock),
      keepers,
      recorder,
      signal,
    }
    this.looks = new SwitchLooks(this.parts)
    this.people = new PeopleLog(this.parts)
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

  /** Once the clusters are watched: goes on with what was left, and keeps what is stopped stopped. */
  start(): void {
    rememberHandoffs(this.parts)
    resumeAll(this.parts)
    for (const keeper of this.parts.keepers.values()) void keeper.run()
    for (const reach of this.parts.reaches.values()) {
      correctLateOnes(this.parts, reach)
      void completeLog(this.parts, reach)
    }
  }

  confirmElection(caller: Caller, input: ConfirmElection): Promise<Operation> {
    return confirmElection(this.parts, caller, input)
  }

  acknowledgeRollback(caller: Caller, input: AcknowledgeRollback): Promise<Operation> {
    return acknowledgeRollback(this.parts, caller, input)
  }

  engageSwitch(caller: Caller, input: EngageSwitch): Promise<Operation> {
    return engageSwitch(this.parts, caller, input).finally(() => this.looks.forget())
  }

  extendSwitch(caller: Caller, input: ExtendSwitch): Promise<Operation> {
    return extendSwitch(this.parts, caller, input).finally(() => this.looks.forget())
  }

  releaseSwitch(caller: Caller, input: ReleaseSwitch): Promise<Operation> {
    return releaseSwitch(this.parts, caller, input).finally(() => this.looks.forget())
  }

  confirmRelease(caller: Caller, input: ConfirmRelease): Promise<Operation> {
    return confirmRelease(this.parts, caller, input).finally(() => this.looks.forget())
  }

  armSwitch(caller: Caller, input: ArmSwitch): Promise<Operation> {
    return armSwitch(this.parts, caller, input).finally(() => this.looks.forget())
  }

  switchForecast(input: SwitchScope & { match: SwitchMatch }): Promise<SwitchForecast> {
    return this.looks.forecast(input)
  }

  switchProof(caller: Pick<Caller, 'actor'>, input: SwitchScope): Promise<SwitchProof | null> {
    return this.looks.proof(input, caller)
  }

  /** Throws `Refused` for whom no state would let do this; `raw` is what they sent, not yet read. */
  async admit(caller: Caller, verb: Verb, raw: () => Promise<unknown>): Promise<void> {
    const refusal = whyNever(caller.role, verb)
    if (refusal === null) return
    await this.storeRefused(caller, verb, raw, refusal)
    throw new Refused(refusal)
  }

  /** What was refused before any verb could store that. */
  async storeRefused(
    caller: Caller,
    verb: Verb,
    raw: () => Promise<unknown>,
    { code, why }: { code: string; why: string },
  ): Promise<void> {
    const request = rawRequest(verb, await raw().catch(() => null))
    this.parts.recorder.refusal({ ...draftOf(caller, request), kind: 'refusal', seen: {}, code, words: why })
  }

  operation(id: string): Operation | null {
    return this.parts.operations.get(id)
  }

  stop(): void {
    this.stopping.abort()
  }
}
