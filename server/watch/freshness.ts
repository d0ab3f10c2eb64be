/** How current the view is: judged by linearizable reads only, and by when each was sent. */
import type { EtcdErrorKind } from '../../lib/election/ports.ts'
import type { Freshness } from '../../lib/election/types.ts'
import { type Clock, type Instant, instant } from '../../lib/shared/clock.ts'
import { timeOfDay } from '../../lib/shared/format.ts'

export const STALE_AFTER_MS = 3_000

export interface FreshnessState {
  freshness: Freshness
  /** When the newest answered heartbeat was sent. */
  asOf: Instant | null
  quorum: boolean
  reason?: string
}

type Trouble = { kind: EtcdErrorKind; message: string }

export class FreshnessMeter {
  private readonly clock: Clock
  private sentMonoMs = Number.NEGATIVE_INFINITY
  private asOf: Instant | null = null
  private trouble: Trouble | null = null
  private watched = false
  private stream: { since: Instant; monoMs: number; reason: string } | null

  constructor(clock: Clock) {
    this.clock = clock
    this.stream = {
      since: instant(clock.nowMs()),
      monoMs: clock.monoMs(),
      reason: 'reading all keys for the first time',
    }
  }

  /** The watch stream answers: events that happen are seen. */
  watching(): void {
    this.stream = null
    this.watched = true
  }

  /** The watch stream broke; a current heartbeat alone does not make the view current. */
  notWatching(reason: string): void {
    this.stream =
      this.stream === null
        ? { since: instant(this.clock.nowMs()), monoMs: this.clock.monoMs(), reason }
        : { ...this.stream, reason }
  }

  /** Since when events may have been missed; null while the stream answers. */
  blindSince(): Instant | null {
    if (this.stream === null) return null
    return this.asOf !== null && this.asOf < this.stream.since ? this.asOf : this.stream.since
  }

  answered(sentMonoMs: number, sentAt: Instant): void {
    if (sentMonoMs <= this.sentMonoMs) return
    this.sentMonoMs = sentMonoMs
    this.asOf = sentAt
    this.trouble = null
  }

  failed(trouble: Trouble): void {
    this.trouble = trouble
  }

  /** Time since the newest answered heartbeat was sent; Infinity before the first. */
  ageMs(): number {
    return this.clock.monoMs() - this.sentMonoMs
  }

  read(): FreshnessState {
    if (this.ageMs() <= STALE_AFTER_MS) return this.streaming()
    const freshness = this.trouble?.kind === 'unavailable' || this.asOf === null ? 'unreachable' : 'stale'
    return { freshness, asOf: this.asOf, quorum: false, reason: this.reason() }
  }

  private streaming(): FreshnessState {
    const broken = this.stream
    if (!this.watched) return { freshness: 'unreachable', asOf: null, quorum: true, reason: broken?.reason ?? '' }
    if (broken === null || this.clock.monoMs() - broken.monoMs <= STALE_AFTER_MS) {
      return { freshness: 'live', asOf: this.asOf, quorum: true }
    }
    const reason = `the watch is interrupted, data as of ${timeOfDay(broken.since)} UTC: ${broken.reason}`
    return { freshness: 'stale', asOf: broken.since, quorum: true, reason }
  }

  private reason(): string {
    const since = this.asOf === null ? '' : `, data as of ${timeOfDay(this.asOf)} UTC`
    switch (this.trouble?.kind) {
      case undefined:
        return this.asOf === null ? 'waiting for the first answer of etcd' : `etcd has not answered${since}`
      case 'no-quorum':
        return `etcd has no quorum${since}`
      case 'unavailable':
        return `no etcd endpoint can be reached${since}: ${this.trouble?.message}`
      case 'auth':
      case 'denied':
        return `etcd refuses this account${since}: ${this.trouble?.message}`
      default:
        return `etcd does not answer${since}: ${this.trouble?.message}`
    }
  }
}

export function sentNow(clock: Clock): { monoMs: number; at: Instant } {
  return { monoMs: clock.monoMs(), at: instant(clock.nowMs()) }
}
