'use client'
import { type AuditEntryShape, useAuditOperation } from '../live/audit.ts'
import type { AuditGroup } from './audit-groups.ts'
import { KIND_WORDS, wordsOf } from './audit-words.ts'

/** Everything that is known of one row: its entries with what was seen, what was asked and their hashes. */
export function AuditHistory({ group, id }: { group: AuditGroup; id: string }) {
  const isOperation = group.key === group.first.operation
  const { data, error } = useAuditOperation(isOperation ? group.key : '')
  const entries = (isOperation ? data?.entries : undefined) ?? group.entries
  return (
    <div className="pt-1 pb-3 pl-6 max-sm:pl-0" id={id}>
      {error !== null && (
        <p className="pb-1 text-sm text-warn" role="alert">
          Not all of it could be read: {error.message}
        </p>
      )}
      <ol className="border-line2 border-l">
        {entries.toReversed().map((entry, at, all) => (
          <Entry before={all[at - 1]} entry={entry} key={entry.number} />
        ))}
      </ol>
      {isOperation && (
        <p className="mt-1 pl-3 text-t2 text-xs">
          Operation <span className="bytes wrap-anywhere">{group.key}</span>
        </p>
      )}
    </div>
  )
}

/** What was asked is told once. */
function Entry({ entry, before }: { entry: AuditEntryShape; before: AuditEntryShape | undefined }) {
  const { number, at, kind, code, asked, seen, hash } = entry
  const words = wordsOf(entry)
  return (
    <li className="py-1.5 pl-3">
      <p className="text-sm">
        <b>{KIND_WORDS[kind]}</b> <time dateTime={at}>{at.replace('T', ' ').replace('Z', ' UTC')}</time> · entry{' '}
        {number}
      </p>
      {words !== '' && (
        <p className="words wrap-anywhere text-sm">
          {words}
          {code !== undefined && <span className="text-t2"> ({code})</span>}
        </p>
      )}
      <dl className="mt-0.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-t2 text-xs">
        {JSON.stringify(before?.asked) !== JSON.stringify(asked) && <Value name="Asked" value={asked} />}
        <Value name="Seen" value={seen} />
        <dt>Hash</dt>
        <dd className="bytes break-all">{hash}</dd>
      </dl>
    </li>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  const isNothing =
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
  if (isNothing) return null
  return (
    <>
      <dt>{name}</dt>
      <dd className="bytes wrap-anywhere whitespace-pre-wrap text-t1">
        {typeof value === 'string' ? value : JSON.stringify(value, null, 1)}
      </dd>
    </>
  )
}
