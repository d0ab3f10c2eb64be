/** Sends what waits for one channel, oldest first, until it is taken or given up. */
import { backoffMs } from '../../../lib/shared/abort.ts'
import { type Clock, instant, msOf } from '../../../lib/shared/clock.ts'
import type { Outbox, Waiting } from '../../history/outbox.ts'
import type { DeliveryError, Message, MessageChannel } from '../channels/channel.ts'
import { Bell } from './bell.ts'
import { asDeliveryError, type ChannelHealth } from './channel-health.ts'

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 300_000
/** Longer than this nobody is let to make us wait. */
const MAX_WAIT_MS = 3_600_000
const GIVE_UP_MS = 86_400_000

export interface MessageLoopParts {
  channel: MessageChannel
  outbox: Outbox
  health: ChannelHealth
  clock: Clock
}

/** `stopping`: begin nothing more. `cutShort`: end what is under way; nothing is written of it. */
export interface StopSignals {
  stopping: AbortSignal
  cutShort: AbortSignal
}

export class MessageLoop {
  private readonly parts: MessageLoopParts
  private readonly bell = new Bell()
  /** By the monotonic clock: a wall clock that steps neither hurries nor holds up a retry. */
  private notBeforeMs = Number.NEGATIVE_INFINITY
  /** Settled, should the outbox not have been able to write it down. */
  private settled: { id: string; write: () => void } | null = null

  constructor(parts: MessageLoopParts) {
    this.parts = parts
  }

  /** Something was added, or the channel was seen to work: what waits is tried at once. */
  ring(): void {
    this.bell.ring()
  }

  tryNow(): void {
    this.notBeforeMs = Number.NEGATIVE_INFINITY
    this.bell.ring()
  }

  async run({ stopping, cutShort }: StopSignals): Promise<void> {
    const { channel, outbox, clock } = this.parts
    const stopListening = outbox.onAdded((name) => name === channel.name && this.ring())
    let isFirst = true
    while (!stopping.aborted) {
      const next = outbox.next(channel.name)
      const waitMs = next === null ? MAX_WAIT_MS : this.waitMs(next, isFirst)
      isFirst = false
      if (next === null || waitMs > 0) {
        await this.bell.wait(waitMs, stopping)
      } else if (this.settled?.id === next.message.id) {
        this.settled.write()
        this.notBeforeMs = clock.monoMs() + FIRST_RETRY_MS
      } else {
        await this.attempt(next, cutShort)
      }
    }
    stopListening()
  }

  /** What an earlier run has put off is due by the wall clock; what this one has, by the other. */
  private waitMs({ nextAt }: Waiting, isFirst: boolean): number {
    const { clock } = this.parts
    if (isFirst) {
      const leftMs = Math.min(MAX_WAIT_MS, Math.max(0, msOf(nextAt) - clock.nowMs()))
      this.notBeforeMs = clock.monoMs() + leftMs
    }
    return Math.max(0, this.notBeforeMs - clock.monoMs())
  }

  private async attempt(waiting: Waiting, cutShort: AbortSignal): Promise<void> {
    const { channel, outbox, health, clock } = this.parts
    const { message } = waiting
    try {
      const trouble = await channel.send(message, cutShort)
      if (cutShort.aborted) return
      health.took(trouble)
      this.settle(message, () => outbox.delivered(channel.name, message.id, instant(clock.nowMs())))
    } catch (thrown) {
      if (!cutShort.aborted) this.failed(waiting, asDeliveryError(thrown))
    }
  }

  private settle(message: Message, write: () => void): void {
    this.settled = { id: message.id, write }
    write()
  }

  private failed({ message, attempts }: Waiting, { message: error, permanent, retryAfterMs }: DeliveryError): void {
    const { channel, outbox, health, clock } = this.parts
    const now = clock.nowMs()
    const at = instant(now)
    health.refused(error)
    const backMs = Math.max(backoffMs(attempts, FIRST_RETRY_MS, LAST_RETRY_MS), retryAfterMs ?? 0)
    const nextMs = Math.min(MAX_WAIT_MS, backMs)
    const isTooOld = now + nextMs - msOf(message.at) > GIVE_UP_MS
    if (permanent || isTooOld) {
      const why = permanent ? error : `given up after 24 h: ${error}`
      this.settle(message, () => outbox.failed(channel.name, message.id, { at, error: why, nextAt: null }))
    } else {
      this.notBeforeMs = clock.monoMs() + nextMs
      outbox.failed(channel.name, message.id, { at, error, nextAt: instant(now + nextMs) })
    }
  }
}
