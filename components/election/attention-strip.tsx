'use client'
import Link from 'next/link'
import { instant } from '../../lib/shared/clock.ts'
import { useLiveStore } from '../live/use-live.ts'
import { electionHref } from './election-href.ts'
import { explain } from './explain.ts'
import type { Row } from './list-model.ts'
import { StatusDetail } from './status-detail.tsx'
import { StatusMark } from './status-mark.tsx'
import { edgeOf } from './status-words.ts'
import { useSeenCluster } from './use-seen.ts'

const CALM = {
  nothing: '–',
  before: 'Nothing needed attention when it was seen last.',
  now: 'Nothing needs attention.',
}

interface AttentionStripProps {
  rows: readonly Row[]
  showCluster: boolean
  /** What may be said when nobody is in it: nothing before the first snapshot, nothing of now while the view is lost. */
  knows: 'nothing' | 'before' | 'now'
}

/** The worst elections, each with one exact sentence. It keeps its height when there are none, so that nothing jumps. */
export function AttentionStrip({ rows, showCluster, knows }: AttentionStripProps) {
  return (
    <section
      aria-label="Needs attention"
      className="mx-5 grid min-h-[92px] grid-cols-3 overflow-hidden rounded-md border border-line2 bg-s1 max-md:hidden lg:grid-cols-5"
    >
      {rows.length === 0 && (
        <p className="col-span-full flex items-center gap-2 self-center px-[15px] text-t2">
          {knows === 'now' && <StatusMark compact status="healthy" />}
          {CALM[knows]}
        </p>
      )}
      {rows.map((row, at) => (
        <Item className={at > 2 ? 'max-lg:hidden' : ''} key={row.id} row={row} showCluster={showCluster} />
      ))}
    </section>
  )
}

function Item({ row, className, showCluster }: { row: Row; className: string; showCluster: boolean }) {
  const store = useLiveStore()
  const seen = useSeenCluster(row.cluster)
  const now = seen.frozenAt ?? instant(store.time.nowMs())
  const words = `${seen.freshness === 'live' ? '' : 'Last seen: '}${explain(row.state, row.lastKnown, seen, now)}`
  return (
    <Link
      className={`relative block min-w-0 border-line2 border-l py-[9px] pr-3 pl-[15px] first:border-l-0 last:border-r hover:bg-s2 focus-visible:-outline-offset-2 ${edgeOf(row.lastKnown)} ${seen.freshness === 'live' ? '' : 'stale'} ${className}`}
      href={electionHref(row.cluster, row.ref)}
      prefetch={false}
    >
      <span className="flex items-center gap-1.5">
        <StatusMark status={row.lastKnown} />
        <span className="ml-auto truncate text-right font-medium text-sm text-t2">
          <StatusDetail state={row.state} status={row.lastKnown} />
        </span>
      </span>
      <span className="words mt-[3px] block truncate font-semibold" title={row.state.prefix}>
        {row.name}
        {showCluster && <span className="font-normal text-t2"> · {row.cluster}</span>}
      </span>
      <span className="words mt-px line-clamp-2 text-sm text-t2" title={words}>
        {words}
      </span>
    </Link>
  )
}
