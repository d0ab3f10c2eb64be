/**
 * The SQLite file: opened, migrated, and reached in two ways. Kysely builds the reads. Writes are
 * prepared statements in one synchronous transaction: a transaction that awaited anything could meet
 * another connection of this same thread, which would then block the event loop it waits for.
 */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { MIGRATIONS } from './migrations/index.ts'
import type { HistoryTables } from './schema.ts'

export type Params = Record<string, SQLInputValue>

export interface Database {
  readonly db: Kysely<HistoryTables>
  readonly raw: DatabaseSync
  /** The prepared statement for `sql`; prepared once. */
  statement(sql: string): StatementSync
  /** Runs `work` in one transaction; it must not await. Rolls back and rethrows when it throws. */
  transact<T>(work: () => T): T
  close(): Promise<void>
}

/** Opens and migrates. Rejects when the file cannot be used, and leaves nothing open then. */
export async function openDatabase(file: string): Promise<Database> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const raw = new DatabaseSync(file, { readBigInts: true, timeout: 5000 })
  const db = new Kysely<HistoryTables>({ dialect: new NodeSqliteDialect({ database: adapt(raw) }) })
  try {
    raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF')
    await migrate(db)
    // From here on a lock is waited for between the turns of the event loop, not within one.
    raw.exec('PRAGMA busy_timeout = 20')
  } catch (error) {
    if (raw.isOpen) raw.close()
    throw error
  }
  return new OpenDatabase(raw, db)
}

class OpenDatabase implements Database {
  readonly raw: DatabaseSync
  readonly db: Kysely<HistoryTables>
  private readonly statements = new Map<string, StatementSync>()

  constructor(raw: DatabaseSync, db: Kysely<HistoryTables>) {
    this.raw = raw
    this.db = db
  }

  statement(sql: string): StatementSync {
    let statement = this.statements.get(sql)
    if (statement === undefined) {
      statement = this.raw.prepare(sql)
      this.statements.set(sql, statement)
    }
    return statement
  }

  transact<T>(work: () => T): T {
    this.statement('BEGIN IMMEDIATE').run()
    try {
      const result = work()
      this.statement('COMMIT').run()
      return result
    } catch (error) {
      // SQLite has already rolled back by itself after some errors, a full disk among them.
      if (this.raw.isOpen && this.raw.isTransaction) this.raw.exec('ROLLBACK')
      throw error
    }
  }

  async close(): Promise<void> {
    this.statements.clear()
    await this.db.destroy()
    if (this.raw.isOpen) this.raw.close()
  }
}

function adapt(raw: DatabaseSync): SqliteDatabase {
  return {
    close: () => raw.close(),
    prepare: (sql) => {
      const statement = raw.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
        run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
        iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
      }
    },
  }
}

/** Kysely assumes that SQLite cannot roll back DDL. It can, and half a migration must never stay. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class NodeSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

async function migrate(db: Kysely<HistoryTables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error instanceof Error ? error : new Error(String(error))
}
