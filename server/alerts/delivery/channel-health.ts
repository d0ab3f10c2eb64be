/** How one channel does: told to pages, and to the log when it changes. */
import { type Clock, type Instant, instant } from '../../../lib/shared/clock.ts'
import type { Log } from '../../watch/log.ts'
import { DeliveryError } from '../channels/channel.ts'

export class ChannelHealth {
  /** Why the newest attempt failed, or what went wrong beside it. */
  trouble: string | null = null
  lastDeliveredAt: Instant | null = null
  private readonly name: string
  private readonly clock: Pick<Clock, 'nowMs'>
  private readonly log: Log

  constructor(name: string, clock: Pick<Clock, 'nowMs'>, log: Log) {
    this.name = name
    this.clock = clock
    this.log = log
  }

  took(trouble: string | null): void {
    this.lastDeliveredAt = instant(this.clock.nowMs())
    if (trouble === null && this.trouble !== null) this.log.info({ channel: this.name }, 'channel takes alerts again')
    this.change(trouble)
  }

  refused(trouble: string): void {
    this.change(trouble)
  }

  /** Once for each trouble, not for each attempt: some last for hours. */
  private change(trouble: string | null): void {
    if (trouble !== null && trouble !== this.trouble) {
      this.log.warn({ channel: this.name, trouble }, 'channel has trouble')
    }
    this.trouble = trouble
  }
}

/** Of whatever a channel threw: a defect of ours must not end its loop, nor tell a secret. */
export function asDeliveryError(thrown: unknown): DeliveryError {
  if (thrown instanceof DeliveryError) return thrown
  return new DeliveryError(`a defect of Tenure kept it from being sent (${(thrown as Error)?.name ?? typeof thrown})`)
}
