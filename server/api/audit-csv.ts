/** Entries of the audit log as lines of CSV (RFC 4180) that no spreadsheet takes for formulas. */
import { csvLine } from '../../lib/shared/csv.ts'
import { type AuditEntry, auditResult } from '../history/audit.ts'

const COLUMNS: readonly [string, (entry: AuditEntry) => string | number | null | undefined][] = [
  ['number', ({ number }) => number],
  ['at', ({ at }) => at],
  ['kind', ({ kind }) => kind],
  ['verb', ({ verb }) => verb],
  ['result', (entry) => auditResult(entry)],
  ['who', ({ actor }) => actor.name],
  ['token', ({ actor }) => actor.token],
  ['address', ({ actor }) => actor.address],
  ['cluster', ({ subject }) => subject.cluster],
  ['election', ({ subject }) => subject.name],
  ['ref', ({ subject }) => subject.ref],
  ['scope', ({ subject }) => subject.scope],
  ['person', ({ subject }) => subject.person?.name],
  ['reason', ({ reason }) => reason],
  ['code', ({ code }) => code],
  ['words', ({ outcome, words }) => outcome?.words ?? words],
  ['revision', ({ outcome }) => outcome?.revision],
  ['durationMs', ({ durationMs }) => durationMs],
  ['operation', ({ operation }) => operation],
  ['asked', ({ asked }) => JSON.stringify(asked)],
  ['seen', ({ seen }) => JSON.stringify(seen)],
  ['hash', ({ hash }) => hash],
]

export const CSV_HEAD = csvLine(COLUMNS.map(([name]) => name))

export function csvOf(entry: AuditEntry): string {
  return csvLine(COLUMNS.map(([, cell]) => cell(entry)))
}
