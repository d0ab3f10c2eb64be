'use client'
import { memo } from 'react'
import type { Candidate } from '../../lib/election/types.ts'
import { shortDuration, timeOfDay } from '../../lib/shared/format.ts'
import { type Frozen, provenNow } from './detail-frozen.ts'
import { useCountdownNow } from './detail-motion.ts'
import type { LaneSlot } from './lane-colours.ts'
import { LeaderTag } from './leader-tag.tsx'
import { LeaseBar } from './lease-bar.tsx'
import { useRemaining } from './use-remaining.ts'

export interface QueueRowData {
  candidate: Candidate
  /** 1 leads; null for a key of a nested election. */
  position: number | null
  /** Another candidate uses the same identity. */
  namesake: boolean
  leads: boolean
  /** Belongs to a nested election, but is older than all that compete here. */
  blocks: boolean
  colour: LaneSlot | undefined
}

interface QueueRowProps {
  row: QueueRowData
  frozen: Frozen | null
  /** Place in the whole table, for screen readers. */
  index: number
}

const CELL = 'border-line border-t pr-1.5 align-middle'

/** One candidate. A namesake shows its key too. */
export const QueueRow = memo(function QueueRow({ row, frozen, index }: QueueRowProps) {
  const { candidate, position, leads } = row
  return (
    <tr aria-rowindex={index} className={`h-[29px] ${leads ? 'font-semibold' : ''}`}>
      <td className={`${CELL} text-t2`}>{position ?? '–'}</td>
      <td className={`${CELL} py-1`}>
        <Who row={row} />
      </td>
      <td className={`${CELL} max-sm:hidden`}>
        <span className="bytes block truncate font-normal text-t2" title={candidate.lease ?? undefined}>
          {candidate.lease ?? 'no lease'}
        </span>
      </td>
      <td className={`${CELL} font-normal`}>
        <Left candidate={candidate} frozen={frozen} />
      </td>
      <td className={`${CELL} pr-0 font-normal text-t2 leading-[14px]`}>
        {candidate.sinceAtLeast && <span className="block text-t3 text-xs">at least</span>}
        <time dateTime={candidate.since}>{timeOfDay(candidate.since)}</time>
      </td>
    </tr>
  )
})

function Who({ row: { candidate, colour, namesake, blocks } }: { row: QueueRowData }) {
  if (candidate.nested) {
    return (
      <span className={`block break-all leading-4 ${blocks ? 'text-crit' : 'text-t2'}`}>
        {blocks ? 'blocks' : 'nested'}: <span className="bytes">{candidate.key}</span>
      </span>
    )
  }
  if (candidate.held !== undefined) {
    return <span className="block leading-4 text-t2">held by Tenure: nobody leads</span>
  }
  return (
    <>
      <LeaderTag identity={candidate.identity} slot={colour} />
      {namesake && <span className="bytes block break-all font-normal text-t2">{candidate.key}</span>}
    </>
  )
}

function Left({ candidate, frozen }: { candidate: Candidate; frozen: Frozen | null }) {
  const tick = useCountdownNow()
  const now = tick === null ? null : provenNow(frozen, tick)
  const left = useRemaining(candidate, now)
  if (candidate.held !== undefined) return <span className="text-t2">–</span>
  if (left.kind !== 'left') {
    return <span className={`block text-xs ${left.kind === 'none' ? 'text-crit' : 'text-t2'}`}>{left.text}</span>
  }
  return (
    <span className="flex items-center gap-1.5">
      <span className="w-11 shrink-0">
        <LeaseBar bare frozen={frozen !== null} lease={candidate.lease} now={now} ttl={candidate.ttl} />
      </span>
      <span className={left.atRisk ? 'text-crit' : frozen === null ? '' : 'text-t3'}>
        {left.leftMs < 60_000 ? left.text : shortDuration(left.leftMs)}
      </span>
    </span>
  )
}
