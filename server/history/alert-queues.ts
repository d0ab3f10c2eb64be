/** What waits for each channel, oldest first, bounded. */
import type { Delivery } from '../../lib/election/alerts.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { Message, Outbox, Waiting } from './outbox.ts'

/** Of one channel; more than a day's worth of trouble. */
export const MOST_WAITING = 1_000

export interface LoggedDelivery {
  delivery: Delivery
  /** Until it is delivered or given up. */
  message: Message | null
}

export class Queues implements Outbox {
  private readonly queues = new Map<string, LoggedDelivery[]>()
  private readonly listeners = new Set<(channel: string) => void>()
  private readonly onChanged: (logged: LoggedDelivery) => void

  constructor(onChanged: (logged: LoggedDelivery) => void) {
    this.onChanged = onChanged
  }

  /** From an earlier run. */
  restore(logged: LoggedDelivery): void {
    this.queueOf(logged.delivery.channel).push(logged)
  }

  add(channel: string, message: Message): void {
    const { id, kind, at, alert } = message
    const delivery: Delivery = {
      id,
      channel,
      kind,
      alertId: alert.id,
      key: alert.key,
      summary: alert.summary,
      at,
      state: 'waiting',
      attempts: 0,
      deliveredAt: null,
      error: null,
      nextAt: at,
    }
    const queue = this.queueOf(channel)
    queue.push({ delivery, message })
    this.onChanged({ delivery, message })
    if (queue.length > MOST_WAITING) this.dropOne(queue, at)
  }

  /** After what was added was saved. */
  announce(channels: Iterable<string>): void {
    for (const channel of channels) for (const listener of this.listeners) listener(channel)
  }

  next(channel: string): Waiting | null {
    const first = this.queues.get(channel)?.[0]
    if (first?.message == null) return null
    const { attempts, nextAt, at } = first.delivery
    return { channel, message: first.message, attempts, nextAt: nextAt ?? at }
  }

  waiting(channel: string): number {
    return this.queues.get(channel)?.length ?? 0
  }

  delivered(channel: string, id: string, at: Instant): void {
    const logged = this.take(channel, id)
    if (logged === null) return
    const { attempts } = logged.delivery
    this.end(logged, { state: 'delivered', attempts: attempts + 1, deliveredAt: at, error: null })
  }

  failed(channel: string, id: string, failure: { at: Instant; error: string; nextAt: Instant | null }): void {
    const queue = this.queueOf(channel)
    const at = queue.findIndex(({ delivery }) => delivery.id === id)
    const logged = queue[at]
    if (logged === undefined) return
    const attempts = logged.delivery.attempts + 1
    const { error, nextAt } = failure
    if (nextAt === null) {
      queue.splice(at, 1)
      this.end(logged, { state: 'failed', attempts, error })
      return
    }
    const again = { ...logged, delivery: { ...logged.delivery, attempts, error, nextAt } }
    queue[at] = again
    this.onChanged(again)
  }

  onAdded(listener: (channel: string) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  abandon(channels: ReadonlySet<string>, at: Instant): void {
    for (const [channel, queue] of this.queues) {
      if (channels.has(channel)) continue
      for (const { delivery } of [...queue]) {
        this.failed(channel, delivery.id, { at, error: `there is no channel "${channel}" any more`, nextAt: null })
      }
    }
  }

  private queueOf(channel: string): LoggedDelivery[] {
    const known = this.queues.get(channel)
    if (known !== undefined) return known
    const queue: LoggedDelivery[] = []
    this.queues.set(channel, queue)
    return queue
  }

  private take(channel: string, id: string): LoggedDelivery | null {
    const queue = this.queueOf(channel)
    const at = queue.findIndex(({ delivery }) => delivery.id === id)
    return at < 0 ? null : (queue.splice(at, 1)[0] ?? null)
  }

  /** A warning rather than what is critical; never the first, which may be under way. */
  private dropOne(queue: LoggedDelivery[], now: Instant): void {
    const warning = queue.findIndex(({ message }, at) => at > 0 && message?.alert.severity === 'warning')
    const logged = queue.splice(warning > 0 ? warning : 1, 1)[0]
    if (logged === undefined) return
    const error = `not sent: more than ${MOST_WAITING.toLocaleString('en-US')} messages waited for this channel`
    this.end(logged, { state: 'failed', error: `${error} at ${instant(msOf(now))}` })
  }

  private end({ delivery }: LoggedDelivery, change: Partial<Delivery>): void {
    this.onChanged({ delivery: { ...delivery, nextAt: null, ...change }, message: null })
  }
}
