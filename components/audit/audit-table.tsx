'use client'
import { ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { deedWords } from '../../lib/election/verb-words.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { AuditGroup } from './audit-groups.ts'
import { AuditHistory } from './audit-history.tsx'
import { lasted, Moment, Reason, Revision, Subject, Who } from './audit-parts.tsx'
import { resultOf } from './audit-words.ts'
import { ResultMark } from './result-mark.tsx'

const COLUMNS: readonly [string, string][] = [
  ['When, UTC', 'w-[132px]'],
  ['Who', 'w-[184px]'],
  ['What', 'w-[132px]'],
  ['On', 'w-[172px]'],
  ['Reason', ''],
  ['Result', 'w-[140px]'],
  ['Revision', 'w-[84px] max-lg:hidden'],
  ['Took', 'w-[64px] max-lg:hidden'],
]
const CELL = 'border-line border-t py-1.5 pr-3 align-top'

interface TableProps {
  groups: readonly AuditGroup[]
  now: Instant
  isOpen: (key: string) => boolean
  onToggle: (key: string) => void
}

export function AuditTable({ groups, ...rest }: TableProps) {
  return (
    <table aria-label="Audit log" className="w-full table-fixed border-collapse text-left text-base">
      <thead>
        <tr>
          {COLUMNS.map(([head, width]) => (
            <th className={`pr-3 pb-1 align-bottom font-medium text-t3 text-xs ${width}`} key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map((group) => (
        <Row group={group} key={group.key} {...rest} />
      ))}
    </table>
  )
}

function Row({ group, now, isOpen, onToggle }: Omit<TableProps, 'groups'> & { group: AuditGroup }) {
  const id = useId()
  const { latest, first, key } = group
  const open = isOpen(key)
  return (
    <tbody data-row={key}>
      <tr>
        <td className={CELL}>
          <button
            aria-controls={open ? id : undefined}
            aria-expanded={open}
            aria-label={`${deedWords(first)}, entry ${first.number}: ${open ? 'hide' : 'show'} its history`}
            className="flex items-center gap-1 hover:underline"
            onClick={() => onToggle(key)}
            type="button"
          >
            <ChevronRight aria-hidden="true" className={`shrink-0 text-t2 ${open ? 'rotate-90' : ''}`} size={14} />
            <Moment at={first.at} now={now} />
          </button>
        </td>
        <td className={CELL}>
          <Who actor={first.actor} />
        </td>
        <td className={CELL}>
          <span className="words wrap-anywhere">{deedWords(first)}</span>
        </td>
        <td className={CELL}>
          <Subject entry={first} now={now} />
        </td>
        <td className={CELL}>
          <Reason entry={latest} />
        </td>
        <td className={CELL}>
          <ResultMark result={resultOf(latest)} />
        </td>
        <td className={`${CELL} max-lg:hidden`}>
          <Revision outcome={latest.outcome} />
        </td>
        <td className={`${CELL} max-lg:hidden`}>{lasted(latest)}</td>
      </tr>
      {open && (
        <tr>
          <td colSpan={COLUMNS.length}>
            <AuditHistory group={group} id={id} />
          </td>
        </tr>
      )}
    </tbody>
  )
}
