/** The audit log in a SQLite file of its own. Writes are durable when they return. */
import { statSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { type Clock, type Instant, instant } from '../../lib/shared/clock.ts'
import {
  type Audit,
  type AuditDraft,
  type AuditEntry,
  type AuditedOperation,
  type AuditPage,
  type AuditQuery,
  type AuditSummary,
  AuditUnavailable,
} from './audit.ts'
import { chainHash, NO_HASH } from './audit-chain.ts'
import { type AuditRow, openAuditDatabase } from './audit-database.ts'
import { shownText } from './audit-search.ts'
import { BOUNDS, EARLIEST, LATEST, selectOf } from './audit-select.ts'
import { keepsConnection, unavailable } from './audit-trouble.ts'
import { InvalidCursor } from './history.ts'
import { inTransaction } from './own-database.ts'

export const UNRESOLVED = `select body, hash from audit where number in (
  select number from audit where kind = 'intent'
  and operation not in (select operation from audit where result in ('verified', 'failed'))
) order by number`

/** Never throws: a file that cannot be used refuses entries, and is tried again with each. */
export function openSqliteAudit(options: { file: string; clock: Clock }): Audit {
  return new SqliteAudit(options)
}

interface Open {
  database: DatabaseSync
  /** Which file it is, whatever has its name later. */
  inode: number
}

class SqliteAudit implements Audit {
  private readonly file: string
  private readonly clock: Clock
  private open: Open | null = null

  constructor({ file, clock }: { file: string; clock: Clock }) {
    this.file = file
    this.clock = clock
  }

  add(draft: AuditDraft): AuditEntry {
    return this.using((database) => {
      this.requireOwnFile()
      return inTransaction(database, () => this.append(database, draft))
    })
  }

  operation(id: string): AuditedOperation | null {
    if (id === '') return null
    const own = this.select('select body, hash from audit where operation = ? order by number', [id])
    if (own.length === 0) return null
    return {
      intent: own.find(({ kind }) => kind === 'intent') ?? null,
      outcomes: own.filter(({ kind }) => kind === 'outcome'),
    }
  }

  unresolved(): AuditEntry[] {
    return this.select(UNRESOLVED, [])
  }

  list(query: AuditQuery): AuditPage {
    if (query.operation === '') return { entries: [] }
    const bounds = this.boundsOf(query)
    if (bounds === 'empty') return { entries: [] }
    const { sql, values } = selectOf(query, bounds)
    const found = this.select(sql, values)
    const entries = found.slice(0, query.limit)
    const last = entries.at(-1)
    return found.length > query.limit && last ? { entries, nextCursor: String(last.number) } : { entries }
  }

  summary({ from, withoutVerbs = [] }: { from: Instant; withoutVerbs?: readonly string[] }): AuditSummary {
    const others = withoutVerbs.length === 0 ? '' : `where verb not in (${withoutVerbs.map(() => '?').join(', ')})`
    const since = `${others === '' ? 'where' : `${others} and`} at >= ?`
    return this.using((database) => {
      const counted = database
        .prepare(`select kind, count(*) as n from audit indexed by audit_at ${since} group by kind`)
        .all(...withoutVerbs, from)
      const newest = database
        .prepare(`select at from audit ${others} order by number desc limit 1`)
        .get(...withoutVerbs)
      const count = (kind: AuditDraft['kind']) => Number(counted.find((row) => row.kind === kind)?.n ?? 0)
      return {
        actions: count('intent') + count('done'),
        refused: count('refusal'),
        newest: newest === undefined ? null : String(newest.at),
      }
    })
  }

  close(): void {
    const { open } = this
    this.open = null
    if (open?.database.isOpen) open.database.close()
  }

  private boundsOf({ from, to }: AuditQuery): { first: number; last: number } | 'empty' | null {
    if (from === undefined && to === undefined) return null
    return this.using((database) => {
      const found = database.prepare(BOUNDS).get(from ?? EARLIEST, to ?? LATEST)
      if (found === undefined || found.first === null) return 'empty'
      return { first: Number(found.first), last: Number(found.last) }
    })
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
    database
      .prepare('insert into audit_text (rowid, shown, address) values (?, ?, ?)')
      .run(number, shownText(entry), entry.actor.address)
    return { ...(JSON.parse(body) as typeof entry), hash }
  }

  private select(sql: string, values: readonly SQLInputValue[]): AuditEntry[] {
    return this.using((database) =>
      (database.prepare(sql).all(...values) as unknown as AuditRow[]).map(({ body, hash }) => ({
        ...(JSON.parse(body) as Omit<AuditEntry, 'hash'>),
        hash,
      })),
    )
  }

  private using<T>(work: (database: DatabaseSync) => T): T {
    try {
      if (this.open === null) {
        const database = openAuditDatabase(this.file)
        this.open = { database, inode: statSync(this.file).ino }
      }
      return work(this.open.database)
    } catch (error) {
      if (error instanceof InvalidCursor) throw error
      if (!keepsConnection(error) && !(error instanceof AuditUnavailable)) this.close()
      throw unavailable(this.file, error)
    }
  }

  /** What is written to a file that was moved away would be lost, and a new one would begin a new chain. */
  private requireOwnFile(): void {
    if (statSync(this.file, { throwIfNoEntry: false })?.ino === this.open?.inode) return
    throw new AuditUnavailable(`${this.file} was moved or replaced while Tenure runs: put it back, or restart Tenure`)
  }
}
