/** Queries of the audit log as SQL: each reads along an index, so that none walks the whole log. */
import type { SQLInputValue } from 'node:sqlite'
import type { AuditQuery } from './audit.ts'
import { phraseFor } from './audit-search.ts'
import { InvalidCursor } from './history.ts'

export interface Select {
  sql: string
  values: SQLInputValue[]
}

/** First and last number of a time, by `audit_at` alone: a clock that was set back leaves times out of order. */
export const BOUNDS = 'select min(number) as first, max(number) as last from audit where at >= ? and at < ?'
export const EARLIEST = '0000'
export const LATEST = '9999'

/** Named, for the planner would rather walk all outcomes that are later. */
const STILL = `not exists (
  select 1 from audit as later indexed by audit_operation
  where later.operation = audit.operation and later.kind = 'outcome' and later.number > audit.number
)`

/** Newest first, one row more than `limit` when there are more. `bounds`: of `from` and `to`, null without them. */
export function selectOf(query: AuditQuery, bounds: { first: number; last: number } | null): Select {
  const { limit, cursor, from, to, search = '', searchAddresses = true, withoutVerbs = [], ...equal } = query
  const where: string[] = []
  const values: SQLInputValue[] = []
  const and = (condition: string, ...given: SQLInputValue[]) => {
    where.push(condition)
    values.push(...given)
  }
  const isSearch = search !== ''
  // The text's own rows are read in the order of their numbers, and end where the bounds do.
  const number = isSearch ? 'audit_text.rowid' : 'audit.number'
  if (isSearch) and('audit_text match ?', phraseFor(search, searchAddresses))
  for (const [column, value] of Object.entries(equal)) if (value !== undefined) and(`audit.${column} = ?`, value)
  if (query.result === 'unknown') and(STILL)
  if (withoutVerbs.length > 0) and(`verb not in (${withoutVerbs.map(() => '?').join(', ')})`, ...withoutVerbs)
  if (bounds !== null) and(`${number} between ? and ?`, bounds.first, bounds.last)
  if (from !== undefined) and('at >= ?', from)
  if (to !== undefined) and('at < ?', to)
  if (cursor !== undefined) and(`${number} < ?`, numberOf(cursor))
  const source = isSearch ? 'audit_text cross join audit on audit.number = audit_text.rowid' : 'audit'
  const condition = where.length === 0 ? '' : `where ${where.join(' and ')} `
  const sql = `select body, hash from ${source} ${condition}order by ${number} desc limit ?`
  return { sql, values: [...values, limit + 1] }
}

function numberOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new InvalidCursor(cursor)
  return Number(cursor)
}
