/** What a search of the audit log looks at. */
import type { AuditDraft, AuditEntry, AuditQuery } from './audit.ts'

/** What is shorter is never found: the index knows three characters at a time. */
export const LEAST_SEARCH = 3

/** All text of an entry that is shown, but the address. */
export function shownText(entry: AuditDraft): string {
  const { verb, kind, operation, actor, subject, reason, outcome, code, words, asked, seen } = entry
  return [
    verb,
    kind,
    operation,
    actor.name,
    actor.token,
    subject.cluster,
    subject.name,
    subject.ref,
    subject.scope,
    subject.person?.name,
    reason,
    outcome?.is,
    outcome?.words,
    code,
    words,
    ...leaves(asked),
    ...leaves(seen),
  ]
    .filter((text) => text !== undefined && text !== null && text !== '')
    .join('\n')
}

/** Text and numbers inside a value, without JSON's own escapes. */
function leaves(value: unknown): string[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'object') return Object.values(value).flatMap(leaves)
  return [String(value)]
}

/** Whether `search` is in what is shown of `entry`, in whatever case. */
export function isFound(entry: AuditEntry, { search = '', searchAddresses = true }: AuditQuery): boolean {
  const wanted = search.toLowerCase()
  if ([...wanted].length < LEAST_SEARCH) return false
  if (shownText(entry).toLowerCase().includes(wanted)) return true
  return searchAddresses && entry.actor.address.toLowerCase().includes(wanted)
}

/** A phrase for FTS5: whatever it holds is text, never syntax. */
export function phraseFor(search: string, searchAddresses: boolean): string {
  return `{${searchAddresses ? 'shown address' : 'shown'}} : "${search.replaceAll('"', '""')}"`
}
