/** One handoff from the write to a leader that is gone: what happens is told as etcd shows it. */
import type { Outcome, Phase } from '../../../lib/election/actions.ts'
import { EtcdError } from '../../../lib/election/ports.ts'
import type { ElectionRef, Revision } from '../../../lib/election/types.ts'
import { instant, msOf } from '../../../lib/shared/clock.ts'
import { groupDigits } from '../../../lib/shared/decimal.ts'
import type { ActionParts } from '../parts.ts'
import type { Reach } from '../reach.ts'
import { type ElectionNow, READ_WITHIN_MS, readElection } from '../read-election.ts'
import type { Verdict } from '../undertaking.ts'
import { canHaveExpired, HOW, requestedWords, UNPROVEN } from './course-words.ts'
import { onLease } from './lease.ts'
import {
  acknowledgedPhase,
  drainingPhase,
  electedPhase,
  expectedPhases,
  factsOf,
  NEVER_SEEN_DRAINING,
  releasedPhase,
  type Sight,
  sightOf,
  successorWords,
} from './phases.ts'
import type { HandoffPlan } from './plan.ts'
import { lookUntil, type Where } from './readings.ts'
import { type Order, type Sent, send } from './sending.ts'

const SUCCESSOR_WITHIN_MS = 2_000
const GONE_WITHIN_MS = 3_000
/** etcd ends a lease up to this much after its TTL. */
const LEASE_SLACK_MS = 2_000

/** What a closed connection still tries to deliver is given up by then. */
const LOST_AFTER_MS = 120_000
const ANY = { key: Uint8Array.of(0), limit: 1 }

export interface CourseOptions {
  parts: ActionParts
  reach: Reach
  ref: string
  words: Order['words']
}

export class HandoffCourse {
  private readonly options: CourseOptions
  private readonly where: Where
  private newest: { sight: Sight; revision: Revision } | null = null
  /** At which the key was first known to be gone. */
  private goneAt: Revision | null = null
  /** Of the read directly before a revoke. */
  private readBefore: Revision | null = null
  /** The member that it was sent to, and when. */
  private sentTo: { endpoint: string; ms: number } | null = null
  /** That the key went by this and not by itself: etcd answered, or its lease could not end yet. */
  private isProven = false
  private endsTerm: (did: boolean) => void = () => {}

  constructor(options: CourseOptions) {
    const { parts, reach, ref } = options
    this.options = options
    this.where = { reach, ref: ref as ElectionRef, clock: parts.clock, signal: parts.signal }
  }

  begins(plan: HandoffPlan): void {
    const { reach, words, parts } = this.options
    parts.operations.update(words.id, { handoff: factsOf(plan), phases: expectedPhases(plan) })
    const evidence = `${HOW[plan.method]} by ${words.by}: ${words.reason}`
    const cause = plan.method === 'revoke-session' ? 'revoked' : 'handed off'
    const ended = { cause, by: words.by, evidence } as const
    this.endsTerm = reach.endings.mean(this.where.ref, plan.leader.createRevision, ended)
  }

  /** The term ended by this only when the leader was seen to go for it. */
  ends({ method }: HandoffPlan, { is }: Outcome): void {
    this.endsTerm(is === 'verified' && (method === 'ask' ? this.isHandedOff : this.isProven))
  }

  async act(plan: HandoffPlan): Promise<Outcome> {
    const { reach, ref, words, parts } = this.options
    const at = instant(parts.clock.nowMs())
    const sending = (endpoint: string) => {
      this.sentTo = { endpoint, ms: parts.clock.monoMs() }
    }
    const sent = await send({ reach, ref, plan, words, signal: parts.signal, sending })
    if ('is' in sent) return sent
    this.isProven = true
    this.tell({ name: 'requested', at, evidence: requestedWords(plan, sent), known: 'etcd' })
    if (plan.method === 'remove-key') this.goneAt = sent.revision
    if (plan.method === 'revoke-session') this.readBefore = sent.revision
    const refused = plan.method === 'ask' ? await this.awaitAnswer(plan, sent) : await this.awaitGone(plan)
    if (refused !== null) return refused
    return this.succeed(plan)
  }

  /** What a linearizable read says when no answer came, or after a restart. */
  async verify(plan: HandoffPlan): Promise<Verdict> {
    const { reach, parts } = this.options
    if (!(await this.mayHaveArrived())) return null
    const now = await readElection(reach, this.where.ref, parts.signal)
    const { revision } = now.header
    const { stands } = this.observe(plan, now)
    if (stands) return this.verdictStanding(plan, now)
    if (plan.method === 'revoke-session' && plan.leader.lease !== null) {
      const { ttl } = await onLease(reach, plan.leader.lease, parts.signal)
      // Its key went by another hand.
      if (ttl !== 'gone') return ttl === null ? null : { is: 'unchanged', revision }
    }
    this.isProven ||= !canHaveExpired(plan, parts.clock.nowMs())
    return this.succeed(plan)
  }

  /** Another member's answer says nothing of a request that still hangs on the way to this one. */
  private async mayHaveArrived(): Promise<boolean> {
    const { parts, reach } = this.options
    const { clock, signal } = parts
    if (this.sentTo === null || clock.monoMs() - this.sentTo.ms > LOST_AFTER_MS) return true
    const { endpoint } = this.sentTo
    const answer = await reach.etcd.range(ANY, { deadlineMs: READ_WITHIN_MS, signal, endpoint }).catch((error) => error)
    return !(answer instanceof EtcdError) || answer.kind !== 'deadline'
  }

