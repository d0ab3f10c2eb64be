/** The outbox in memory, for tests. */
import { type Instant, instant } from '../../lib/shared/clock.ts'
import type { Message, Outbox, Waiting } from './outbox.ts'

interface Kept extends Waiting {
  state: 'waiting' | 'delivered' | 'failed'
  error: string | null
  at: Instant | null
}

export class FakeOutbox implements Outbox {
  private readonly kept: Kept[] = []
  private readonly listeners = new Set<(channel: string) => void>()
  /** As a disk that is full: what is told of messages is not kept. */
  isStuck = false

  add(channel: string, message: Message): void {
    this.kept.push({ channel, message, attempts: 0, nextAt: instant(0), state: 'waiting', error: null, at: null })
    for (const tell of this.listeners) tell(channel)
  }

  next(channel: string): Waiting | null {
    return this.kept.find((each) => each.channel === channel && each.state === 'waiting') ?? null
  }

  waiting(channel: string): number {
    return this.kept.filter((each) => each.channel === channel && each.state === 'waiting').length
  }

  delivered(channel: string, id: string, at: Instant): void {
    this.change(channel, id, (kept) => Object.assign(kept, { state: 'delivered', attempts: kept.attempts + 1, at }))
  }

  failed(channel: string, id: string, { at, error, nextAt }: Parameters<Outbox['failed']>[2]): void {
    this.change(channel, id, (kept) => {
      const next = nextAt === null ? { state: 'failed' } : { nextAt }
      Object.assign(kept, { attempts: kept.attempts + 1, error, at, ...next })
    })
  }

  onAdded(listener: (channel: string) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** What became of a message. */
  of(channel: string, id: string): Readonly<Kept> | undefined {
    return this.kept.find((each) => each.channel === channel && each.message.id === id)
  }

  private change(channel: string, id: string, apply: (kept: Kept) => void): void {
    const found = this.kept.find((each) => each.channel === channel && each.message.id === id)
    if (found !== undefined && !this.isStuck) apply(found)
  }
}
