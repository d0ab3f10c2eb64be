/** Alerts as a whole: what is wrong now, who is told, and what people say to it. */
import { type Alert, type AlertsTold, type ChannelShape, type Silence, worstFirst } from '../../lib/election/alerts.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import {
  type AlertHistoryQuery,
  type AlertStore,
  type DeliveryQuery,
  type KeptAlert,
  withoutKept,
} from '../history/alert-store.ts'
import type { Log } from '../watch/log.ts'
import { AlertError } from './alert-error.ts'
import type { Channel } from './channels/channel.ts'
import { testDelivery } from './delivery/test-delivery.ts'
import { Engine, type EngineOptions } from './engine.ts'
import { Keeper } from './keeper.ts'
import { PageTeller } from './page-teller.ts'
import { type NewSilence, Silences } from './silences.ts'
import { resolvedSince, Teller } from './teller.ts'

const PASS_MS = 1_000
/** More than anybody reads; a mass event of thousands must not make an answer of megabytes. */
const MOST_LISTED = 1_000
const KEPT_MS = 31 * 24 * 3_600_000
const PRUNE_EVERY_PASSES = 3_600

export interface AlertsOptions extends Omit<EngineOptions, 'keeper' | 'onReminder'> {
  store: AlertStore
  channels: readonly Channel[]
  publicUrl: string | undefined
  log: Log
  /** What pages of a cluster are to be told. */
  tellPages: (cluster: string, told: AlertsTold) => void
}

/** What takes messages out of the store to their channels. */
export interface Delivering {
  /** What holds has changed. */
  changed(): void
  shapes(): readonly ChannelShape[]
  test(channel: string): Promise<{ delivered: boolean; error?: string; tookMs: number }>
  stop(): Promise<void>
}

export interface AlertList {
  alerts: Alert[]
  more: number
  silences: Silence[]
  channels: readonly ChannelShape[]
  /** Why alerts cannot be saved now. */
  problem: string | null
}

const NOBODY: Delivering = {
  changed: () => {},
  shapes: () => [],
  test: () => Promise.reject(new Error('no channel is configured')),
  stop: async () => {},
}

export class Alerts {
  readonly teller: Teller
  private readonly options: AlertsOptions
  private readonly keeper = new Keeper()
  private readonly engine: Engine
  private delivering: Delivering = NOBODY
  private readonly silences = new Silences()
  private readonly timers: { pass?: NodeJS.Timeout; tell?: NodeJS.Timeout } = {}
  private passes = 0
  private isLoaded = false
  private problem: string | null = null
  private readonly tried = new Map<string, ReturnType<AlertStore['lastTried']>>()
  private stopped = false
  private readonly pages: PageTeller

  constructor(options: AlertsOptions) {
    this.options = options
    this.engine = new Engine({
      ...options,
      keeper: this.keeper,
      onReminder: (alert, reminder) => this.teller.remind(alert, reminder, this.now()),
    })
    this.teller = new Teller({
      keeper: this.keeper,
      store: options.store,
      channels: options.channels,
      publicUrl: options.publicUrl,
      silences: this.silences,
      partOf: (alert) => this.engine.partOf(alert),
      sees: (cluster) => this.engine.sees(cluster),
    })
    // Another than that of an earlier run.
    const first = options.clock.nowMs()
    this.pages = new PageTeller({
      clusters: options.watched.map(({ name }) => name),
      current: (cluster) => this.current(cluster),
      version: () => first + this.keeper.version + options.store.changes,
      tell: options.tellPages,
    })
  }

  /** Goes on from what an earlier run knew. */
  start(delivering = NOBODY): void {
    this.delivering = delivering
    this.load()
    this.timers.pass = setInterval(() => this.pass(), PASS_MS)
    this.pass()
  }

  /** What cannot be read now is asked for again: until then who was told of what is not known, and people are told. */
  private load(): void {
    const { store, clock, channels } = this.options
    const known = store.load(resolvedSince(clock.nowMs()))
    this.isLoaded = known !== null
    if (known === null) return
    this.keeper.restore(known.alerts)
    this.silences.restore(known.silences)
    store.abandon(new Set(channels.map(({ name }) => name)), this.now())
  }

  /** Elections that changed; null: what is stopped changed. */
  changed(cluster: string, refs: readonly ElectionRef[] | null): void {
    if (this.stopped) return
    this.engine.changed(cluster, refs)
    this.tellSoon(0)
  }

  /** What fires and what is about to. */
  all(): IterableIterator<Alert> {
    return this.keeper.current()
  }

  /**
   * What fires and what is about to, worst first, those that another says already last; of one cluster, with what
   * concerns Tenure as a whole. `more` are not in it.
   */
  list(cluster?: string): AlertList {
    const all = this.current(cluster).sort(
      (a, b) => Number(a.partOf !== null) - Number(b.partOf !== null) || worstFirst(a, b),
    )
    return {
      alerts: all.slice(0, MOST_LISTED).map(withoutKept),
      more: Math.max(0, all.length - MOST_LISTED),
      silences: this.silences.listed(this.now()),
      channels: this.delivering.shapes().map((shape) => this.withPast(shape)),
      problem: this.options.store.problem,
    }
  }

