/** What is left of a lease at a moment of the server's time. Never more than a look-up showed. */
import { isAtRisk, silentMsAt } from '../../lib/election/status.ts'
import type { Candidate } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { duration, seconds, shortDuration } from '../../lib/shared/format.ts'

interface Renewal {
  /** Since the last renewal that look-ups prove; an upper bound. */
  silentMs: number
  /** etcd itself has refilled the lease since then. */
  refilled: boolean
}

export type Remaining =
  /** Lower bound: the true value is less than a second more. Always within 0…`grantedMs`. */
  | ({
      kind: 'left'
      leftMs: number
      grantedMs: number
      atRisk: boolean
      lateMs: number
      text: string
      of: string
    } & Renewal)
  | { kind: 'none' | 'denied' | 'unmeasured'; text: string }

export type Leased = Pick<Candidate, 'lease' | 'ttl' | 'ttlDenied'>

/** After this long past its last known end without another look-up, a countdown says nothing any more. */
const OVERDUE_MS = 3_000
/** From here on tenths of a second say nothing. */
const LONG_MS = 180_000
/** Clients of etcd renew when a third of the TTL has passed (client/v3/lease.go). */
export const RENEWAL_DUE = 2 / 3

export function remainingOf({ lease, ttl, ttlDenied }: Leased, now: Instant | null): Remaining {
  if (lease === null) return { kind: 'none', text: 'no lease – never expires' }
  if (ttlDenied) return { kind: 'denied', text: 'TTL unavailable' }
  if (ttl === null) return { kind: 'unmeasured', text: 'not looked up yet' }
  const passedMs = now === null ? 0 : Math.max(0, elapsedMs(ttl.asOf, now))
  const unclampedMs = ttl.remainingMs - passedMs
  if (unclampedMs < -OVERDUE_MS) return { kind: 'unmeasured', text: 'not looked up lately' }
  const leftMs = Math.min(ttl.grantedMs, Math.max(0, unclampedMs))
  const silentAtSampleMs = silentMsAt(ttl)
  return {
    kind: 'left',
    leftMs,
    grantedMs: ttl.grantedMs,
    atRisk: isAtRisk(ttl),
    lateMs: Math.max(0, ttl.grantedMs * RENEWAL_DUE - (ttl.grantedMs - silentAtSampleMs + 1_000)),
    silentMs: Math.max(0, silentAtSampleMs + passedMs),
    refilled: ttl.refilledAt !== undefined,
    text: leftMs < LONG_MS ? seconds(leftMs) : duration(leftMs),
    of: `of ${ttl.grantedMs < LONG_MS ? `${Math.round(ttl.grantedMs / 1000)} s` : shortDuration(ttl.grantedMs)}`,
  }
}
