/** Walks the chain of an audit log from its first entry, beside a server that adds to it. Nothing is written. */
import { DatabaseSync } from 'node:sqlite'
import type { Instant } from '../../lib/shared/clock.ts'
import { chainHash, NO_HASH } from './audit-chain.ts'
import type { AuditRow } from './audit-database.ts'

export interface Verified {
  /** Entries that are as they were written, in an unbroken chain. */
  count: number
  from: Instant | null
  to: Instant | null
  lastHash: string
  /** The first entry that breaks the chain; null when none does. */
  broken: Broken | null
  /** Which entry has the hash that was expected; null when none has, undefined when none was expected. */
  expectedAt?: number | null
}

export interface Broken {
  number: number
  at: Instant | null
  what: string
}

/** Throws when the file cannot be read. */
export function verifyAudit(file: string, expected?: string): Verified {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    // One statement sees one state of the log, whatever is added meanwhile.
    const rows = database.prepare('select * from audit order by number').iterate() as Iterable<unknown>
    return walk(rows as Iterable<AuditRow>, expected)
  } finally {
    database.close()
  }
}

function walk(rows: Iterable<AuditRow>, expected: string | undefined): Verified {
  const verified: Verified = { count: 0, from: null, to: null, lastHash: NO_HASH, broken: null }
  if (expected !== undefined) verified.expectedAt = null
  let suspect: AuditRow | null = null
  for (const row of rows) {
    if (suspect !== null) {
      verified.broken = whatBroke(suspect, verified, row)
      return verified
    }
    if (isMissing(row, verified)) {
      verified.broken = missing(verified.count + 1, row)
      return verified
    }
    if (chainHash(verified.lastHash, row.body) !== row.hash) {
      // What was done to it shows by the one after it.
      suspect = row
      continue
    }
    const differing = differingColumns(row)
    if (differing.length > 0) {
      const what = `changed: ${differing.join(', ')} beside it differ from what its text says`
      verified.broken = { number: row.number, at: row.at, what }
      return verified
    }
    verified.count += 1
    verified.from ??= row.at
    verified.to = row.at
    verified.lastHash = row.hash
    if (row.hash === expected) verified.expectedAt = row.number
  }
  if (suspect !== null) verified.broken = whatBroke(suspect, verified, null)
  return verified
}

function isMissing(row: AuditRow, { count }: Verified): boolean {
  return row.number !== count + 1
}

function missing(number: number, next: AuditRow): Broken {
  const last = next.number - 1
  const what = last > number ? `missing, with all up to number ${last}` : 'missing'
  return { number, at: null, what: `${what}: the next one is number ${next.number} of ${next.at}` }
}

function whatBroke(row: AuditRow, { lastHash }: Verified, next: AuditRow | null): Broken {
  const { number, at } = row
  const told = numberInside(row)
  if (next !== null && chainHash(lastHash, next.body) === next.hash) {
    return { number, at, what: 'put in: the one after it continues the one before it' }
  }
  if (told !== null && told !== number) {
    return { number, at, what: `in the wrong place: its text says that it is number ${told}` }
  }
  // Nothing tells these two apart: the hash is made of both.
  return { number, at, what: 'changed, or the one before it was changed together with its hash' }
}

function numberInside({ body }: AuditRow): number | null {
  const number = parsed(body)?.number
  return typeof number === 'number' ? number : null
}

function parsed(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Searches go by the columns: they must say what the text says. */
function differingColumns(row: AuditRow): string[] {
  const body = parsed(row.body)
  if (body === null) return ['all']
  const subject = (body.subject ?? {}) as Record<string, unknown>
  const said: Omit<Record<keyof AuditRow, unknown>, 'body' | 'hash'> = {
    number: body.number,
    at: body.at,
    kind: body.kind,
    operation: body.operation,
    verb: body.verb,
    cluster: subject.cluster ?? null,
    ref: subject.ref ?? null,
  }
  return Object.entries(said)
    .filter(([column, value]) => row[column as keyof AuditRow] !== value)
    .map(([column]) => column)
}
