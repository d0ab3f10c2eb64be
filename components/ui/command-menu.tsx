'use client'
import { Search } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import type { Row } from '../election/list-model.ts'
import { StatusMark } from '../election/status-mark.tsx'
import { useRows } from '../election/use-rows.ts'
import { foundElections } from './command-search.ts'
import { Dialog } from './dialog.tsx'

const MOST = 50

/** Opens any election of any cluster by name, leader or key. */
export function CommandMenu({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog onOpenChange={onOpenChange} open={open} title="Open an election" titleHidden>
      {open && <Combobox onDone={() => onOpenChange(false)} />}
    </Dialog>
  )
}

function Combobox({ onDone }: { onDone: () => void }) {
  const router = useRouter()
  const listId = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const found = foundElections(useRows(), useDeferredValue(query), MOST)
  const at = Math.min(active, found.length - 1)
  const open = (row: Row | undefined) => {
    if (row === undefined) return
    onDone()
    router.push(`/elections/${encodeURIComponent(row.cluster)}/${row.ref}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(found[at])
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || found.length === 0) return
    event.preventDefault()
    const next = (at + step + found.length) % found.length
    setActive(next)
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search aria-hidden="true" className="shrink-0 text-t3" size={18} />
        <input
          aria-activedescendant={found.length === 0 ? undefined : `${listId}-${at}`}
          aria-autocomplete="list"
          aria-controls={listId}
          aria-expanded="true"
          aria-label="Search elections, leaders, keys"
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the dialog exists for this field
          autoFocus
          className="words h-13 w-full bg-transparent text-lg outline-none placeholder:text-t3"
          onChange={(event) => {
            setQuery(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          placeholder="Search elections, leaders, keys"
          role="combobox"
          spellCheck={false}
          value={query}
        />
      </div>
      <div aria-label="Elections" className="min-h-0 overflow-y-auto p-1.5" id={listId} role="listbox">
        {found.map((row, index) => (
          <Option
            id={`${listId}-${index}`}
            key={row.id}
            onOpen={() => open(row)}
            onPoint={() => setActive(index)}
            row={row}
            selected={index === at}
          />
        ))}
      </div>
      {found.length === 0 && (
        <p className="px-4 pt-1 pb-5 text-t2" role="status">
          {query === '' ? 'There are no elections yet.' : `No election, leader or key has “${query}”.`}
        </p>
      )}
    </>
  )
}

interface OptionProps {
  id: string
  row: Row
  selected: boolean
  onOpen: () => void
  onPoint: () => void
}

function Option({ id, row, selected, onOpen, onPoint }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the field, which keeps the focus
    <div
      aria-selected={selected}
      className="flex min-h-10 cursor-pointer items-center gap-3 rounded-sm px-2.5 aria-selected:bg-s3 max-sm:min-h-11"
      id={id}
      onClick={onOpen}
      onPointerMove={onPoint}
      role="option"
      tabIndex={-1}
    >
      <span className="words truncate font-semibold">{row.name}</span>
      <span className="words truncate text-sm text-t2">{row.cluster}</span>
      <span className="ml-auto text-sm">
        <StatusMark status={row.status} />
      </span>
    </div>
  )
}
