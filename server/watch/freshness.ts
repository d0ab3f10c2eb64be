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

/** Up to this moment every event has been seen. */
interface Proof {
  monoMs: number
  at: Instant
}

const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b)

export class FreshnessMeter {
  private readonly clock: Clock
  private sentMonoMs = Number.NEGATIVE_INFINITY
  private asOf: Instant | null = null
  private trouble: Trouble | null = null
  private seen: Proof | null = null
  private broken: string | null = null

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** Everything was read by a listing that began then. */
  listed(begun: Proof): void {
    this.seen = begun
  }

  /** The watch stream answers and is not behind: events that happen are seen. */
  watching(): void {
    this.seen = { monoMs: this.clock.monoMs(), at: instant(this.clock.nowMs()) }
    this.broken = null
  }

  /** The watch stream broke; a current heartbeat alone does not make the view current. */
  notWatching(reason: string): void {
    this.broken = reason
  }

  /** Since when events may have been missed: the last time that the watch was known to be well. */
  blindSince(): Instant | null {
    return this.seen?.at ?? null
  }

  /** Time since the watch was known to be well, in which an event may have waited; 0 before the first listing. */
  unseenMs(): number {
    return this.seen === null ? 0 : this.clock.monoMs() - this.seen.monoMs
  }

  /** Up to when all is known: a heartbeat answered and events were seen. Null before the first listing. */
  provenAt(): Instant | null {
    return this.seen === null || this.asOf === null ? null : earlier(this.seen.at, this.asOf)
  }

  /** When the newest answered heartbeat was sent. */
  answeredAt(): Instant | null {
    return this.asOf
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

  /** The members answered when asked, and knew no etcd raft leader. */
  quorumLost(): boolean {
    return this.ageMs() > STALE_AFTER_MS && this.trouble?.kind === 'no-quorum'
  }

  read(): FreshnessState {
    if (this.ageMs() <= STALE_AFTER_MS) return this.streaming()
    const freshness = this.trouble?.kind === 'unavailable' || this.asOf === null ? 'unreachable' : 'stale'
    const asOf = this.provenAt() ?? this.asOf
    return { freshness, asOf, quorum: false, reason: this.reason() }
  }

  private streaming(): FreshnessState {
    const { seen, broken } = this
    if (seen === null) {
      return {
        freshness: 'unreachable',
        asOf: null,
        quorum: true,
        reason: broken ?? 'reading all keys for the first time',
      }
    }
    if (this.clock.monoMs() - seen.monoMs <= STALE_AFTER_MS) {
      return { freshness: 'live', asOf: this.provenAt(), quorum: true }
    }
    const reason = `the watch is interrupted, data as of ${timeOfDay(seen.at)} UTC: ${broken ?? 'it is silent'}`
    return { freshness: 'stale', asOf: seen.at, quorum: true, reason }
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
