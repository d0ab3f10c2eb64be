/** What was meant and what came of it are one row: entries of one operation together. Pure. */
import type { AuditEntryShape } from '../live/audit.ts'

export interface AuditGroup {
  key: string
  /** Of its first entry that is known: by it rows are ordered, so that an outcome moves none. */
  number: number
  /** The newest: it says how the thing stands. */
  latest: AuditEntryShape
  first: AuditEntryShape
  /** Newest first. */
  entries: readonly AuditEntryShape[]
}

/** Refusals and notes stand for themselves: a refused attempt is no part of what was done later under its id. */
function keyOf({ kind, operation, number }: AuditEntryShape): string {
  return operation !== '' && (kind === 'intent' || kind === 'outcome') ? operation : `entry ${number}`
}

/** `entries` newest first, as are the groups. */
export function groupsOf(entries: readonly AuditEntryShape[]): AuditGroup[] {
  const groups = [...Map.groupBy(entries, keyOf)].flatMap(([key, own]) => {
    const [latest] = own
    const first = own.at(-1)
    return latest === undefined || first === undefined
      ? []
      : [{ key, number: first.number, latest, first, entries: own }]
  })
  return groups.sort((one, other) => other.number - one.number)
}

/** Rows that are there already are told anew; new ones wait until `newest` reaches them. */
export function heldBack(groups: readonly AuditGroup[], newest: number): { shown: AuditGroup[]; waiting: number } {
  const shown = groups.filter(({ number }) => number <= newest)
  return { shown, waiting: groups.length - shown.length }
}
