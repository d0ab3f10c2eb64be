/** Who is told of what: once, not of what another alert says already, and not while a silence holds. */
import { randomUUID } from 'node:crypto'
import type { DeliveryKind } from '../../lib/election/alerts.ts'
import { elapsedMs, type Instant, instant } from '../../lib/shared/clock.ts'
import { type AlertStore, type KeptAlert, withoutKept } from '../history/alert-store.ts'
import type { Channel, Message, Standing } from './channels/channel.ts'
import type { Keeper } from './keeper.ts'
import { linksOf } from './links.ts'
import type { Silences } from './silences.ts'

/** An election's alert waits so long for others: then they are one event. */
const GROUP_WAIT_MS = 300
/** Warnings of many elections come one by one, as leases are looked up. */
const WARNING_WAIT_MS = 5_000
/** Who dies without a word is late first: its loss says more. Who survives it is told of. */
const LATE_WAIT_MS = 10_000
/** Until most of its elections are in it. */
const EVENT_WAIT_MS = 1_500
/** Alertmanager is told so long that something is over. */
export const RESOLVED_FOR_MS = 15 * 60_000

interface ToSend {
  channel: string
  message: Message
}

interface TellerOptions {
  keeper: Keeper
  store: AlertStore
  channels: readonly Channel[]
  publicUrl: string | undefined
  silences: Silences
  /** Key of the alert that says it already. */
  partOf: (alert: KeptAlert) => string | null
  /** Elections of the cluster can be judged now. */
  sees: (cluster: string | null) => boolean
}

function groupWaitMs({ rule, ref, severity }: KeptAlert): number {
  if (rule === 'mass-event') return EVENT_WAIT_MS
  if (ref === undefined) return 0
  if (rule === 'lease-margin') return LATE_WAIT_MS
  return severity === 'critical' ? GROUP_WAIT_MS : WARNING_WAIT_MS
}

export class Teller {
  private readonly options: TellerOptions

  constructor(options: TellerOptions) {
    this.options = options
  }

  /**
   * Saves what changed, with the messages of what is to be told, as one. Answers when something may have to be
   * told next; null: nothing waits.
   */
  tell(now: Instant): { soonMs: number | null; changed: boolean } {
    const { keeper, store } = this.options
    const messages: ToSend[] = []
    let soonMs: number | null = null
    for (const alert of keeper.current()) {
      const waitMs = this.waitOf(this.placed(alert, now), now)
      if (waitMs === null) continue
      if (waitMs > 0) soonMs = Math.min(soonMs ?? waitMs, waitMs)
      else messages.push(...this.fire(alert.key, now))
    }
    for (const alert of keeper.recentlyResolved()) {
      if (!alert.told || alert.toldOver) continue
      const over = { ...alert, toldOver: true }
      keeper.put(over)
      messages.push(...this.messages('resolved', over, now))
    }
    const alerts = keeper.takeDirty()
    if (alerts.length > 0 || messages.length > 0) store.save({ alerts, messages })
    return { soonMs, changed: alerts.length > 0 }
  }

  /** How long until it may be told; null: it is not to be told now. */
  private waitOf(alert: KeptAlert, now: Instant): number | null {
    const { stage, firedAt, told, silence, partOf, cluster, ref } = alert
    if (stage !== 'firing' || firedAt === null || told || silence !== null || partOf !== null) return null
    if (ref !== undefined && !this.options.sees(cluster)) return null
    return Math.max(0, groupWaitMs(alert) - elapsedMs(firedAt, now))
  }

  private fire(key: string, now: Instant): ToSend[] {
    const alert = this.options.keeper.byKey(key)
    if (alert === undefined) return []
    const toldTo = this.options.channels
      .filter(({ severities }) => severities.includes(alert.severity))
      .map(({ name }) => name)
    const told = { ...alert, told: true, toldTo }
    this.options.keeper.put(told)
    return this.messages('firing', told, now)
  }

  /** It goes on, and long enough to be said once more. */
  remind(alert: KeptAlert, reminded: number, now: Instant): void {
    const { keeper, store } = this.options
    const next = { ...alert, reminded }
    keeper.put(next)
    const messages = next.told && next.silence === null ? this.messages('reminder', next, now) : []
    store.save({ alerts: [next], messages })
  }

  /** What state channels are told: what was told and holds, or was over lately. */
  standing(): Standing[] {
    const { keeper } = this.options
    return [...keeper.current(), ...keeper.recentlyResolved()]
      .filter(({ told, stage }) => told && stage !== 'pending')
      .map((alert) => ({ alert: withoutKept(alert), links: this.linksOf(alert) }))
  }

  private placed(alert: KeptAlert, now: Instant): KeptAlert {
    const silence = this.options.silences.holding(alert, now)
    const partOf = this.options.partOf(alert)
    if (silence === alert.silence && partOf === alert.partOf) return alert
    const next = { ...alert, silence, partOf }
    this.options.keeper.put(next)
    return next
  }

  /** To whom its firing was told, whatever its severity is by now. */
  private messages(kind: DeliveryKind, alert: KeptAlert, at: Instant): ToSend[] {
    const message: Message = { id: randomUUID(), kind, at, alert: withoutKept(alert), links: this.linksOf(alert) }
    return this.options.channels
      .filter(({ type, name }) => type !== 'alertmanager' && alert.toldTo.includes(name))
      .map(({ name }) => ({ channel: name, message }))
  }

  private linksOf(alert: KeptAlert) {
    return linksOf(alert, this.options.publicUrl)
  }
}

/** Nothing resolved before is sent any more. */
export const resolvedSince = (nowMs: number): Instant => instant(nowMs - RESOLVED_FOR_MS)