  private verdictStanding(plan: HandoffPlan, now: ElectionNow): Verdict {
    const { revision } = now.header
    const { leader, method } = plan
    if (method === 'remove-key') {
      const found = now.keys.find(({ createRevision }) => createRevision === leader.createRevision)
      if (found?.modRevision === leader.modRevision) return { is: 'unchanged', revision }
      return { is: 'failed', words: `The key was written again, so it was not removed. Nothing was done.`, revision }
    }
    if (method === 'revoke-session') return { is: 'unchanged', revision }
    if (this.isOwnRequest(now)) return null
    const isOver = this.options.parts.clock.nowMs() > msOf(plan.deadline) + LEASE_SLACK_MS
    return isOver ? this.noAnswer(plan, revision) : { is: 'unchanged', revision }
  }

  /** null: the leader's key is gone. */
  private async awaitAnswer(plan: HandoffPlan, { request }: Sent): Promise<Outcome | null> {
    const { parts, reach } = this.options
    const { clock, signal } = parts
    const look = (now: ElectionNow): 'gone' | 'over' | null => {
      if (!this.observe(plan, now).stands) return 'gone'
      return this.isOwnRequest(now) ? null : 'over'
    }
    const untilMs = clock.monoMs() + plan.deadlineMs
    let ended = await lookUntil(this.where, untilMs, look)
    const isInTime = clock.monoMs() < untilMs - LEASE_SLACK_MS
    if (request !== undefined && !signal.aborted) {
      await reach.etcd.revoke(request, { deadlineMs: GONE_WITHIN_MS, signal }).catch(() => {})
    }
    // The leader gives its seat up only together with the request: once that is gone, nothing more comes of it.
    ended ??= await lookUntil(this.where, clock.monoMs() + GONE_WITHIN_MS, look)
    if (ended === null) throw new EtcdError('deadline', 'etcd did not say what came of the request', '')
    if (ended === 'gone') return null
    const revision = this.newest?.revision ?? plan.readAt
    if (!isInTime) return this.noAnswer(plan, revision)
    const words = `The request was withdrawn before ${plan.leader.identity} answered it, who stays leader.`
    return { is: 'failed', words, revision }
  }

  private noAnswer({ leader, deadlineMs, target }: HandoffPlan, revision: Revision): Outcome {
    const until = target === null ? '' : ` with ${target.identity} next`
    const words = `${leader.identity} did not answer within ${deadlineMs / 1_000} s${until} and stays leader.`
    return { is: 'failed', words, revision }
  }

  private async awaitGone(plan: HandoffPlan): Promise<null> {
    const untilMs = this.where.clock.monoMs() + GONE_WITHIN_MS
    const gone = await lookUntil(this.where, untilMs, (now) => (this.observe(plan, now).stands ? null : true))
    if (gone === null) throw new EtcdError('deadline', 'etcd did not show the key gone', '')
    return null
  }

  /** Waits a moment for who leads next, so that the outcome names them. */
  private async succeed(plan: HandoffPlan): Promise<Outcome> {
    const isSettled = ({ successor, gaveUp }: Sight) => successor !== null && (plan.method !== 'ask' || gaveUp !== null)
    const untilMs = this.where.clock.monoMs() + SUCCESSOR_WITHIN_MS
    await lookUntil(this.where, untilMs, (now) => isSettled(this.observe(plan, now)) || null)
    const sight = this.newest?.sight
    const revision = this.goneAt ?? plan.readAt
    const who = plan.leader.identity
    const next = sight?.successor ? successorWords(plan, sight.successor) : 'Nobody leads yet'
    const words = this.qualification(plan)
    return {
      is: 'verified',
      words: `${next}: ${who}’s key is gone at revision ${groupDigits(revision)}.${words}`,
      revision,
    }
  }

  /** What the outcome must say besides, for the record. */
  private qualification({ method, leader }: HandoffPlan): string {
    if (method === 'ask') return this.isHandedOff ? '' : ` ${leader.identity} did not say that it was for this request.`
    if (!this.isProven) return UNPROVEN
    if (method === 'remove-key' || this.readBefore === null) return ''
    const at = groupDigits(this.readBefore)
    return ` Revision ${at}, read directly before the revoke, showed the same key, token and lease.`
  }

  private observe(plan: HandoffPlan, now: ElectionNow): Sight {
    const { parts, reach, ref } = this.options
    const at = instant(parts.clock.nowMs())
    const sight = sightOf(ref, plan, now, reach.metaPrefix)
    this.newest = { sight, revision: now.header.revision }
    if (sight.draining) this.tellOnce(drainingPhase(plan, at))
    if (sight.stands) return sight
    this.goneAt ??= now.header.revision
    if (plan.method === 'ask') this.tellOnce(NEVER_SEEN_DRAINING)
    this.tellOnce(releasedPhase(plan, now, at))
    if (sight.successor !== null) {
      this.tellOnce(electedPhase(plan, sight.successor, at))
      parts.operations.update(this.options.words.id, { handoff: factsOf(plan, sight.successor) })
    }
    const acknowledged = acknowledgedPhase(plan, sight, at)
    if (acknowledged !== null) this.tellOnce(acknowledged)
    return sight
  }

  private get isHandedOff(): boolean {
    return this.newest?.sight.gaveUp?.lastResign?.reason.startsWith('handed off') === true
  }

  private isOwnRequest({ request }: ElectionNow): boolean {
    if (request === null) return false
    return new TextDecoder().decode(request.value).includes(JSON.stringify(this.options.words.id))
  }

  private tellOnce(phase: Phase): void {
    const { parts, words } = this.options
    const told = parts.operations.get(words.id)?.phases.find(({ name }) => name === phase.name)
    if (told === undefined || told.known === 'not yet') this.tell(phase)
  }

  private tell(phase: Phase): void {
    this.options.parts.operations.phase(this.options.words.id, phase)
  }
}
