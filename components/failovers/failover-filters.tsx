'use client'
import { ListFilter, X } from 'lucide-react'
import type { RefObject } from 'react'
import { CAUSES, type Cause } from '../../lib/election/types.ts'
import { RangePicker } from '../election/detail-range-picker.tsx'
import { ExportLink } from '../incident/export-link.tsx'
import { Kbd } from '../ui/kbd.tsx'
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
      <ExportLink cluster={cluster} refs={[]} span={span} />
      <TextField field={field} onText={(text) => onChange({ text })} text={params.text} />
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

interface TextFieldProps {
  text: string
  field: RefObject<HTMLInputElement | null>
  onText: (text: string) => void
}

function TextField({ text, field, onText }: TextFieldProps) {
  return (
    <div className={`flex w-[220px] items-center gap-2 px-2 focus-within:border-bone max-sm:w-full ${BOX}`}>
      <ListFilter aria-hidden="true" className="shrink-0 text-t3" size={14} />
      <input
        aria-label="Filter by name"
        className="words h-full w-full min-w-0 bg-transparent outline-none placeholder:text-t3"
        inputMode="search"
        maxLength={200}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => (event.key === 'Escape' || event.key === 'Enter') && event.currentTarget.blur()}
        placeholder="All elections"
        ref={field}
        spellCheck={false}
        type="text"
        value={text}
      />
      {text === '' ? (
        <span className="max-sm:hidden">
          <Kbd>/</Kbd>
        </span>
      ) : (
        <button
          aria-label="Clear the filter"
          className="text-t2 hover:text-t1"
          onClick={() => onText('')}
          type="button"
        >
          <X aria-hidden="true" size={14} />
        </button>
      )}
    </div>
  )
}
