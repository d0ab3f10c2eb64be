'use client'
import { useId } from 'react'
import { deedWords } from '../../lib/election/verb-words.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { AuditGroup } from './audit-groups.ts'
import { AuditHistory } from './audit-history.tsx'
import { lasted, Moment, Reason, Subject, Who } from './audit-parts.tsx'
import { resultOf } from './audit-words.ts'
import { ResultMark } from './result-mark.tsx'

interface CardsProps {
  groups: readonly AuditGroup[]
  now: Instant
  isOpen: (key: string) => boolean
  onToggle: (key: string) => void
}

/** The log where there is no room for a table. */
export function AuditCards({ groups, ...rest }: CardsProps) {
  return (
    <ul aria-label="Audit log">
      {groups.map((group) => (
        <Card group={group} key={group.key} {...rest} />
      ))}
    </ul>
  )
}

function Card({ group, now, isOpen, onToggle }: Omit<CardsProps, 'groups'> & { group: AuditGroup }) {
  const id = useId()
  const { latest, first, key } = group
  const open = isOpen(key)
  return (
    <li className="border-line border-t py-2.5" data-row={key}>
      <div className="flex items-center gap-2">
        <ResultMark result={resultOf(latest)} />
        <span className="ml-auto text-sm text-t2">
          <Moment at={first.at} now={now} />
        </span>
      </div>
      <p className="words mt-1 font-semibold text-[14px]">{deedWords(first)}</p>
      <div className="mt-0.5 grid grid-cols-2 gap-3">
        <div className="min-w-0">
          <Subject entry={first} now={now} />
        </div>
        <div className="min-w-0">
          <Who actor={first.actor} />
        </div>
      </div>
      <div className="mt-1">
        <Reason entry={latest} />
      </div>
      <button
        aria-controls={open ? id : undefined}
        aria-expanded={open}
        aria-label={`${deedWords(first)}, entry ${first.number}: ${open ? 'hide' : 'show'} its history`}
        className="link flex h-11 items-center text-sm"
        onClick={() => onToggle(key)}
        type="button"
      >
        {open ? 'Hide history' : 'History'}
        {latest.durationMs !== undefined && ` · took ${lasted(latest)}`}
      </button>
      {open && <AuditHistory group={group} id={id} />}
    </li>
  )
}
