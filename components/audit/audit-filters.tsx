'use client'
import { Search, X } from 'lucide-react'
import { type ReactNode, type RefObject, useId } from 'react'
import { VERB_WORDS, verbWords } from '../../lib/election/verb-words.ts'
import { Kbd } from '../ui/kbd.tsx'
import {
  type AuditParams,
  endsBeforeItBegins,
  fieldTime,
  isShortSearch,
  RESULTS,
  type Result,
  timeOfField,
} from './audit-params.ts'
import { RESULT_WORDS } from './audit-words.ts'

const BOX = 'h-8 rounded-md border border-ctl bg-s1 px-2 text-sm text-t1 max-sm:h-11 max-sm:w-full max-sm:text-lg'

interface FiltersProps {
  params: AuditParams
  clusters: readonly string[]
  field: RefObject<HTMLInputElement | null>
  onChange: (change: Partial<AuditParams>) => void
}

/** What of the log is shown. */
export function AuditFilters({ params, clusters, field, onChange }: FiltersProps) {
  const verbs = Object.keys(VERB_WORDS)
  const { verb, cluster } = params
  const offered = verb === null || verbs.includes(verb) ? verbs : [...verbs, verb]
  const named = cluster === null || clusters.includes(cluster) ? clusters : [...clusters, cluster]
  return (
    <search className="flex flex-wrap items-end gap-x-2.5 gap-y-2 px-5 pt-3 pb-2.5 max-sm:grid max-sm:grid-cols-2 max-sm:px-4">
      <SearchField field={field} onChange={onChange} params={params} />
      <Pick label="What" onPick={(to) => onChange({ verb: to })} value={verb}>
        {offered.map((each) => (
          <option key={each} value={each}>
            {verbWords(each)}
          </option>
        ))}
      </Pick>
      <Pick label="Result" onPick={(to) => onChange({ result: to as Result | null })} value={params.result}>
        {RESULTS.map((each) => (
          <option key={each} value={each}>
            {RESULT_WORDS[each]}
          </option>
        ))}
      </Pick>
      {named.length > 1 && (
        <Pick label="Cluster" onPick={(to) => onChange({ cluster: to })} value={cluster}>
          {named.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Pick>
      )}
      <Moment label="From, UTC" onChange={(from) => onChange({ from })} value={params.from} />
      <Moment
        label={endsBeforeItBegins(params) ? 'To: later than From' : 'To, UTC'}
        onChange={(to) => onChange({ to })}
        value={params.to}
      />
    </search>
  )
}

function SearchField({ params, field, onChange }: Pick<FiltersProps, 'params' | 'field' | 'onChange'>) {
  const id = useId()
  const { query } = params
  return (
    <div className="max-sm:col-span-2 sm:w-[260px]">
      <label className="mb-1 block text-t2 text-xs" htmlFor={id}>
        {isShortSearch(params) ? 'Search: 3 characters or more' : 'Search'}
      </label>
      <div className={`flex items-center gap-2 focus-within:border-bone ${BOX}`}>
        <Search aria-hidden="true" className="shrink-0 text-t3" size={14} />
        <input
          className="words h-full w-full min-w-0 bg-transparent outline-none placeholder:text-t3"
          id={id}
          inputMode="search"
          maxLength={200}
          onChange={(event) => onChange({ query: event.target.value })}
          onKeyDown={(event) => (event.key === 'Escape' || event.key === 'Enter') && event.currentTarget.blur()}
          placeholder="Name, reason, election …"
          ref={field}
          spellCheck={false}
          type="text"
          value={query}
        />
        {query === '' ? (
          <span className="max-sm:hidden">
            <Kbd>/</Kbd>
          </span>
        ) : (
          <button
            aria-label="Clear the search"
            className="text-t2 hover:text-t1"
            onClick={() => onChange({ query: '' })}
            type="button"
          >
            <X aria-hidden="true" size={14} />
          </button>
        )}
      </div>
    </div>
  )
}

interface PickProps {
  label: string
  value: string | null
  children: ReactNode
  onPick: (value: string | null) => void
}

/** The browser's own list; its first choice is all of them. */
function Pick({ label, value, children, onPick }: PickProps) {
  const id = useId()
  return (
    <div>
      <label className="mb-1 block text-t2 text-xs" htmlFor={id}>
        {label}
      </label>
      <select
        className={`cursor-pointer sm:max-w-44 ${BOX}`}
        id={id}
        onChange={(event) => onPick(event.target.value || null)}
        value={value ?? ''}
      >
        <option value="">All</option>
        {children}
      </select>
    </div>
  )
}

interface MomentProps {
  label: string
  value: string | null
  onChange: (value: string | null) => void
}

function Moment({ label, value, onChange }: MomentProps) {
  const id = useId()
  return (
    <div className="min-w-0 max-sm:col-span-2">
      <label className="mb-1 block text-t2 text-xs" htmlFor={id}>
        {label}
      </label>
      <input
        className={`min-w-0 ${BOX}`}
        id={id}
        onChange={(event) => onChange(timeOfField(event.target.value))}
        type="datetime-local"
        value={fieldTime(value)}
      />
    </div>
  )
}
