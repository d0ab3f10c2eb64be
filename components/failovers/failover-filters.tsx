'use client'
import type { RefObject } from 'react'
import { CAUSES, type Cause } from '../../lib/election/types.ts'
import { RangePicker } from '../election/detail-range-picker.tsx'
import { ExportLink } from '../incident/export-link.tsx'
import { FilterField } from '../ui/filter-field.tsx'
import type { FailoverParams } from './failover-params.ts'
import { causeWords } from './failover-words.ts'

const BOX = 'h-7 rounded-md border border-ctl bg-s1 text-sm text-t1 max-sm:h-10 max-sm:text-lg'

interface FiltersProps {
  cluster: string
  params: FailoverParams
  span: { fromMs: number; toMs: number }
  field: RefObject<HTMLInputElement | null>
  onChange: (change: Partial<FailoverParams>) => void
  controls: Parameters<typeof RangePicker>[0]['controls']
}

/** Which time, and which changes in it. */
export function FailoverFilters({ cluster, params, span, field, onChange, controls }: FiltersProps) {
  return (
    <search className="flex flex-wrap items-center gap-2.5 px-5 pb-2.5 max-sm:px-4">
      <RangePicker controls={controls} span={span} />
      <ExportLink cluster={cluster} isLive={params.end === null} refs={[]} span={span} />
      <FilterField
        className="w-[220px]"
        field={field}
        label="Filter by name"
        onChange={(text) => onChange({ text })}
        onLeave={() => field.current?.blur()}
        placeholder="All elections"
        value={params.text}
      />
      <select
        aria-label="Cause"
        className={`cursor-pointer px-2 max-sm:grow ${BOX}`}
        onChange={(event) => onChange({ cause: (event.target.value || null) as Cause | null })}
        value={params.cause ?? ''}
      >
        <option value="">All causes</option>
        {CAUSES.map((cause) => (
          <option key={cause} value={cause}>
            {causeWords(cause, 'failover').title}
          </option>
        ))}
      </select>
    </search>
  )
}
