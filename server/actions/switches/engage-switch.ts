/** Stopping is fast: one person, a reason, a typed name. What stands already is never overwritten. */
import { randomBytes } from 'node:crypto'
import type { Operation, Outcome } from '../../../lib/election/actions.ts'
import { leaderOf } from '../../../lib/election/queue.ts'
import type { SwitchMatch, SwitchMode } from '../../../lib/election/scopes.ts'
import { type Done, ENGAGED, hasDone, LONGEST_STOP_MS } from '../../../lib/election/switch-changes.ts'
import type { SwitchRecord } from '../../../lib/election/switches.ts'
import type { ElectionRef, ElectionState, Revision } from '../../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../../lib/shared/clock.ts'
import type { Caller } from '../caller.ts'
import { reachOf } from '../find.ts'
import { messageOf } from '../holding/hold-parts.ts'
import type { ActionParts } from '../parts.ts'
import { perform } from '../perform.ts'
import { Refused } from '../refused.ts'
import { situationOf } from '../situation.ts'
import type { Undertaking, Verdict } from '../undertaking.ts'
import { clashOf, engagedOver } from './engage-over.ts'
import { stopWithoutRecord } from './stop-without-record.ts'
import { whyNotGoOn } from './switch-fresh.ts'
import { readPresent, unwatchedIn } from './switch-present.ts'
import { electionsIn, requireTyped, type Scope, scopeOf, scopeWords, subjectOf } from './switch-scope.ts'
import { RecordWriting, requireUnused, type StoredRecord } from './switch-store.ts'
import { engagedWords, failed, momentWords, NOT_ENGAGED, refusedByEtcd, replacedWords } from './switch-words.ts'

const MOST_WARNINGS = 20
const MOST_LEADERS = 20

export interface EngageSwitch {
  cluster: string
  scopeBase64: string
  match: SwitchMatch
  mode: SwitchMode
  reason: string
  until: Instant
  typedName: string
  matchesNothing?: boolean | undefined
  operation: string
  /** etcd is out of space: the released record is deleted instead, which stops those that need one. */
  withoutRecord?: boolean | undefined
}

/** What is stored with the intent: enough to go on with it after a restart. */
export type EngagePlan = {
  nonce: string
  /** As it was read before. */
  standing: string
  modRevision: string
  revision: string
  elections: number
  /** Who leads there: token and session of the first ones. */
  leaders: string[]
}

export function engageSwitch(parts: ActionParts, caller: Caller, input: EngageSwitch): Promise<Operation> {
  const scope = scopeOf(reachOf(parts, input.cluster), input.scopeBase64)
  if (input.withoutRecord) return stopWithoutRecord(parts, caller, { scope, input })
  return perform(parts, caller, engaging(parts, caller, { scope, input }))
}

export function engaging(
  parts: ActionParts,
  caller: Caller,
  { scope, input, meantAt = null }: { scope: Scope; input: EngageSwitch; meantAt?: Instant | null },
): Undertaking<EngagePlan> {
  const { operation, reason, match, mode, matchesNothing = false } = input
  const { reach, scopeBase64 } = scope
  const until = instant(msOf(input.until))
  const act = new Engaging(parts, caller, { ...input, until, scope, meantAt })
  return {
    verb: 'engage',
    operation,
    subject: subjectOf(scope, match),
    reason,
    asked: { cluster: reach.name, scopeBase64, match, mode, until, matchesNothing },
    situation: () => situationOf(reach, null, { actionInFlight: false }),
    prepare: async () => {
      requireUntil(until, parts.clock.nowMs())
      requireTyped(scope, match, input.typedName)
      const elections = electionsIn(scope, match)
      if (elections.length === 0 && !matchesNothing) await requireSomebody(scope, match, parts.signal)
      const nonce = randomBytes(8).toString('hex')
      return { nonce, elections: elections.length, leaders: leadersIn(scope, elections), ...(await act.look()) }
    },
    act: (plan) => act.engage(plan),
    verify: () => act.verify(),
    ...(mode === 'enforced' ? { watched: act.watched(), isRepeatable: act.keeper !== undefined } : {}),
    evenUnrecorded: true,
    notDone: NOT_ENGAGED,
  }
}

interface EngagingInput extends EngageSwitch {
  scope: Scope
  /** After a restart: when it was asked for. */
  meantAt: Instant | null
}

class Engaging {
  private readonly parts: ActionParts
  private readonly caller: Caller
  private readonly input: EngagingInput
  private readonly writing: RecordWriting
  private readonly own: Done

  constructor(parts: ActionParts, caller: Caller, input: EngagingInput) {
    this.parts = parts
    this.caller = caller
    this.input = input
    this.own = { operation: input.operation, by: caller.actor.name, what: ENGAGED }
    this.writing = new RecordWriting(input.scope, parts)
  }

  /** What stands now, for the audit log; what cannot be read must not keep a stop from being tried. */
  async look(): Promise<Pick<EngagePlan, 'standing' | 'modRevision' | 'revision'>> {
    const now = await this.writing.read().catch((error: unknown) => messageOf(error))
    if (typeof now === 'string') return { standing: `not read: ${now}`, modRevision: '', revision: '' }
    this.requireFitting(now)
    const { record, isThere, modRevision, revision } = now
    const standing = record === null ? (isThere ? 'unreadable' : 'none') : `${record.state} by ${record.by}`
    return { standing, modRevision, revision }
  }

