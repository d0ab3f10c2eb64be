/**
 * A candidate for one seat. It does **not** guarantee that no two processes ever act at once: after a change
 * the former leader may be in the middle of a write, and a machine may stop between a proof and the write it
 * was asked for. Only a resource that checks the token can refuse that write (`lib/fencing`). What it does:
 * its own clock takes the leadership away before etcd can give it to another, and every doubt counts as "not
 * leading".
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { FencingToken } from '../election/epoch.ts'
import type { CandidateState, Presence } from '../election/presence.ts'
import type { LeaseId } from '../election/types.ts'
import { backoffMs, sleep } from '../shared/abort.ts'
import { escapeLatin1 } from '../shared/bytes.ts'
import { Bell } from './bell.ts'
import { Campaign } from './campaign.ts'
import { CandidateOptionsError, SeatLost, StoreRolledBackError } from './errors.ts'
import { Keys } from './keys.ts'
import { ClientClosed, checkedSignal, isClosed, WorkFailed, WorkHangs } from './lead-call.ts'
import { LeftLeases } from './left-leases.ts'
import { type Observed, observe, stoppable } from './observe.ts'
import { type CandidateOptions, type Settings, settingsOf } from './options.ts'
import { PresenceKey } from './presence.ts'
import { type Ended, Reign, type StateDetails } from './reign.ts'
import { Reporting } from './reporting.ts'
import type { Running, Work } from './running.ts'
import { Session } from './session.ts'
import type { Term } from './term.ts'
import { Transactions } from './transactions.ts'
import { Triggers } from './triggers.ts'
import { warnWhenAlone } from './warn-when-alone.ts'
import { Witness } from './witness.ts'

export interface Candidate {
  /** `waiting` before `lead` is called, `lost` after it has ended. */
  readonly state: CandidateState
  /**
   * Campaigns, calls `work` when elected, and campaigns again after a loss, until `signal` aborts: then it gives
   * the seat up and resolves. A work that returns gives the seat up and queues again. Rejects with what the work
   * threw, with `CandidateOptionsError` when the granted TTL does not suit the options, with an `Error` when the
   * etcd client was closed before the signal was aborted, and with an `Error` when the work did not end within `drainMs` of being told; the lease is then left to expire, and no other call is
   * taken before that work has ended. What a work throws once it was told to end goes to `onTrouble`.
   */
  lead(work: Work, options?: { signal?: AbortSignal }): Promise<void>
  /**
   * Gives the seat up, once the work has ended, and queues again. Resolves at once for one who does not lead, and
   * inside of the work, which would wait for itself.
   */
  resign(reason: string): Promise<void>
  /** Who leads, as a linearizable read says, at each change; `unknown` while no read is answered. */
  observe(options?: { signal?: AbortSignal }): AsyncIterable<Observed>
  /** Calls `listener` after each change of `state`; answers a stop. */
  onState(listener: (state: CandidateState) => void): () => void
  /** For a liveness probe: false while the work runs without a proven leadership. */
  health(): boolean
  /** A fenced resource refused a write of this process: goes into the reports. */
  countRejection(): void
}

/** Throws `CandidateOptionsError` when an option cannot work. Nothing is sent before `lead` or `observe`. */
export function createCandidate(options: CandidateOptions): Candidate {
  return candidateOf(settingsOf(options))
}

/** The same, from settings that are checked already: by another clock, for example. */
export function candidateOf(settings: Settings): Candidate {
  return new ElectionCandidate(settings)
}

/** A waiter looks at the whole queue again at every n-th renewal, should a notice ever be lost. */
const LOOK_EVERY_RENEWALS = 3
const EPOCH_POLL_MS = 2_000
const SUCCESSOR_FIRST_MS = 50
/** A single key has no queue: who had it lets the others try first. A work that returns at once leads no oftener. */
const REST_MS = 1_000

