/** From elected to given up: the work runs, each renewal is proven, and every reason to end is heard. */
import { compareTokens, type FencingToken } from '../election/epoch.ts'
import type { CandidateState, Presence } from '../election/presence.ts'
import { utf8 } from '../shared/bytes.ts'
import type { Clock } from '../shared/clock.ts'
import type { CampaignContext, Won } from './campaign.ts'
import { type EndReason, SeatLost, StoreRolledBackError } from './errors.ts'
import { spanOfKey } from './keys.ts'
import type { PresenceKey } from './presence.ts'
import { Running, type Work } from './running.ts'
import { Term } from './term.ts'
import type { Standing, SwitchView } from './transactions.ts'

export interface StateDetails {
  nonces?: readonly string[]
  term?: Term
}

export interface ReignContext extends Omit<CampaignContext, 'enterState'> {
  presence: PresenceKey
  clock: Clock
  /** The words that `resign()` was called with, since this reign began. */
  resignAsked(): string | null
  /** Why the seat was given up: goes with everything that is said from now on. */
  noteResign(resign: NonNullable<Presence['lastResign']>): void
  enterState(state: CandidateState, details?: StateDetails): void
}

/** How a reign ended, and what the session is still good for. */
export type Ended =
  /** The seat was given up, or is gone: a new session. */
  | { type: 'over' }
  /** Held out by a switch: the lease stays for the presence key. */
  | { type: 'stopped' }
  /** The work threw: the seat was given up, and the caller is told. */
  | { type: 'work failed'; error: unknown }
  /** The work did not end when told: the lease is left to expire, so that nobody leads beside it. */
  | { type: 'work hangs' }

interface Drain {
  why: EndReason
  detail: string
  untilMs: number
  handoff: Standing['handoff']
}

/** A stopped work gets this long before the key is deleted without it. */
const STOP_GRACE_MS = 1_000
const PROVE_AGAIN_MS = 200
const TARGET_POLL_MS = 100

export class Reign {
  private readonly context: ReignContext
  private readonly won: Won
  private readonly work: Work
  private readonly token: FencingToken
  private drain: Drain | null = null
  private provenMs: number
  private stoppedBy: SwitchView | null = null
  private refusal: StoreRolledBackError | null = null

  constructor(context: ReignContext, won: Won, work: Work) {
    this.context = context
    this.won = won
    this.work = work
    this.provenMs = won.provenMs
    this.token = { epoch: won.standing.epoch, revision: won.seat.createRevision }
  }

  /** Rejects with `StoreRolledBackError`, or with `EtcdError` when the seat could not be given up; the work has ended then. */
  async run(): Promise<Ended> {
    for (let standing: Standing | null = this.won.standing; ; standing = null) {
      const term = this.newTerm()
      this.context.enterState('leading', { term })
      const running = new Running(this.work, term, () => this.context.bell.ring())
      await this.hold(term, running, standing)
      if (this.stoppedBy !== null) return this.stop(running, this.stoppedBy)
      if (term.isOver) return this.lose(running)
      const ended = await this.giveUp(term, running)
      if (ended !== 'withdrawn') return ended
      this.drain = null
    }
  }

  private newTerm(): Term {
    const { clock, session, bell, transactions, enterState } = this.context
    return new Term({
      token: this.token,
      clock,
      deadlineMs: session.timing.deadlineMs,
      provenMs: this.provenMs,
      onDeadline: () => {
        enterState('suspect')
        bell.ring()
      },
      publish: (value) => transactions.proclaim(this.won.seat, typeof value === 'string' ? utf8(value) : value),
    })
  }

  /** Until the work has ended, the term is over, or a switch stops it. */
  private async hold(term: Term, running: Running, known: Standing | null): Promise<void> {
    const { session, bell, stop } = this.context
    const ring = () => bell.ring()
    const either = AbortSignal.any([stop, session.lost])
    either.addEventListener('abort', ring)
    let standing = known
    const isOn = () => !running.settled && !term.isOver && this.stoppedBy === null
    while (isOn()) {
      if (session.lost.aborted) term.end('lease gone', (session.lost.reason as Error).message)
      else await this.turn(term, standing)
      standing = null
      if (isOn()) await bell.next()
    }
    either.removeEventListener('abort', ring)
  }

  private async turn(term: Term, known: Standing | null): Promise<void> {
    this.hearResign(term)
    if (this.drain !== null && this.context.clock.monoMs() > this.drain.untilMs)
      return term.end(this.drain.why, 'the work did not end in the time it had to drain')
    const standing = known ?? (await this.prove(term))
    if (standing === null) return
    const { triggers, keys } = this.context
    const spans = [spanOfKey(this.won.seat.key), keys.switches, spanOfKey(keys.handoff), spanOfKey(keys.epoch)]
    triggers.watch(spans, standing.header.revision)
    await this.hearHandoff(term, standing)
  }

