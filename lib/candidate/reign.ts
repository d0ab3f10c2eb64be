/** From elected to given up: the work runs, each renewal is proven, and every reason to end is heard. */
import { compareTokens, type FencingToken } from '../election/epoch.ts'
import type { CandidateState, Presence } from '../election/presence.ts'
import { utf8 } from '../shared/bytes.ts'
import type { Clock } from '../shared/clock.ts'
import type { CampaignContext, Won } from './campaign.ts'
import { type EndReason, NotLeadingError, SeatLost, StoreRolledBackError } from './errors.ts'
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
  /** The seat was given up, or is gone: a new session. `workDone`: the work returned without being told to. */
  | { type: 'over'; workDone?: true }
  /** Held out by a switch: the lease stays for the presence key. */
  | { type: 'stopped' }
  /** The work threw: the seat was given up, and the caller is told. */
  | { type: 'work failed'; error: unknown }
  /** The work did not end when told: the lease is left to expire, so that nobody leads beside it. */
  | { type: 'work hangs'; running: Running }

type Target = NonNullable<NonNullable<Standing['handoff']>['target']>

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
const LOOK_WHILE_DRAINING_MS = 50

export class Reign {
  private readonly context: ReignContext
  private readonly won: Won
  private readonly work: Work
  private readonly token: FencingToken
  private drain: Drain | null = null
  private provenMs: number
  private stoppedBy: SwitchView | null = null
  private refusal: StoreRolledBackError | SeatLost | null = null

  constructor(context: ReignContext, won: Won, work: Work) {
    this.context = context
    this.won = won
    this.work = work
    this.provenMs = won.provenMs
    // A work that changed it would change what is proven and reported.
    this.token = Object.freeze({ epoch: won.standing.epoch, revision: won.seat.createRevision })
  }

  /** Rejects with `StoreRolledBackError`, or with `EtcdError` when the seat could not be given up; the work has ended then. */
  async run(): Promise<Ended> {
    for (let standing: Standing | null = this.won.standing; ; standing = null) {
      const term = this.newTerm()
      // A handoff was withdrawn: the seat may be gone since it was last proven.
      standing ??= await this.prove(term)
      // A work that only listens would never hear of an end that came before it began.
      const starts = !term.isOver && !this.isToldToGo
      if (starts) this.context.enterState('leading', { term })
      const running: Running = new Running(starts ? this.work : () => {}, term, () => this.hearEnd(running, term))
      const ended = await this.serve(term, running, standing).catch((error: unknown) => this.fail(term, running, error))
      if (ended !== 'withdrawn') return ended
      this.drain = null
    }
  }

  private async serve(term: Term, running: Running, standing: Standing | null): Promise<Ended | 'withdrawn'> {
    await this.hold(term, running, standing)
    if (this.stoppedBy !== null) return this.stop(running, this.stoppedBy)
    return term.isOver ? this.lose(term, running) : this.giveUp(term, running)
  }

  /** What nobody foresaw must not leave a work behind that still proves. */
  private async fail(term: Term, running: Running, error: unknown): Promise<Ended> {
    term.end('failed', `an error that nobody foresaw: ${String(error)}`)
    this.context.session.close()
    if (!(await this.workEnds(running))) return { type: 'work hangs', running }
    throw error
  }

  private get isToldToGo(): boolean {
    return this.context.stop.aborted || this.context.resignAsked() !== null
  }

  private hearEnd({ failure }: Running, { signal }: Term): void {
    const error = failure?.error
    // To throw is a way to end when told to; only what says something else is worth telling.
    if (failure !== null && signal.aborted && error !== signal.reason && !(error instanceof NotLeadingError))
      this.context.trouble(error instanceof Error ? error : new Error(String(error)))
    this.context.bell.ring()
  }

  private newTerm(): Term {
    const { clock, session, bell, transactions, enterState } = this.context
    const term = new Term({
      token: this.token,
      clock,
      deadlineMs: session.timing.deadlineMs,
      provenMs: this.provenMs,
      onDeadline: () => {
        enterState('suspect')
        bell.ring()
      },
      publish: async (value) => {
        try {
          await transactions.proclaim(this.won.seat, typeof value === 'string' ? utf8(value) : value)
        } catch (error) {
          this.endBy(term, error)
          throw error
        }
      },
    })
    return term
  }

  /** Until the work has ended, the term is over, or a switch stops it. */
  private async hold(term: Term, running: Running, known: Standing | null): Promise<void> {
    const { session, bell, stop } = this.context
    const ring = () => bell.ring()
    // At once, whatever else is being asked for.
    const loseLease = () => {
      term.end('lease gone', (session.lost.reason as Error).message)
      bell.ring()
    }
    stop.addEventListener('abort', ring)
    session.lost.addEventListener('abort', loseLease)
    if (session.lost.aborted) loseLease()
    let standing = known
    const isOn = () => !running.settled && !term.isOver && this.stoppedBy === null
    while (isOn()) {
      await this.turn(term, standing)
      standing = null
      if (isOn()) await bell.next()
    }
    stop.removeEventListener('abort', ring)
    session.lost.removeEventListener('abort', loseLease)
  }