class ElectionCandidate implements Candidate {
  state: CandidateState = 'waiting'
  readonly settings: Settings
  readonly witness: Witness
  readonly transactions: Transactions
  private readonly keys: Keys
  private readonly presence: PresenceKey
  private readonly reporting: Reporting
  private readonly bell = new Bell()
  private readonly listeners = new Set<(state: CandidateState) => void>()
  private readonly left: LeftLeases
  private term: Term | null = null
  private lastToken: FencingToken | null = null
  private lastResign: Presence['lastResign'] = null
  private session: Session | null = null
  private resigning: { reason: string; done: Promise<void>; settle: () => void } | null = null
  private isRunning = false
  private ledSinceMs = 0
  private readonly insideWork = new AsyncLocalStorage<true>()
  /** A work that did not end when it had to. */
  private hung: Running | null = null

  constructor(settings: Settings) {
    this.settings = settings
    this.keys = new Keys(settings)
    this.left = new LeftLeases(settings)
    this.witness = new Witness(settings.minEpoch, `${escapeLatin1(settings.metaPrefix)}epoch`)
    this.transactions = new Transactions(settings, this.keys, this.witness)
    this.presence = new PresenceKey(settings, this.keys, this.transactions)
    this.reporting = new Reporting(settings, () => ({
      state: this.state,
      lease: this.session?.lease ?? null,
      term: this.term,
    }))
  }

  async lead(work: Work, options: { signal?: AbortSignal } = {}): Promise<void> {
    const signal = checkedSignal(work, options)
    if (this.isRunning) throw new Error('lead() runs already: create another candidate for another seat')
    if (this.isHanging) throw new Error('the work of an earlier lead() has not ended yet')
    this.isRunning = true
    try {
      await this.campaignUntil(signal, (leadership) => this.insideWork.run(true, work, leadership))
    } finally {
      this.isRunning = false
      this.enterState('lost')
      this.resigning?.settle()
      this.resigning = null
      await this.reporting.close()
    }
  }

  resign(reason: string): Promise<void> {
    if (this.term === null) return Promise.resolve()
    if (this.resigning === null) {
      const { promise, resolve } = Promise.withResolvers<void>()
      // Without types it may be left out, and must be heard all the same.
      this.resigning = { reason: String(reason ?? 'no reason given'), done: promise, settle: resolve }
      this.bell.ring()
    }
    return this.insideWork.getStore() ? Promise.resolve() : this.resigning.done
  }

  observe(options: { signal?: AbortSignal } = {}): AsyncIterable<Observed> {
    return stoppable((signal) => observe(this, signal), options.signal)
  }

