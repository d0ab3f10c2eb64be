/** The audit log in a SQLite file of its own. Writes are durable when they return. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import {
  type Audit,
  type AuditDraft,
  type AuditEntry,
  type AuditedOperation,
  type AuditPage,
  type AuditQuery,
  AuditUnavailable,
} from './audit.ts'
import { chainHash, NO_HASH } from './audit-chain.ts'
import { type AuditRow, openAuditDatabase } from './audit-database.ts'
import { messageOf } from './failures.ts'
import { InvalidCursor } from './history.ts'

/** Never throws: a file that cannot be used refuses entries, and is tried again with each. */
export function openSqliteAudit(options: { file: string; clock: Clock }): Audit {
  return new SqliteAudit(options)
}

class SqliteAudit implements Audit {
  private readonly file: string
  private readonly clock: Clock
  private database: DatabaseSync | null = null

  constructor({ file, clock }: { file: string; clock: Clock }) {
    this.file = file
    this.clock = clock
  }

  add(draft: AuditDraft): AuditEntry {
    return this.using((database) => {
      database.exec('BEGIN IMMEDIATE')
      try {
        const entry = this.append(database, draft)
        database.exec('COMMIT')
        return entry
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK')
        throw error
      }
    })
  }

  operation(id: string): AuditedOperation | null {
    const own = this.select('where operation = ? order by number', [id])
    if (own.length === 0) return null
    return {
      intent: own.find(({ kind }) => kind === 'intent') ?? null,
      outcomes: own.filter(({ kind }) => kind === 'outcome'),
    }
  }

  unresolved(): AuditEntry[] {
    return this.select(
      `where kind = 'intent' and not exists (
        select 1 from audit as later where later.operation = audit.operation and later.kind = 'outcome'
        and json_extract(later.body, '$.outcome.is') <> 'unknown'
      ) order by number`,
      [],
    )
  }

  list({ limit, cursor, from, to, search, ...equal }: AuditQuery): AuditPage {
    const where: string[] = []
    const values: SQLInputValue[] = []
    const and = (condition: string, ...given: SQLInputValue[]) => {
      where.push(condition)
      values.push(...given)
    }
    for (const [column, value] of Object.entries(equal)) if (value !== undefined) and(`${column} = ?`, value)
    if (from !== undefined) and('at >= ?', from)
    if (to !== undefined) and('at < ?', to)
    if (cursor !== undefined) and('number < ?', numberOf(cursor))
    if (search !== undefined && search !== '') and(`instr(lower(body), lower(?)) > 0`, search)
    const condition = where.length === 0 ? '' : `where ${where.join(' and ')}`
    const found = this.select(`${condition} order by number desc limit ?`, [...values, limit + 1])
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return found.length > limit && last ? { entries, nextCursor: String(last.number) } : { entries }
  }

  close(): void {
    this.database?.close()
    this.database = null
  }

  private append(database: DatabaseSync, draft: AuditDraft): AuditEntry {
    const last = database.prepare('select number, hash from audit order by number desc limit 1').get()
    const number = Number(last?.number ?? 0) + 1
    const entry = { number, at: instant(this.clock.nowMs()), ...draft }
    const body = JSON.stringify(entry)
    const hash = chainHash(String(last?.hash ?? NO_HASH), body)
    const { at, kind, operation, verb, subject } = entry
    database
      .prepare(
        'insert into audit (number, at, kind, operation, verb, cluster, ref, body, hash) values (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(number, at, kind, operation, verb, subject.cluster, subject.ref ?? null, body, hash)
    return { ...entry, hash }
  }

  private select(rest: string, values: readonly SQLInputValue[]): AuditEntry[] {
    return this.using((database) =>
      (database.prepare(`select body, hash from audit ${rest}`).all(...values) as unknown as AuditRow[]).map(
        ({ body, hash }) => ({ ...(JSON.parse(body) as Omit<AuditEntry, 'hash'>), hash }),
      ),
    )
  }

  private using<T>(work: (database: DatabaseSync) => T): T {
    try {
      this.database ??= openAuditDatabase(this.file)
      return work(this.database)
    } catch (error) {
      if (error instanceof InvalidCursor) throw error
      throw new AuditUnavailable(messageOf(error), { cause: error })
    }
  }
}

function numberOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor)) throw new InvalidCursor(cursor)
  return Number(cursor)
}
