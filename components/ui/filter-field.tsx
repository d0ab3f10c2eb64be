'use client'
import { ListFilter, X } from 'lucide-react'
import type { RefObject } from 'react'
import { Kbd } from './kbd.tsx'

interface FilterFieldProps {
  /** What it filters by; shown while it is empty, too, unless `placeholder` is given. */
  label: string
  placeholder?: string
  value: string
  field: RefObject<HTMLInputElement | null>
  onChange: (value: string) => void
  /** Escape or Enter: back to what was filtered. */
  onLeave: () => void
  className?: string
}

/** Narrows a list while it is typed into; `/` leads here. */
export function FilterField({ label, placeholder, value, field, onChange, onLeave, className = '' }: FilterFieldProps) {
  return (
    <div
      className={`flex h-7 items-center gap-2 rounded-md border border-ctl px-2 text-t3 focus-within:border-bone max-sm:h-10 max-sm:w-full ${className}`}
    >
      <ListFilter aria-hidden="true" className="shrink-0" size={14} />
      <input
        aria-label={label}
        className="words h-full w-full min-w-0 bg-transparent text-t1 outline-none placeholder:text-t3"
        inputMode="search"
        maxLength={200}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => (event.key === 'Escape' || event.key === 'Enter') && onLeave()}
        placeholder={placeholder ?? label}
        ref={field}
        spellCheck={false}
        type="text"
        value={value}
      />
      {value === '' ? (
        <span className="max-sm:hidden">
          <Kbd>/</Kbd>
        </span>
      ) : (
        <button
          aria-label="Clear the filter"
          className="text-t2 hover:text-t1"
          onClick={() => onChange('')}
          type="button"
        >
          <X aria-hidden="true" size={14} />
        </button>
      )}
    </div>
  )
}
