/** The audit log's own file: what becomes of the history does not touch it. Rows can be added, and nothing else. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Each runs once, in order. A migration that was released is never edited: add another. */
const MIGRATIONS: readonly string[] = [
  `create table audit (
    number integer primary key,
    at text not null,
    kind text not null,
    operation text not null,
    verb text not null,
    cluster text,
    ref text,
    body text not null,
    hash text not null
  ) strict;
  create index audit_operation on audit (operation);
  create index audit_election on audit (cluster, ref, number);
  create trigger audit_no_update before update on audit begin select raise(abort, 'the audit log is only added to'); end;
  create trigger audit_no_delete before delete on audit begin select raise(abort, 'the audit log is only added to'); end;`,
]

/** One row: `body` is the JSON of the entry without its hash, the other columns are found in it as well. */
export interface AuditRow {
  number: number
  at: string
  kind: string
  operation: string
  verb: string
  cluster: string | null
  ref: string | null
  body: string
  hash: string
}

/** Throws when the file cannot be used. */
export function openAuditDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    const done = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    for (const [at, sql] of MIGRATIONS.entries()) if (at >= done) database.exec(sql)
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}
