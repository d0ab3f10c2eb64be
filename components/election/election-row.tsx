'use client'
import Link from 'next/link'
import { memo } from 'react'
import { recentFailovers } from '../../lib/election/status.ts'
import { instant } from '../../lib/shared/clock.ts'
import { useLiveStore } from '../live/use-live.ts'
import { electionHref } from './election-href.ts'
import { ElectionName } from './election-name.tsx'
import type { Row } from './list-model.ts'
import { LiveLease } from './live-lease.tsx'
import { LiveRibbon } from './live-ribbon.tsx'
import { RenewalCell } from './renewal-cell.tsx'
import { CandidatesCell, ChangeCell, LeaderCell, SinceCell, StatusCell, TermCell } from './row-cells.tsx'
import { edgeOf } from './status-words.ts'
import { useElectionRow } from './use-election-row.ts'

const DAY_MS = 86_400_000

interface ElectionRowProps {
  row: Row
  /** Position among all rows, counted from 1 with the head. */
  index: number
  fresh: boolean
  /** Said below the name where several clusters are listed. */
  showCluster: boolean
}

/** One election in the table. All of it is one link. */
export const ElectionRow = memo(function ElectionRow({ row, index, fresh, showCluster }: ElectionRowProps) {
  const store = useLiveStore()
  const { state, seen, status, was, notes } = useElectionRow(row)
  const failovers = recentFailovers(state, instant(store.time.nowMs()), DAY_MS)
  const below = [...(showCluster ? [row.cluster] : []), ...notes].join(' · ')
  const look = `${edgeOf(status)} ${fresh ? 'fresh-row' : ''} ${seen.freshness === 'live' ? '' : 'stale'}`
  return (
    <tr
      aria-rowindex={index}
      className={`election-columns relative h-11 border-line border-b hover:bg-s2 has-[a:focus-visible]:edge-chosen has-[a:focus-visible]:bg-s2 has-[a:focus-visible]:outline has-[a:focus-visible]:-outline-offset-1 has-[a:focus-visible]:outline-ctl has-[a:focus-visible]:edge ${look}`}
    >
      <td>
        <StatusCell state={state} status={status} was={was} />
      </td>
      <th className="text-left font-normal leading-[15px]" scope="row">
        <Link
          className="block truncate outline-none after:absolute after:inset-0"
          data-row={row.id}
          href={electionHref(row.cluster, row.ref)}
          prefetch={false}
        >
          <ElectionName name={row.name} />
        </Link>
        {below !== '' && <span className="words block truncate text-t3 text-xs">{below}</span>}
      </th>
      <td>
        <LeaderCell state={state} status={status} />
      </td>
      <td>
        <TermCell state={state} />
      </td>
      <td className="max-xl:hidden">
        <SinceCell state={state} />
      </td>
      <td>
        <LiveLease seen={seen} state={state} />
      </td>
      <td className="max-lg:hidden">
        <RenewalCell probeP95Ms={seen.probeP95Ms} />
      </td>
      <td>
        <CandidatesCell state={state} status={status} />
      </td>
      <td className={`!pr-[18px] text-right max-xl:hidden ${failovers === 0 ? 'text-t3' : ''}`}>{failovers}</td>
      <td>
        <LiveRibbon seen={seen} state={state} />
      </td>
      <td className="max-lg:hidden">
        <ChangeCell state={state} />
      </td>
    </tr>
  )
})
