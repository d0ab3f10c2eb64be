/** What a member of etcd counts of leases that ended, from its metrics page, and what two readings prove. */
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { count, timeOfDay } from '../../lib/shared/format.ts'
import type { LeaseProof } from './removal-evidence.ts'

/** etcd counts from the start of a member's process (server/lease/metrics.go, server/etcdserver/metrics.go). */
export interface LeaseCounts {
  /** Every lease that ended, however; on every member. */
  ended: number
  /** Those that the member let expire: only the etcd raft leader does. */
  expired: number
  isRaftLeader: boolean
  raftLeaderChanges: number
  /** Of writes: an expiry that timed out and took effect after all is counted as none. */
  failedProposals: number
  /** Tells one process from the next. */
  startedAt: number
}

const NAMES: Record<Exclude<keyof LeaseCounts, 'isRaftLeader'> | 'leads', string> = {
  ended: 'etcd_debugging_lease_revoked_total',
  expired: 'etcd_debugging_server_lease_expired_total',
  leads: 'etcd_server_is_leader',
  raftLeaderChanges: 'etcd_server_leader_changes_seen_total',
  failedProposals: 'etcd_server_proposals_failed_total',
  startedAt: 'process_start_time_seconds',
}

/** `page` is in the Prometheus text format; null when one of the counters is not on it. */
export function parseLeaseCounts(page: string): LeaseCounts | null {
  const values = new Map<string, number>()
  for (const line of page.split('\n')) {
    const [name = '', value] = line.trim().split(/\s+/)
    if (value !== undefined) values.set(name, Number(value))
  }
  const found = Object.entries(NAMES).map(([key, name]) => [key, values.get(name)] as const)
  if (found.some(([, value]) => value === undefined || Number.isNaN(value))) return null
  const { leads, ...counts } = Object.fromEntries(found) as Record<keyof typeof NAMES, number>
  return { ...counts, isRaftLeader: leads === 1 }
}

export function sameCounts(a: LeaseCounts, b: LeaseCounts): boolean {
  return (Object.keys(a) as (keyof LeaseCounts)[]).every((key) => a[key] === b[key])
}

/** Of the etcd raft leader, when nothing was being counted. */
export interface Reading {
  url: string
  counts: LeaseCounts
  at: Instant
}

/** What the leases have in common that ended between two readings; null where that proves nothing of a single one. */
export function proofBetween(before: Reading, after: Reading): LeaseProof | null {
  const [a, b] = [before.counts, after.counts]
  const unchanged = ['isRaftLeader', 'raftLeaderChanges', 'failedProposals', 'startedAt'] as const
  if (before.url !== after.url || !b.isRaftLeader || unchanged.some((key) => a[key] !== b[key])) return null
  const ended = b.ended - a.ended
  const expired = b.expired - a.expired
  if (ended < 1 || expired < 0 || elapsedMs(before.at, after.at) < 0) return null
  const when = `between ${timeOfDay(before.at)} and ${timeOfDay(after.at)} UTC`
  if (expired === ended) {
    const all = ended === 1 ? `the only lease that ended ${when}` : `all ${count(ended, 'lease')} that ended ${when}`
    return { cause: 'expired', words: `${all} expired` }
  }
  if (expired > 0) return null
  return {
    cause: 'lease lost',
    words: `etcd let none expire ${when}: it was revoked, by its holder or by somebody else`,
  }
}
