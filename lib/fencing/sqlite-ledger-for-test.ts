/** A file with a ledger and a guard before it, and a second connection to it; new for each test. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach } from 'vitest'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import { type SqliteFence, sqliteFence } from './sqlite.ts'

export const LEDGER = 'CREATE TABLE ledger (id INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;'
export const APPEND = 'INSERT INTO ledger (line) VALUES (?)'

export function linesOf(db: DatabaseSync): string[] {
  return (db.prepare('SELECT line FROM ledger ORDER BY id').all() as { line: string }[]).map(({ line }) => line)
}

export function useLedger() {
  let folder: TempFolder
  let db: DatabaseSync
  let other: DatabaseSync
  let fence: SqliteFence<DatabaseSync>
  beforeEach(async () => {
    folder = makeTempFolder('fencing')
    db = new DatabaseSync(join(folder.path, 'ledger.db'))
    db.exec(`PRAGMA journal_mode = WAL; ${LEDGER}`)
    other = new DatabaseSync(join(folder.path, 'ledger.db'))
    fence = sqliteFence(db)
    await fence.createTables()
  })
  afterEach(() => {
    db.close()
    other.close()
    folder.remove()
  })
  return {
    get db() {
      return db
    },
    get other() {
      return other
    },
    get fence() {
      return fence
    },
    lines: () => linesOf(db),
  }
}
