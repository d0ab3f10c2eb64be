'use client'
import type { ReactNode } from 'react'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { hourAndMinute } from '../../lib/shared/format.ts'
import { usePastAt, useServerNow } from '../live/use-live.ts'
import type { Sort, SortKey } from './list-order.ts'

interface HeadProps {
  sort: Sort
  onSort: (key: SortKey) => void
}

// What the first press sorts by, said in the second line.
const FIRST: Record<SortKey, string> = {
  status: 'worst first',
  election: 'A to Z',
  leader: 'A to Z',
  term: 'newest first',
  since: 'newest first',
  candidates: 'most first',
  failovers: 'most first',
  change: 'newest first',
}
const REVERSED: Record<SortKey, string> = {
  status: 'best first',
  election: 'Z to A',
  leader: 'Z to A',
  term: 'oldest first',
  since: 'oldest first',
  candidates: 'fewest first',
  failovers: 'fewest first',
  change: 'oldest first',
}

export function TableHead(props: HeadProps) {
  return (
    <thead className="sticky top-[var(--under-bars,52px)] z-20 block bg-bg">
      <tr aria-rowindex={1} className="election-columns items-end! border-line2 border-b text-left text-sm text-t2">
        <Sortable {...props} by="status" hint="status" title="Status" />
        <Sortable {...props} by="election" hint="prefix / name" title="Election" />
        <Sortable {...props} by="leader" hint="as etcd has it" title="Leader" />
        <Sortable {...props} by="term" hint="token" title="Term" />
        <Sortable {...props} by="since" className="max-xl:hidden" hint="" title="Since" />
        <Plain hint="tick: renewal due" title="Lease remaining" />
        <Plain className="max-lg:hidden" hint="source" title="Renewal p95" />
        <Sortable {...props} by="candidates" hint="next up" title="Candidates" />
        <Sortable {...props} by="failovers" className="max-xl:hidden !pr-[18px]" end hint="24 h" title="Failovers" />
        <th className="py-[5px] font-medium" scope="col">
          Tenure ribbon<span className="max-lg:hidden">, last hour</span>
          <RibbonAxis />
        </th>
        <Sortable {...props} by="change" className="max-lg:hidden" hint="by whom" title="Last change" />
      </tr>
    </thead>
  )
}

function Plain({ title, hint, className = '' }: { title: string; hint: string; className?: string }) {
  return (
    <th className={`py-[5px] font-medium ${className}`} scope="col">
      {title}
      <Hint>{hint}</Hint>
    </th>
  )
}

const Hint = ({ children }: { children: ReactNode }) => (
  <span className="block h-[14px] truncate font-normal text-t3 text-xs">{children}</span>
)

interface SortableProps extends HeadProps {
  by: SortKey
  title: string
  hint: string
  className?: string
  end?: boolean
}

function Sortable({ by, title, hint, sort, onSort, className = '', end = false }: SortableProps) {
  const on = sort.key === by
  const order = sort.reversed ? 'descending' : 'ascending'
  return (
    <th aria-sort={on ? order : undefined} className={`font-medium ${className}`} scope="col">
      <button
        className={`w-full py-[5px] font-medium hover:text-t1 ${end ? 'text-right' : 'text-left'} ${on ? 'text-t1' : ''}`}
        onClick={() => onSort(by)}
        type="button"
      >
        {title}
        <Hint>{on ? `${sort.reversed ? '↑' : '↓'} ${(sort.reversed ? REVERSED : FIRST)[by]}` : hint}</Hint>
      </button>
    </th>
  )
}

function RibbonAxis() {
  const now = useServerNow(1)
  const isPast = usePastAt() !== null
  const ago = (minutes: number) => (now === null ? '–' : hourAndMinute(instant(msOf(now) - minutes * 60_000)))
  return (
    <span className="relative flex h-[14px] justify-between font-normal text-t3 text-xs">
      <span>{ago(60)}</span>
      <span>{ago(30)}</span>
      <span>{isPast ? 'then' : 'now'}</span>
    </span>
  )
}
