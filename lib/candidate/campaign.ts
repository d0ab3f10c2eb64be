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
  private view: SwitchView | null = null
  private failures = 0
  /** How often in a row somebody else was quicker to take the single key. */
  private racesLost = 0
  private lastHolder: Revision | null = null

  constructor(context: CampaignContext) {
    this.context = context
  }

  /** Resolves when elected, or with null when told to stop. Rejects with `SeatLost` or `StoreRolledBackError`. */
  async win(): Promise<Won | null> {
    const { session, stop, bell } = this.context
    const over = AbortSignal.any([stop, session.lost])
    while (!over.aborted) {
      try {
        const won = await this.step()
        if (won === 'again') continue
        if (won !== 'wait') return won
        this.failures = 0
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error
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
    this.view ??= await transactions.switches()
    if (this.view.stopped) return this.holdStill(this.view)
    if (this.seat === null && !(await this.enter(this.view))) return 'wait'
    if (this.seat === null) return 'again'
    const provenMs = session.ackedMs
    const look = await transactions.look(this.seat, this.view)
    switch (look.type) {
      case 'switches changed':
        this.view = null
        return 'again'
      case 'elected':
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

  /** False when somebody else holds the single key. */
  private async enter(view: SwitchView): Promise<boolean> {
    const { transactions, session, enterState } = this.context
    const entered = await transactions.enter(session.lease)
    enterState('waiting', [])
    if ('seat' in entered) {
      this.seat = entered.seat
      return true
    }
    await this.waitForKey(entered.holder, view)
    return false
  }

  private async waitForKey(holder: KeyValue, view: SwitchView): Promise<void> {
    const { triggers, keys, bell, session, stop } = this.context
    // Finding the same holder again is a look, not a lost race.
    const isRace = this.lastHolder !== null && this.lastHolder !== holder.createRevision
    this.racesLost = isRace ? this.racesLost + 1 : 0
    this.lastHolder = holder.createRevision
    triggers.watch([spanOfKey(holder.key), keys.switches], view.at)
    this.view = null
    const over = AbortSignal.any([stop, session.lost])
    if (!(await bell.nextOr(over))) return
    const spanMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.racesLost, 10))
    await sleep(Math.random() * spanMs, over)
    bell.ring()
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
    await this.context.transactions.release(this.seat, null)
    this.seat = null
  }
}
