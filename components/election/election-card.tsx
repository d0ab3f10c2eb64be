'use client'
import Link from 'next/link'
import { memo } from 'react'
import { leaderOf } from '../../lib/election/queue.ts'
import { instant } from '../../lib/shared/clock.ts'
import { useLiveStore } from '../live/use-live.ts'
import { Age } from './age.tsx'
import { electionHref } from './election-href.ts'
import { ElectionName } from './election-name.tsx'
import { explain } from './explain.ts'
import { colourOf } from './lanes.ts'
import { LeaderTag } from './leader-tag.tsx'
import type { Row } from './list-model.ts'
import { LiveLease } from './live-lease.tsx'
import { LiveRibbon } from './live-ribbon.tsx'
import { StatusDetail } from './status-detail.tsx'
import { StatusMark } from './status-mark.tsx'
import { edgeOf } from './status-words.ts'
import { useElectionRow } from './use-election-row.ts'

interface ElectionCardProps {
  row: Row
  fresh: boolean
  showCluster: boolean
}

/** One election where there is no room for a table. */
export const ElectionCard = memo(function ElectionCard({ row, fresh, showCluster }: ElectionCardProps) {
  const store = useLiveStore()
  const { state, seen, status, was, notes } = useElectionRow(row)
  const leader = leaderOf(state.candidates)
  const now = seen.frozenAt ?? instant(store.time.nowMs())
  const quiet = status === 'healthy' || status === 'unknown'
  const sentences = [...(quiet ? [] : [explain(state, status, seen, now)]), ...notes]
  const look = `${edgeOf(status)} ${fresh ? 'fresh-row' : ''} ${seen.freshness === 'live' ? '' : 'stale'}`
  return (
    <Link
      className={`relative block border-line border-t px-4 py-[9px] [--edge-width:4px] focus-visible:-outline-offset-2 ${look}`}
      data-row={row.id}
      href={electionHref(row.cluster, row.ref)}
      prefetch={false}
    >
      <span className="flex items-center gap-2">
        <StatusMark status={status} />
        <span className="truncate text-sm text-t2">
          {was === '' ? <StatusDetail state={state} status={status} /> : was}
        </span>
        <span className="ml-auto whitespace-nowrap text-sm text-t2">
          {state.lastOrdinal > 0 && `#${state.lastOrdinal}`}
          {state.term !== null && (
            <>
              {' · '}
              <Age since={state.term.from} />
            </>
          )}
        </span>
      </span>
      <span className="mt-0.5 flex items-center gap-2">
        <span className="min-w-0 truncate text-[14px] leading-[18px]">
          <ElectionName name={row.name} />
          {showCluster && <span className="text-sm text-t2"> · {row.cluster}</span>}
        </span>
        <span className="ml-auto max-w-[45%] shrink-0">
          {leader !== null ? (
            <LeaderTag identity={leader.identity} slot={colourOf(state, leader)} />
          ) : (
            <span className={status === 'leaderless' ? 'text-crit' : 'text-t2'}>no leader</span>
          )}
        </span>
      </span>
      <span className="mt-[5px] grid items-center gap-4 sm:grid-cols-[1fr_120px]">
        <LiveRibbon height={30} seen={seen} state={state} />
        <span className="max-sm:hidden">
          <LiveLease seen={seen} state={state} />
        </span>
      </span>
      {sentences.length > 0 && <span className="words mt-1 block text-sm text-t2">{sentences.join(' · ')}</span>}
    </Link>
  )
})
