'use client'
import type { RefObject } from 'react'
import { Button } from '../ui/button.tsx'
import { FilterField } from '../ui/filter-field.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { type Segment, Segmented } from '../ui/segmented.tsx'
import type { Counts, Filter } from './list-model.ts'
import { STATUS_WORDS } from './status-words.ts'

const SHOWN: readonly Filter[] = ['all', 'attention', 'leaderless', 'unknown', 'unconfirmed', 'healthy']
const ON_PHONE: readonly Filter[] = ['all', 'attention', 'leaderless', 'healthy']

function wordOf(filter: Filter): string {
  if (filter === 'all') return 'All'
  return filter === 'attention' ? 'Needs attention' : STATUS_WORDS[filter]
}

function countOf(counts: Counts | null, filter: Filter): number | null {
  if (counts === null) return null
  if (filter === 'all') return counts.all
  return filter === 'attention' ? counts.attention : (counts.by[filter] ?? 0)
}

/** 10,008 → 10k, where room is short. */
function shortCount(n: number | null): string {
  if (n === null) return '–'
  return n < 10_000 ? n.toLocaleString('en-US') : `${Math.floor(n / 1000)}k`
}

function segmentsOf(counts: Counts | null, chosen: Filter): Segment<Filter>[] {
  const filters = SHOWN.includes(chosen) ? SHOWN : [...SHOWN, chosen]
  return filters.map((value) => {
    const word = wordOf(value)
    const count = countOf(counts, value)?.toLocaleString('en-US') ?? '–'
    const short = value === 'attention' ? 'Attention' : word
    return {
      value,
      name: `${word}, ${count}`,
      className: ON_PHONE.includes(value) || value === chosen ? '' : 'max-sm:hidden',
      label: (
        <>
          <span className="max-sm:hidden">{word}</span>
          <span className="sm:hidden">{short}</span>
          <span className="max-sm:hidden">{count}</span>
          <span className="sm:hidden">{shortCount(countOf(counts, value))}</span>
        </>
      ),
    }
  })
}

interface FilterBarProps {
  /** null: not known yet, which is not zero. */
  counts: Counts | null
  filter: Filter
  query: string
  field: RefObject<HTMLInputElement | null>
  moved: number
  /** The newest incident in words. */
  incident: string | null
  onFilter: (filter: Filter) => void
  onQuery: (query: string) => void
  onLeave: () => void
  onApply: () => void
}

/** Which elections are shown. The number beside it says how many rows wait to be moved. */
export function FilterBar(props: FilterBarProps) {
  const { counts, filter, query, field, moved, incident, onFilter, onQuery, onLeave, onApply } = props
  return (
    <div className="flex flex-wrap items-center gap-2.5 px-5 pt-3 pb-2 text-sm max-sm:px-4 max-sm:pt-0 max-sm:pb-2.5">
      <Segmented
        className="max-sm:w-full"
        label="Filter by status"
        onChange={onFilter}
        segments={segmentsOf(counts, filter)}
        value={filter}
      />
      <FilterField
        className="w-[236px]"
        field={field}
        label="Filter by prefix or candidate"
        onChange={onQuery}
        onLeave={onLeave}
        value={query}
      />
      <span
        className={`ml-auto flex h-7 items-center gap-2 text-t2 lg:min-w-0 lg:grow lg:basis-0 lg:justify-end ${moved > 0 ? '' : 'max-sm:hidden'}`}
        role="status"
      >
        {moved === 0 && incident !== null && (
          <span className="figures truncate max-lg:hidden" title={incident}>
            {incident}
          </span>
        )}
        {moved > 0 && (
          <>
            {moved === 1 ? '1 row moved,' : `${moved.toLocaleString('en-US')} rows moved,`}
            <Button onClick={onApply} size="sm">
              press <Kbd>R</Kbd>
            </Button>
          </>
        )}
      </span>
    </div>
  )
}
