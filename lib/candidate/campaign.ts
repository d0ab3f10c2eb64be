/** From outside to elected: hold still for a switch, take a place, and wait for the nearest one ahead to go. */

import { isNewer } from '../election/ids.ts'
import type { KeyValue } from '../election/ports.ts'
import { EtcdError } from '../election/ports.ts'
import type { CandidateState } from '../election/presence.ts'
import type { Revision } from '../election/types.ts'
import { backoffMs, sleep } from '../shared/abort.ts'
import type { Bell } from './bell.ts'
import { type Keys, spanOfKey } from './keys.ts'
import type { Session } from './session.ts'
import type { Look, Seat, Standing, SwitchView, Transactions } from './transactions.ts'
import type { Triggers } from './triggers.ts'

export interface Won {
  seat: Seat
  standing: Standing
  /** When the newest renewal was sent that the win check proves; monotonic. */
  provenMs: number
}

export interface CampaignContext {
  keys: Keys
  transactions: Transactions
  triggers: Triggers
  bell: Bell
  session: Session
  /** Ends the waiting. */
  stop: AbortSignal
  enterState(state: CandidateState, nonces: readonly string[]): void
  trouble(error: Error): void
}

/** A single key's waiters all hear of the same end: they try again at random moments. */
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 2_000
/** The seat is ours, but the newest renewal is too old to lead on. */
const UNPROVEN_RETRY_MS = 50

export class Campaign {
  private readonly context: CampaignContext
  private seat: Seat | null = null
  /** A release was sent and not answered: it may still arrive, so this place must not be led with. */
  private isLeaving = false
  private view: SwitchView | null = null
  private failures = 0
  /** Create revision of the key that holds the seat of a single key. */
  private holder: Revision | null = null
  private retryMs = FIRST_RETRY_MS
  private readonly over: AbortSignal

  constructor(context: CampaignContext) {
    this.context = context
    this.over = AbortSignal.any([context.stop, context.session.lost])
  }

  /** Resolves when elected, or with null when told to stop. Rejects with `SeatLost`, `StoreRolledBackError`, or when the client is closed. */
  async win(): Promise<Won | null> {
    const { session, bell } = this.context
    const { over } = this
    while (!over.aborted) {
      try {
        const won = await this.step()
        if (won === 'again') continue
        if (won !== 'wait') return won
        this.failures = 0
      } catch (error) {
        if (!(error instanceof EtcdError) || error.kind === 'aborted') throw error
        // The place is kept: whether it still stands, the next look tells.
        this.context.trouble(error)
        await sleep(backoffMs(this.failures, 100, 2_000), over)
        this.failures += 1
        continue
      }
      await bell.nextOr(over)
    }
    session.lost.throwIfAborted()
    await this.leave()
    return null
  }

  private async step(): Promise<Won | 'wait' | 'again'> {
    const { transactions, session, triggers } = this.context
    if (this.isLeaving) await this.leave()
    this.view ??= await transactions.switches()
    if (this.view.stopped) return this.holdStill(this.view)
    if (this.seat === null) return this.enter(this.view)
    const provenMs = session.ackedMs
    const look = await transactions.look(this.seat, this.view)
    switch (look.type) {
      case 'switches changed':
        this.view = null
        return 'again'
      case 'elected':
        // Told to end, or that the lease is gone, while the answer was on its way.
        if (this.over.aborted) return 'again'
        if (session.isFresh(provenMs)) return { seat: this.seat, standing: look, provenMs }
        triggers.ringLater(UNPROVEN_RETRY_MS)
        return 'wait'
      case 'behind':
        return this.waitBehind(this.seat, look)
    }
  }

  private async holdStill(view: SwitchView): Promise<'wait'> {
    const { triggers, keys, enterState } = this.context
    await this.leave()
    enterState('stopped', view.nonces)
    triggers.watch([keys.switches], view.at)
    this.view = null
    return 'wait'
  }

  private async enter(view: SwitchView): Promise<'wait' | 'again'> {
    const { transactions, session, enterState } = this.context
    if (this.holder !== null) await sleep(Math.random() * this.retryMs, this.over)
    const entry = await transactions.enter(session.lease, view)
    switch (entry.type) {
      case 'switches changed':
        this.view = null
        return 'again'
      case 'entered':
        enterState('waiting', [])
        this.seat = entry.seat
        this.holder = null
        return 'again'
      case 'held':
        enterState('waiting', [])
        return this.waitForKey(entry.holder, view)
    }
  }

  private waitForKey({ key, createRevision }: KeyValue, view: SwitchView): 'wait' {
    const { triggers, keys } = this.context
    // The same holder as before: the next try is the first of a new race.
    const hasLostRace = this.holder !== null && this.holder !== createRevision
    this.retryMs = hasLostRace ? Math.min(LAST_RETRY_MS, this.retryMs * 2) : FIRST_RETRY_MS
    this.holder = createRevision
    triggers.watch([spanOfKey(key), keys.switches], view.at)
    this.view = null
    return 'wait'
  }

  private async waitBehind(seat: Seat, look: Extract<Look, { type: 'behind' }>): Promise<'wait' | 'again'> {
    const { triggers, keys } = this.context
    const { handoff, head, ahead } = look
    const target = handoff?.target?.createRevision
    const isForHead = handoff?.token.revision === head.createRevision && handoff.token.epoch === look.epoch
    // A target of the future would make everybody yield to it for ever.
    const isBehind = target && isNewer(target, seat.createRevision) && !isNewer(target, look.header.revision)
    if (isForHead && isBehind) {
      // Yielding takes two transactions: etcd refuses a delete and a put of one key in the same one.
      await this.leave()
      return 'again'
    }
    const spans = [spanOfKey(seat.key), spanOfKey(ahead.key), keys.switches, spanOfKey(keys.handoff)]
    triggers.watch(spans, look.header.revision)
    return 'wait'
  }

  private async leave(): Promise<void> {
    if (this.seat === null) return
    this.isLeaving = true
    await this.context.transactions.release(this.seat, null)
    this.isLeaving = false
    this.seat = null
  }
}
