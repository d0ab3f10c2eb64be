/** A cluster as this tab can vouch for it. */
import type { Cluster, Freshness } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { Connection } from '../live/live-store.ts'

/** Without a stream nothing is live, whatever the last frame said. */
export function seenFreshness(cluster: Cluster, connection: Connection): Freshness {
  const blind = connection.state === 'reconnecting' || connection.state === 'connecting'
  return blind && cluster.freshness === 'live' ? 'stale' : cluster.freshness
}

/** Until when the view is true: null while it is live. */
export function frozenAt(cluster: Cluster, connection: Connection): Instant | null {
  if (seenFreshness(cluster, connection) === 'live') return null
  const lost = connection.state === 'reconnecting' ? connection.since : null
  if (cluster.asOf === null || lost === null) return cluster.asOf ?? lost
  return [lost, cluster.asOf].sort()[0] ?? null
}
