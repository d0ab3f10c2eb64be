'use client'
import { leaderOf } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { useServerNow } from '../live/use-live.ts'
import { useTickHz } from '../ui/use-media.ts'
import { LeaseBar } from './lease-bar.tsx'
import type { SeenCluster } from './use-seen.ts'

/** The leader's lease, stepping four times a second; frozen where the view is. */
export function LiveLease({ state, seen }: { state: ElectionState; seen: SeenCluster }) {
  const now = useServerNow(useTickHz())
  const leader = leaderOf(state.candidates)
  if (leader === null) return <span className="text-sm text-t3">no leader</span>
  const frozen = seen.freshness !== 'live'
  return (
    <LeaseBar
      denied={leader.ttlDenied === true}
      frozen={frozen}
      lease={leader.lease}
      now={seen.frozenAt ?? now}
      ttl={leader.ttl}
    />
  )
}
