'use client'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import {
  type FailoverFilters,
  type FailoverRow,
  type FailoverSummaryShape,
  useFailoverPages,
} from '../live/failovers.ts'
import { Dashes } from './dashes.tsx'
import { momentWords } from './failover-words.ts'
import { NEWEST, newestItems } from './newest-items.ts'
import { Panel } from './panel.tsx'
import { RowElection, RowHands, RowMark, RowTime, rowCause, rowKey } from './row-parts.tsx'
import type { Mass } from './timeline-model.ts'
import { massTime } from './timeline-words.ts'

interface NewestProps {
  summary: FailoverSummaryShape | undefined
  filters: FailoverFilters
  now: Instant
  onAll: () => void
}

export function NewestList({ summary, filters, now, onAll }: NewestProps) {
  const items = summary === undefined ? [] : newestItems(summary)
  const all = summary === undefined ? 0 : changesOf(summary)
  return (
    <Panel
      action={
        all > 0 && (
          <button className="link max-sm:py-3" onClick={onAll} type="button">
            All {all.toLocaleString('en-US')}
          </button>
        )
      }
      className="bg-s1"
      note="mass events folded"
      title="Newest"
    >
      {summary !== undefined && items.length === 0 && (
        <p className="text-sm text-t2">The leader changed nowhere in this time.</p>
      )}
      {summary === undefined && <Dashes count={NEWEST} height={45} />}
      <ol>
        {items.map((item) =>
          item.type === 'row' ? (
            <NewestRow cluster={filters.cluster} key={rowKey(item.row)} now={now} row={item.row} />
          ) : (
            <NewestMass filters={filters} key={`mass ${item.at}`} mass={item.mass} now={now} />
          ),
        )}
      </ol>
    </Panel>
  )
}

export const changesOf = ({ totals }: FailoverSummaryShape) => totals.failovers + totals.planned + totals.unobserved

function NewestRow({ row, now, cluster }: { row: FailoverRow; now: Instant; cluster: string }) {
  return (
    <li className="grid grid-cols-[auto_14px_minmax(0,1fr)_auto] items-baseline gap-x-2.5 border-line border-t py-1.5 text-sm">
      <time className="min-w-[54px] text-t2" dateTime={row.at} title={row.at}>
        {momentWords(row.at, now)}
      </time>
      <span className="translate-y-0.5" title={rowCause(row).title}>
        <RowMark row={row} />
        <span className="sr-only">{rowCause(row).title}</span>
      </span>
      <span className="min-w-0">
        <RowElection cluster={cluster} now={now} row={row} />
        <RowHands row={row} />
      </span>
      <RowTime now={now} row={row} />
    </li>
  )
}

function NewestMass({ mass, filters, now }: { mass: Mass; filters: FailoverFilters; now: Instant }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const Icon = isOpen ? ChevronDown : ChevronRight
  const [moved = mass.words, ...around] = mass.words.split(', ')
  return (
    <li className="my-0.5 rounded-md border border-ctl bg-s2 px-2.5 py-1.5 text-sm">
      <button
        aria-controls={isOpen ? id : undefined}
        aria-expanded={isOpen}
        className="flex w-full items-center gap-1.5 text-left max-sm:min-h-10"
        onClick={() => setIsOpen((open) => !open)}
        type="button"
      >
        <Icon aria-hidden="true" className="shrink-0" size={14} />
        <b className="text-base">{moved}</b>
        <time className="ml-auto shrink-0 text-t2" dateTime={mass.from} title={mass.from}>
          {momentWords(mass.from, now)}
        </time>
      </button>
      <p className="text-t2">{[...around, massTime(mass)].join('; ')}.</p>
      {isOpen && <MassMembers filters={filters} id={id} mass={mass} now={now} />}
    </li>
  )
}

interface MembersProps {
  mass: Mass
  filters: FailoverFilters
  now: Instant
  id: string
}

function MassMembers({ mass, filters, now, id }: MembersProps) {
  const range = { ...filters, from: mass.from, to: instant(msOf(mass.to) + 1) }
  const { data, error, hasNextPage, fetchNextPage } = useFailoverPages(range, false)
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <div id={id}>
      {error !== null && <p className="text-warn">They could not be read: {error.message}</p>}
      {data === undefined && error === null && <p className="text-t3">–</p>}
      <ol>
        {rows
          .filter(({ kind }) => kind === 'failover')
          .map((row) => (
            <NewestRow cluster={filters.cluster} key={rowKey(row)} now={now} row={row} />
          ))}
      </ol>
      {hasNextPage && (
        <button className="link py-1" onClick={() => void fetchNextPage()} type="button">
          Show more
        </button>
      )}
    </div>
  )
}