  /** Throws `Refused`. */
  private requireFitting(now: StoredRecord): void {
    requireUnused(now.record, this.own)
    const clash = hasDone(now.record, this.own) ? null : clashOf(now, this.input)
    if (clash !== null) throw new Refused({ code: 'changed', ...clash })
  }

  watched(): NonNullable<Undertaking<EngagePlan>['watched']> {
    let ends: (isRecorded: boolean) => void = () => {}
    return {
      begins: () => {
        ends = this.keeper?.begins(this.input.operation) ?? ends
      },
      ends: ({ is }) => ends(is === 'verified'),
    }
  }

  async engage({ nonce, modRevision }: EngagePlan): Promise<Outcome> {
    const { scope, operation, reason, until, mode, match } = this.input
    const { clock } = this.parts
    if (msOf(until) <= clock.nowMs()) return this.tooLate()
    const doing = { at: instant(clock.nowMs()), by: this.caller.actor.name, operation, reason }
    const { meantAt } = this.input
    const whyNot = (now: StoredRecord) =>
      meantAt === null ? null : whyNotGoOn({ meantAt, nowMs: clock.nowMs(), meant: modRevision, is: now.modRevision })
    try {
      if (mode === 'enforced') await this.holdHeads(nonce, whyNot)
      const written = await this.writing.change(this.own, (now) => {
        const instead = whyNot(now)
        return instead === null ? engagedOver(now, doing, { until, mode, match, nonce }) : { instead }
      })
      return 'instead' in written ? failed(NOT_ENGAGED + written.instead) : this.done(written)
    } catch (error) {
      const refused = refusedByEtcd(error, `${scope.reach.metaPrefix}switch/`)
      if (refused === null) throw error
      return failed(NOT_ENGAGED + refused)
    }
  }

  /** After a restart: it was done before, or it is not done any more. */
  private async tooLate(): Promise<Outcome> {
    const verdict = await this.verify()
    if (verdict?.is === 'verified') return verdict
    return failed(`${NOT_ENGAGED}The time by which it was meant to be released has passed.`)
  }

  /** Before the record: a leader that reads it would free the seat for whoever waits. */
  private async holdHeads(nonce: string, whyNot: (now: StoredRecord) => string | null): Promise<void> {
    const { scope, operation, match } = this.input
    const now = await this.writing.read()
    const { record } = now
    if (hasDone(record, this.own) || clashOf(now, this.input) !== null || whyNot(now) !== null) return
    // A stop that stands keeps its nonce, and what it holds is told by it.
    const own = record?.state === 'engaged' ? record.nonce : nonce
    const mark = { nonce: own, operation, by: this.caller.actor.name }
    const failed = (await this.keeper?.holdAll(scope, match, mark)) ?? []
    for (const { ref, words } of failed.slice(0, MOST_WARNINGS)) {
      const name = nameOf(scope, ref)
      this.parts.operations.warn(operation, `The head of ${name} could not be held so far: ${words}`)
    }
  }

  get keeper() {
    return this.parts.keepers.get(this.input.cluster)
  }

  verify(): Promise<Verdict> {
    return this.writing.verify(this.own, (record, modRevision) => this.done({ record, modRevision }))
  }

  private done({ record, modRevision }: { record: SwitchRecord; modRevision: Revision }): Outcome {
    const { scope, operation, match } = this.input
    const { replaced } = record
    const more = record.operation === operation && replaced !== undefined ? replacedWords(match) : ''
    return {
      is: 'verified',
      words: engagedWords(record, operation, scopeWords(scope, record.match)) + more,
      revision: modRevision,
    }
  }
}

export function requireUntil(until: Instant, nowMs: number): void {
  const leftMs = msOf(until) - nowMs
  if (leftMs > 0 && leftMs <= LONGEST_STOP_MS) return
  const why =
    leftMs <= 0
      ? `The time at which it is meant to be released has passed: ${momentWords(until)}.`
      : `It may be meant to stand for 72 h at most; ${momentWords(until)} is later than that.`
  const now = instant(nowMs)
  throw new Refused({ code: 'until', why, fix: 'Give a time within the next 72 h.', expected: now, is: until })
}

function leadersIn({ reach }: Scope, elections: readonly ElectionState[]): string[] {
  return elections.slice(0, MOST_LEADERS).flatMap((state) => {
    const leader = leaderOf(state.candidates)
    const words = leader && `token ${leader.createRevision} on session ${leader.lease ?? 'none'}`
    return words === null ? [] : [`${reach.view.nameOf(state)}: ${words}`]
  })
}

function nameOf({ reach }: Scope, ref: ElectionRef): string {
  const state = reach.view.elections.get(ref)
  return state === undefined ? ref : reach.view.nameOf(state)
}

/** Candidates that say so in etcd are stopped as well, where no election is watched. */
async function requireSomebody(scope: Scope, match: SwitchMatch, signal: AbortSignal): Promise<void> {
  const present = await readPresent(scope, match, signal).catch(() => null)
  if (present !== null && unwatchedIn(scope, match, present).length > 0) return
  const why = `No election is known in ${scopeWords(scope, match)}.`
  throw new Refused({
    code: 'scope-matches-nothing',
    why,
    fix: 'Check the scope, or tick that elections which come later shall be stopped.',
  })
}