  /** A proof counts for the newest renewal that was acknowledged before it was sent. */
  private async prove(term: Term): Promise<Standing | null> {
    const ackedMs = this.context.session.ackedMs
    try {
      const standing = await this.context.transactions.prove(this.won.seat)
      if (standing.view.stopped) {
        term.end('kill switch', standing.view.reason)
        this.stoppedBy = standing.view
      } else if (standing.epoch > this.token.epoch) term.end('epoch raised', `epoch ${standing.epoch} has begun`)
      else {
        this.provenMs = ackedMs
        term.proven(ackedMs)
        return standing
      }
    } catch (error) {
      if (error instanceof SeatLost) term.end(error.why, error.message)
      else if (error instanceof StoreRolledBackError) {
        this.refusal = error
        term.end('store rolled back', error.message)
      } else {
        this.context.trouble(error as Error)
        this.context.triggers.ringLater(PROVE_AGAIN_MS)
      }
    }
    return null
  }

  private hearResign(term: Term): void {
    const { stop, resignAsked } = this.context
    const detail = stop.aborted ? 'told to end' : resignAsked()
    if (detail !== null && this.drain?.why !== 'resigned') this.startDraining(term, 'resigned', detail, null)
  }

  private async hearHandoff(term: Term, { handoff }: Standing): Promise<void> {
    if (handoff === null || this.drain !== null || compareTokens(handoff.token, this.token) !== 0) return
    if (handoff.target !== null && !(await this.isNext(handoff.target)))
      return this.context.triggers.ringLater(TARGET_POLL_MS)
    this.startDraining(term, 'handed off', `handed off by ${handoff.by}: ${handoff.reason}`, handoff)
  }

  private async isNext(target: NonNullable<NonNullable<Standing['handoff']>['target']>): Promise<boolean> {
    try {
      return await this.context.transactions.isNext(this.won.seat, target)
    } catch (error) {
      this.context.trouble(error as Error)
      return false
    }
  }

  private startDraining(term: Term, why: EndReason, detail: string, handoff: Standing['handoff']): void {
    const { session, clock, triggers, enterState } = this.context
    this.drain = { why, detail, untilMs: clock.monoMs() + session.timing.drainMs, handoff }
    enterState('draining')
    term.drain(why, detail)
    triggers.ringLater(session.timing.drainMs + 1)
  }

  /** Nothing proves leadership any more. The work has been told; nothing else starts before it has ended. */
  private async lose(running: Running): Promise<Ended> {
    this.context.session.close()
    if (!(await this.workEnds(running))) return { type: 'work hangs' }
    if (this.refusal !== null) throw this.refusal
    return { type: 'over' }
  }

  private async stop(running: Running, view: SwitchView): Promise<Ended> {
    const { presence, transactions, session, enterState } = this.context
    await running.within(STOP_GRACE_MS)
    const words = this.lastWords('stopped', view.reason, view.nonces)
    try {
      await transactions.release(this.won.seat, presence.put(session.lease, words))
      enterState('stopped', { nonces: view.nonces })
    } catch (error) {
      this.context.trouble(error as Error)
      session.close()
    }
    return (await this.workEnds(running)) ? { type: 'stopped' } : { type: 'work hangs' }
  }

  private async giveUp(term: Term, running: Running): Promise<Ended | 'withdrawn'> {
    const { presence, transactions, session } = this.context
    const failure = this.drain === null ? running.failure : null
    const why = this.drain?.why ?? 'resigned'
    const detail = this.drain?.detail ?? (failure ? 'the work failed' : 'the work has ended')
    term.end(why, detail)
    const handoff = this.drain?.handoff ?? null
    if (handoff?.target && !(await this.isNext(handoff.target))) return 'withdrawn'
    const lastWord = presence.put(session.lease, this.lastWords('waiting', detail, []))
    const also = handoff === null ? [] : [transactions.sameHandoff(handoff)]
    const gone = await transactions.release(this.won.seat, lastWord, also)
    if (!gone && handoff !== null) return 'withdrawn'
    return failure === null ? { type: 'over' } : { type: 'work failed', error: failure.error }
  }

  /** False when `lead` was told to end and the work did not in the time it had. */
  private async workEnds(running: Running): Promise<boolean> {
    const { stop, session } = this.context
    const { promise: told, resolve } = Promise.withResolvers<void>()
    const tell = () => resolve()
    stop.addEventListener('abort', tell, { once: true })
    if (!stop.aborted) await Promise.race([running.done, told])
    stop.removeEventListener('abort', tell)
    return running.within(session.timing.drainMs)
  }

  private lastWords(state: CandidateState, reason: string, nonces: readonly string[]) {
    const lastResign = { reason, token: this.token }
    this.context.noteResign(lastResign)
    return { state, token: this.token, switchNonces: nonces, lastResign }
  }
}
