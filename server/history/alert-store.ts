/**
 * What is known of alerts, over restarts. Saving never throws and never loses what is in memory: a full disk must
 * not keep anybody from being told. What could not be written is tried again, and `problem` says so.
 */
import type { Alert, AlertRule, Delivery, Silence } from '../../lib/election/alerts.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { Message, Outbox } from './outbox.ts'

/** An alert with what only its keeper needs. */
export interface KeptAlert extends Alert {
  /** Its firing was handed to the channels. */
  told: boolean
  /** Channels that were. */
  toldTo: readonly string[]
  /** So was that it is over. */
  toldOver: boolean
  /** How often it was said again. */
  reminded: number
  /** Of the leader when it began: what is wrong with one leader ends with it. */
  token: string | null
}

export interface Saving {
  alerts?: readonly KeptAlert[]
  silences?: readonly Silence[]
  /** One for each channel that is to tell it. */
  messages?: readonly { channel: string; message: Message }[]
}

export interface AlertHistoryQuery {
  /** With those that concern Tenure as a whole. */
  cluster?: string
  ref?: ElectionRef
  rule?: AlertRule
  /** Fired or still firing at this time or later. */
  from?: Instant
  /** Fired before. */
  to?: Instant
  cursor?: string
  /** Clamped to 1–200. */
  limit: number
}

export interface DeliveryQuery {
  channel?: string
  alertId?: string
  cursor?: string
  /** Clamped to 1–200. */
  limit: number
}

export interface AlertStore extends Outbox {
  /**
   * Those that fire, those resolved since `resolvedSince`, and silences that hold or ended since then. null: they
   * cannot be read now, and nothing is written over them until they have been.
   */
  load(resolvedSince: Instant): { alerts: KeptAlert[]; silences: Silence[] } | null
  /** The file is another one than what was read: everything has to be saved anew. Said once. */
  wasReplaced(): boolean
  /** The newest delivery of a channel that was tried; null when there is none. */
  lastTried(channel: string): { deliveredAt: Instant | null; error: string | null } | null
  save(saving: Saving): void
  /** Tries what could not be written. */
  flush(): void
  /** Rises with whatever is saved or sent. */
  readonly changes: number
  /** Why what changed cannot be saved now; null when it is. */
  readonly problem: string | null
  /** Newest firing first. These throw `HistoryUnavailable` and `InvalidCursor`. */
  history(query: AlertHistoryQuery): { alerts: Alert[]; nextCursor?: string }
  /** Newest first. */
  deliveries(query: DeliveryQuery): { deliveries: Delivery[]; nextCursor?: string }
  /** Of a channel that is tried outside the queue. */
  logTest(delivery: Delivery): void
  /** What waits for a channel that is not configured any more will not be sent. */
  abandon(channels: ReadonlySet<string>, at: Instant): void
  /** Forgets what was over before, a step at a time; true while there is more. */
  prune(before: Instant): boolean
  close(): void
}

export function withoutKept({
  told: _,
  toldTo: __,
  toldOver: ___,
  reminded: ____,
  token: _____,
  ...alert
}: KeptAlert): Alert {
  return alert
}
