/** A SQLite file with one purpose, written in synchronous transactions on the main thread. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A lock that somebody else holds is waited for this long: the whole server waits. */
const WAIT_FOR_LOCK_MS = 100

/** Each migration runs once, in order. One that was released is never edited: add another. Throws when the file cannot be used. */
export function openOwnDatabase(file: string, migrations: readonly string[]): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new DatabaseSync(file, { timeout: 1000 })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(database, migrations)
    database.exec(`PRAGMA busy_timeout = ${WAIT_FOR_LOCK_MS}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** All of `work`, or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite has already rolled back by itself after some errors, a full disk among them.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  inTransaction(database, () => {
    const done = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    for (const [at, sql] of migrations.entries()) if (at >= done) database.exec(sql)
    database.exec(`PRAGMA user_version = ${migrations.length}`)
  })
}
