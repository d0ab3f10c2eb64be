/** What waits for each channel, oldest first, bounded. */
import type { Delivery } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { Message, Outbox, Waiting } from './outbox.ts'

/** Of one channel. What is wrong with many elections is one message, so these are many days' worth of trouble. */
export const MOST_WAITING = 10_000

export interface LoggedDelivery {
  delivery: Delivery
  /** Until it is delivered or given up. */
  message: Message | null
}

export class Queues implements Outbox {
  private readonly queues = new Map<string, LoggedDelivery[]>()
  private readonly listeners = new Set<(channel: string) => void>()
  /** Dropped before they were sent. */
  private readonly untold = new Set<string>()
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
    // Who was not told that it began would not know what is over.
    if (kind === 'resolved' && this.untold.delete(untoldKey({ channel, alertId: alert.id }))) return
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

  /**
   * An alert that began and ended while its channel was away, first; never half of one, so that nobody is told of an
   * end alone. Then a warning rather than what is critical; never the first, which may be under way.
   */
  private dropOne(queue: LoggedDelivery[], now: Instant): void {
    const over = queue.findIndex(
      ({ delivery }, at) => at > 0 && delivery.kind === 'firing' && endOf(queue, delivery) > at,
    )
    const warning = queue.findIndex(({ message }, at) => at > 0 && message?.alert.severity === 'warning')
    const at = over > 0 ? over : warning > 0 ? warning : 1
    const first = queue[at]
    if (first === undefined) return
    const ends = endOf(queue, first.delivery)
    const dropped = ends > at ? [...queue.splice(ends, 1), ...queue.splice(at, 1)] : queue.splice(at, 1)
    const error = `not sent: more than ${MOST_WAITING.toLocaleString('en-US')} messages waited for this channel at ${now}`
    for (const logged of dropped) {
      this.end(logged, { state: 'failed', error })
      if (logged.delivery.kind === 'firing' && ends < 0) this.untold.add(untoldKey(logged.delivery))
    }
  }

  private end({ delivery }: LoggedDelivery, change: Partial<Delivery>): void {
    this.onChanged({ delivery: { ...delivery, nextAt: null, ...change }, message: null })
  }
}

const untoldKey = ({ channel, alertId }: Pick<Delivery, 'channel' | 'alertId'>) => `${channel} ${alertId}`

/** Where the message stands that the same alert is over; -1 where none does. */
function endOf(queue: readonly LoggedDelivery[], { alertId }: Delivery): number {
  return queue.findIndex(({ delivery }) => delivery.kind === 'resolved' && delivery.alertId === alertId)
}
