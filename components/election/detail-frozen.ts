/** When what is shown stopped being proven, and why: etcd's silence towards Tenure, or Tenure's towards this tab. */
import type { Cluster } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { Connection } from '../live/live-store.ts'

export interface Frozen {
  /** The newest proven moment; null when there never was one. */
  at: Instant | null
  why: string
}

/** What follows is detail: the banner has it in full. */
const CAUSE_ENDS = /, data as of |: /

/** Null while live. */
export function frozenOf(cluster: Cluster | undefined, connection: Connection): Frozen | null {
  if (connection.state === 'reconnecting') return { at: connection.since, why: connection.reason }
  if (cluster === undefined || cluster.freshness === 'live') return null
  const why =
    cluster.freshness === 'stale' ? 'etcd has not answered a heartbeat read since' : 'no member of the cluster answers'
  return { at: cluster.asOf, why: cluster.reason?.split(CAUSE_ENDS)[0] ?? why }
}

/** The moment up to which countdowns and durations may count. */
export function provenNow(frozen: Frozen | null, now: Instant): Instant {
  return frozen?.at ?? now
}
