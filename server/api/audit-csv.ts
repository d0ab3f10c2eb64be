/** Entries of the audit log as lines of CSV (RFC 4180) that no spreadsheet takes for formulas. */
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

export const CSV_HEAD = lineOf(COLUMNS.map(([name]) => name))

export function csvOf(entry: AuditEntry): string {
  return lineOf(COLUMNS.map(([, cell]) => cell(entry)))
}

function lineOf(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => cellOf(String(cell ?? ''))).join(',')}\r\n`
}

/** A spreadsheet looks behind the quotes: what it would compute is made text before it is quoted. */
export function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