  onState(listener: (state: CandidateState) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  health(): boolean {
    return !this.isHanging && (this.term === null || !this.term.isOver)
  }

  private get isHanging(): boolean {
    return this.hung !== null && !this.hung.settled
  }

  countRejection(): void {
    this.reporting.countRejection()
  }

  private async campaignUntil(signal: AbortSignal, work: Work): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        await this.serve(signal, work)
        failures = 0
      } catch (error) {
        if (error instanceof WorkFailed) throw error.cause
        if (error instanceof CandidateOptionsError || error instanceof WorkHangs) throw error
        if (isClosed(error) && !signal.aborted) throw new ClientClosed(error)
        this.settings.trouble(error as Error)
        if (error instanceof StoreRolledBackError) await this.awaitEpoch(signal)
        // Losing a seat is no failure: the next campaign begins at once, unless that happens again and again.
        else if (!(error instanceof SeatLost) || failures > 0) await sleep(backoffMs(failures, 100, 1_000), signal)
        failures += 1
      }
    }
  }

  /** One session: a lease, and as many terms as it bears. */
  private async serve(stop: AbortSignal, work: Work): Promise<void> {
    await this.left.revokeAll()
    await warnWhenAlone(this.settings.metaPrefix, this.transactions)
    let renewals = 0
    const session = await Session.open(this.settings, {
      renewed: (renewal) => {
        renewals += 1
        this.reporting.renewed(renewal)
        if (this.term !== null || renewals % LOOK_EVERY_RENEWALS === 0) this.bell.ring()
      },
      missed: (error) => {
        this.reporting.missed()
        this.settings.trouble(error)
      },
    })
    this.session = session
    const triggers = new Triggers(this.settings.etcd, this.bell)
    const issued = this.lastToken
    let ended: Ended = { type: 'stopped' }
    try {
      while (ended.type === 'stopped') ended = await this.serveOnce(session, triggers, stop, work)
    } finally {
      triggers.close()
      session.close()
      this.session = null
      // The successor comes first: until it has won, etcd does nothing else for us.
      if (this.lastToken !== issued && ended.type === 'over') await sleep(SUCCESSOR_FIRST_MS, stop)
      if (ended.type !== 'work hangs') await this.revoke(session.lease)
      this.enterState('lost')
    }
    if (this.lastToken !== issued) await sleep(this.restMs(ended), stop)
    if (ended.type === 'work failed') throw new WorkFailed(ended.error)
    if (ended.type !== 'work hangs') return
    this.hung = ended.running
    throw new WorkHangs(session.timing.drainMs)
  }

  private restMs(ended: Ended): number {
    const { layout, clock } = this.settings
    if (layout === 'single-key') return REST_MS
    const isDone = ended.type === 'over' && ended.workDone === true
    return isDone ? Math.max(0, this.ledSinceMs + REST_MS - clock.monoMs()) : 0
  }

  private async serveOnce(session: Session, triggers: Triggers, stop: AbortSignal, work: Work): Promise<Ended> {
    const { keys, transactions, presence, bell } = this
    const { trouble, clock } = this.settings
    const context = { keys, transactions, triggers, bell, session, stop, trouble }
    const enterState = (state: CandidateState, nonces: readonly string[]) => this.enterState(state, { nonces })
    const won = await new Campaign({ ...context, enterState }).win()
    if (won === null) return { type: 'over' }
    this.witness.issue({ epoch: won.standing.epoch, revision: won.seat.createRevision })
    const reign = new Reign(
      {
        ...context,
        presence,
        clock,
        resignAsked: () => this.resigning?.reason ?? null,
        noteResign: (resign) => {
          this.lastResign = resign
        },
        enterState: (state, details) => this.enterState(state, details),
      },
      won,
      work,
    )
    try {
      return await reign.run()
    } finally {
      this.term = null
      this.resigning?.settle()
      this.resigning = null
    }
  }

  private enterState(state: CandidateState, details: StateDetails = {}): void {
    if (details.term !== undefined) {
      this.term = details.term
      this.lastToken = details.term.token
      this.ledSinceMs = this.settings.clock.monoMs()
    }
    const lease = this.session?.lease
    if (lease !== undefined && state !== 'lost') {
      const { lastToken: token, lastResign } = this
      this.presence.say(lease, { state, token, switchNonces: details.nonces ?? [], lastResign })
    }
    if (state === this.state) return
    this.state = state
    for (const listener of this.listeners) this.tell(listener, state)
    this.reporting.changed()
  }

  /** A listener that throws must not be heard in a timer, or end what it was told of. */
  private tell(listener: (state: CandidateState) => void, state: CandidateState): void {
    try {
      listener(state)
    } catch (error) {
      this.settings.trouble(error as Error)
    }
  }

  /** Best effort. A lease that cannot be revoked now is tried again before the next one is asked for. */
  private async revoke(lease: LeaseId): Promise<void> {
    this.left.add(lease)
    await this.presence.settled()
    await this.left.revokeAll().catch(this.settings.trouble)
  }

  /** After a rollback nothing is led until somebody has raised the epoch. */
  private async awaitEpoch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const { header, epoch, mark } = await this.transactions.epochNow()
        if (this.witness.adopt(header, epoch, mark)) return
      } catch (error) {
        this.settings.trouble(error as Error)
      }
      await sleep(EPOCH_POLL_MS, signal)
    }
  }
}
