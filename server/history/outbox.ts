/** Messages that wait to be sent, and what came of those that were. Survives restarts. */
import type { Alert, DeliveryKind } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'

/** Where a reader goes from a message; absolute where `publicUrl` is set, else null. */
export interface Links {
  /** The election, the charts ending a little after it began; the alerts page where it is about no election. */
  alert: string | null
  runbook: string | null
}

export interface Message {
  /** The same however often it is sent. */
  id: string
  kind: DeliveryKind
  at: Instant
  /** As it was when the message was made; of a test, one that says so. */
  alert: Alert
  links: Links
}

export interface Waiting {
  channel: string
  message: Message
  /** Attempts so far, those of earlier runs included. */
  attempts: number
  nextAt: Instant
}

/** Messages of one channel are sent one after the other, oldest first. Nothing here throws: see `AlertStore`. */
export interface Outbox {
  /** The oldest of a channel that has neither been delivered nor given up; null when there is none. */
  next(channel: string): Waiting | null
  waiting(channel: string): number
  delivered(channel: string, id: string, at: Instant): void
  /** `nextAt` null: it is given up. */
  failed(channel: string, id: string, failure: { at: Instant; error: string; nextAt: Instant | null }): void
  /** Calls after a message was added. Answers a stop. */
  onAdded(listener: (channel: string) => void): () => void
}