  private async turn(term: Term, known: Standing | null): Promise<void> {
    // A work that ends at once is not kept waiting for a proof that nobody needs.
    if (this.hearResign(term)) return this.context.triggers.ringLater(LOOK_WHILE_DRAINING_MS)
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
      if (!this.endBy(term, error)) {
        this.context.trouble(error as Error)
        this.context.triggers.ringLater(PROVE_AGAIN_MS)
      }
    }
    return null
  }

  /** Ends the term when etcd's answer says that the seat is gone, whatever was asked; false when it says nothing. */
  private endBy(term: Term, error: unknown): boolean {
    if (!(error instanceof SeatLost || error instanceof StoreRolledBackError)) return false
    this.refusal = error
    term.end(error instanceof SeatLost ? error.why : 'store rolled back', error.message)
    this.context.bell.ring()
    return true
  }

  /** True when it has just been told to go. */
  private hearResign(term: Term): boolean {
    const { stop, resignAsked } = this.context
    const detail = stop.aborted ? 'told to end' : resignAsked()
    if (detail === null || this.drain?.why === 'resigned') return false
    this.startDraining(term, 'resigned', detail, null)
    return true
  }

  private async hearHandoff(term: Term, { handoff }: Standing): Promise<void> {
    if (handoff === null || this.drain !== null || compareTokens(handoff.token, this.token) !== 0) return
    if (handoff.target !== null && !(await this.isNext(term, handoff.target)))
      return this.context.triggers.ringLater(TARGET_POLL_MS)
    this.startDraining(term, 'handed off', `handed off by ${handoff.by}: ${handoff.reason}`, handoff)
  }

  private async isNext(term: Term, target: Target): Promise<boolean> {
    try {
      return await this.context.transactions.isNext(this.won.seat, target)
    } catch (error) {
      if (!this.endBy(term, error)) this.context.trouble(error as Error)
      return false
    }
  }

  private startDraining(term: Term, why: EndReason, detail: string, handoff: Standing['handoff']): void {
    const { session, clock, triggers, enterState } = this.context
    // Over meanwhile: there is nothing left to give up in good order.
    if (term.isOver) return
    this.drain = { why, detail, untilMs: clock.monoMs() + session.timing.drainMs, handoff }
    enterState('draining')
    term.drain(why, detail)
    triggers.ringLater(session.timing.drainMs + 1)
  }

  /** Nothing proves leadership any more. The work has been told; nothing else starts before it has ended. */
  private async lose(term: Term, running: Running): Promise<Ended> {
    const { session, enterState } = this.context
    enterState(term.endedBy === 'key gone' || term.endedBy === 'lease gone' ? 'lost' : 'suspect')
    session.close()
    if (!(await this.workEnds(running))) return { type: 'work hangs', running }
    return this.over()
  }

  private async stop(running: Running, view: SwitchView): Promise<Ended> {
    const { presence, transactions, session, enterState, noteResign } = this.context
    enterState('draining')
    // A stop is acknowledged by its nonce, and only once the work has ended.
    const hasEnded = await running.within(STOP_GRACE_MS)
    const words = this.lastWords(hasEnded ? 'stopped' : 'draining', view.reason, hasEnded ? view.nonces : [])
    let ended: Ended = { type: 'stopped' }
    try {
      await transactions.release(this.won.seat, presence.lastWord(session.lease, words))
      noteResign(words.lastResign)
      if (hasEnded) enterState('stopped', { nonces: view.nonces })
    } catch (error) {
      // The key may still be there: another campaign on this lease would take it for a new one.
      this.context.trouble(error as Error)
      session.close()
      ended = { type: 'over' }
    }
    return (await this.workEnds(running)) ? ended : { type: 'work hangs', running }
  }

  private async giveUp(term: Term, running: Running): Promise<Ended | 'withdrawn'> {
    const { presence, transactions, session, noteResign } = this.context
    const failure = this.drain === null ? running.failure : null
    const why = this.drain?.why ?? 'resigned'
    const detail = this.drain?.detail ?? (failure ? 'the work failed' : 'the work has ended')
    term.end(why, detail)
    // Who was told to go as well goes, whatever becomes of the request.
    const handoff = this.isToldToGo ? null : (this.drain?.handoff ?? null)
    if (handoff?.target && !(await this.isNext(term, handoff.target)))
      return this.refusal === null ? 'withdrawn' : this.over()
    const words = this.lastWords('waiting', detail, [])
    const also = handoff === null ? [] : [transactions.sameHandoff(handoff)]
    try {
      const gone = await transactions.release(this.won.seat, presence.lastWord(session.lease, words), also)
      if (!gone && handoff !== null) return 'withdrawn'
      noteResign(words.lastResign)
    } catch (error) {
      if (failure === null) throw error
      this.context.trouble(error as Error)
    }
    if (failure !== null) return { type: 'work failed', error: failure.error }
    return this.drain === null ? { type: 'over', workDone: true } : { type: 'over' }
  }

  /** The seat is gone: a new session, unless the store went backwards. */
  private over(): Ended {
    if (this.refusal instanceof StoreRolledBackError) throw this.refusal
    return { type: 'over' }
  }

  /** False when `lead` was told to end and the work did not in the time it had. */
  private async workEnds(running: Running): Promise<boolean> {
    const { stop, session } = this.context
    await running.orAborted(stop)
    return running.within(session.timing.drainMs)
  }

  private lastWords(state: CandidateState, reason: string, nonces: readonly string[]) {
    return { state, token: this.token, switchNonces: nonces, lastResign: { reason, token: this.token } }
  }
}
