/** Where alerts are told. Each kind of channel implements one of two ports. */
import type { Alert, ChannelType, Severity } from '../../../lib/election/alerts.ts'
import type { Instant } from '../../../lib/shared/clock.ts'
import type { Links, Message } from '../../history/outbox.ts'

export type { Links, Message }

/** Tells each change once. */
export interface MessageChannel {
  readonly name: string
  readonly type: Exclude<ChannelType, 'alertmanager'>
  readonly to: string
  readonly severities: readonly Severity[]
  /** Resolves when the other side has taken it: with what went wrong beside that, or null. Rejects with `DeliveryError`. */
  send(message: Message, signal: AbortSignal): Promise<string | null>
}

export interface Standing {
  alert: Alert
  links: Links
}

/** Is told again and again what holds, as Alertmanager expects it. */
export interface StateChannel {
  readonly name: string
  readonly type: 'alertmanager'
  readonly to: string
  readonly severities: readonly Severity[]
  /** How often what holds is sent again. */
  readonly everyMs: number
  /** What fires, and what has been resolved within the last 15 minutes. Resolves and rejects as `send` does. */
  push(standing: readonly Standing[], now: Instant, signal: AbortSignal): Promise<string | null>
}

export type Channel = MessageChannel | StateChannel

/** `permanent`: sending the same again cannot help, as where the other side calls it malformed. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  readonly permanent: boolean
  /** The other side asked to wait so long. */
  readonly retryAfterMs: number | null

  constructor(message: string, { permanent = false, retryAfterMs = null as number | null } = {}) {
    super(message)
    this.permanent = permanent
    this.retryAfterMs = retryAfterMs
  }
}