  /** A channel that has not been tried in this run is as it was when it was tried last. */
  private withPast(shape: ChannelShape): ChannelShape {
    if (shape.type === 'alertmanager' || shape.lastDeliveredAt !== null || shape.trouble !== null) return shape
    if (!this.tried.has(shape.name)) this.tried.set(shape.name, this.options.store.lastTried(shape.name))
    const last = this.tried.get(shape.name)
    return last ? { ...shape, lastDeliveredAt: last.deliveredAt, trouble: last.error } : shape
  }

  history(query: AlertHistoryQuery) {
    // What has just changed is saved with the next telling.
    this.tellNow()
    return this.options.store.history(query)
  }

  deliveries(query: DeliveryQuery) {
    return this.options.store.deliveries(query)
  }

  /** Those that fired or were firing between two times, newest first, at most 200. */
  firedIn(query: { cluster: string; from: Instant; to: Instant }): Alert[] {
    return this.history({ ...query, limit: 200 }).alerts
  }

  acknowledge(id: string, { by, comment }: { by: string; comment: string }): Alert {
    const alert = this.keeper.byId(id)
    if (alert === undefined)
      throw new AlertError('unknown', `there is no alert ${id}: alerts.list names those that fire`)
    if (alert.stage !== 'firing') {
      throw new AlertError('over', `${alert.summary}: this alert does not fire, so there is nothing to acknowledge`)
    }
    const next = { ...alert, acknowledged: { by, at: this.now(), comment } }
    this.keeper.put(next)
    this.tellNow()
    return withoutKept(next)
  }

  /** Throws `AlertError`, as the next does. */
  silence(silence: NewSilence, by: string): Silence {
    return this.silenced(this.silences.begin(silence, by, this.now()))
  }

  endSilence(id: string, by: string): Silence {
    return this.silenced(this.silences.end(id, by, this.now()))
  }

  /** Throws `AlertError` for a channel that is not configured. */
  async test(channel: string): ReturnType<Delivering['test']> {
    const names = this.delivering.shapes().map(({ name }) => name)
    if (!names.includes(channel)) {
      const known = names.length === 0 ? 'none is' : `there is ${names.join(', ')}`
      throw new AlertError('unknown', `no channel "${channel}" is configured: ${known}`)
    }
    const at = this.now()
    const result = await this.delivering.test(channel)
    this.options.store.logTest(testDelivery({ channel, at, endedAt: this.now() }, result))
    this.pages.tellSoon()
    return result
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearInterval(this.timers.pass)
    clearTimeout(this.timers.tell)
    this.pages.stop()
    this.teller.tell(this.now())
    await this.delivering.stop()
    this.options.store.close()
  }

  /** Looks at everything, and tells what is to be told. */
  pass(): void {
    const { store, clock, log } = this.options
    try {
      if (!this.isLoaded) this.load()
      this.engine.pass()
      this.keeper.forget(resolvedSince(clock.nowMs()))
      this.tellNow()
      store.flush()
      if (store.wasReplaced()) this.saveAll()
      this.noteProblem()
      this.passes += 1
      if (this.passes % PRUNE_EVERY_PASSES === 1) this.prune()
    } catch (error) {
      // One look that fails must not be the last.
      log.error({ err: error }, 'looking for alerts failed')
    }
  }

  /** Of what stood in the file before only this is known. */
  private saveAll(): void {
    const { store, log } = this.options
    log.error({}, 'the file of alerts was moved or replaced while Tenure runs: what is known now is written anew')
    const firing = [...this.keeper.current()].filter(({ stage }) => stage === 'firing')
    const alerts = [...firing, ...this.keeper.recentlyResolved()]
    store.save({ alerts, silences: this.silences.listed(this.now()) })
  }

  private noteProblem(): void {
    const { store, log } = this.options
    if (store.problem === this.problem) return
    this.problem = store.problem
    if (this.problem === null) log.info({}, 'alerts are saved again')
    else log.error({ problem: this.problem }, 'alerts cannot be saved')
  }

  private prune(): void {
    const before = instant(this.options.clock.nowMs() - KEPT_MS)
    this.silences.forget(before)
    const step = () => {
      if (!this.stopped && this.options.store.prune(before)) setTimeout(step, 100).unref()
    }
    step()
  }

  private silenced(silence: Silence): Silence {
    this.options.store.save({ silences: [silence] })
    this.tellNow()
    return silence
  }

  private current(cluster: string | undefined): KeptAlert[] {
    return [...this.keeper.current()].filter(
      (alert) => cluster === undefined || alert.cluster === null || alert.cluster === cluster,
    )
  }

  private tellSoon(inMs: number): void {
    if (this.timers.tell !== undefined) return
    this.timers.tell = setTimeout(() => {
      this.timers.tell = undefined
      this.tellNow()
    }, inMs)
  }

  private tellNow(): void {
    this.engine.weigh()
    const { soonMs, changed } = this.teller.tell(this.now())
    if (changed) this.delivering.changed()
    if (soonMs !== null && !this.stopped) this.tellSoon(soonMs)
    this.pages.tellSoon()
  }

  private now(): Instant {
    return instant(this.options.clock.nowMs())
  }
}
