/** Cells of one change of leader, shared by the list and the table. */
import Link from 'next/link'
import type { Instant } from '../../lib/shared/clock.ts'
import { momentHref } from '../audit/moment-href.ts'
import type { FailoverRow } from '../live/failovers.ts'
import { causeWords, changeOfHands, timeWords, unknownWords } from './failover-words.ts'
import { InlinePointMark } from './timeline-marks.tsx'

interface PartProps {
  row: FailoverRow
  now: Instant
}

export function RowMark({ row }: { row: FailoverRow }) {
  const { cause, kind, next } = row
  const isOpen = kind === 'failover' && next === null
  return <InlinePointMark point={{ cause, kind, ...(isOpen ? { open: true } : {}) }} />
}

/** An election that is watched leads to its page as it was then. */
export function RowElection({ row, now, cluster }: PartProps & { cluster: string }) {
  const { ref, name, isKnown } = row.election
  if (!isKnown) {
    return (
      <span className="words block truncate font-semibold" title={`${name}: no longer watched`}>
        {name}
      </span>
    )
  }
  return (
    <Link
      className="words block truncate font-semibold hover:underline"
      href={momentHref(cluster, ref, row.at, now)}
      prefetch={false}
      title={name}
    >
      {name}
    </Link>
  )
}

export function RowHands({ row }: { row: FailoverRow }) {
  const words = changeOfHands(row)
  return (
    <span className="words block truncate text-t2" title={words}>
      {words}
    </span>
  )
}

/** A failover that goes on is told as that; a stopped seat is empty on purpose. */
export function RowTime({ row, now }: PartProps) {
  const isOpen = row.kind === 'failover' && row.next === null
  const unknown = unknownWords(row.unknownParts)
  return (
    <span className={`whitespace-nowrap font-semibold ${isOpen ? 'text-crit' : ''}`} title={unknown || undefined}>
      {row.next === null && row.cause === 'kill switch' ? 'stopped' : timeWords(row, now)}
    </span>
  )
}

export const rowKey = ({ election, former }: FailoverRow) => `${election.ref} ${former.epoch} ${former.token}`

export const rowCause = ({ cause, kind }: FailoverRow) => causeWords(cause, kind)
