/** The file that keeps alerts: of its own, so that neither history nor the audit log can hold it up. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const MIGRATIONS: readonly string[] = [
  `create table alerts (
     id text primary key, key text not null, rule text not null, cluster text, ref text,
     fired_at text not null, resolved_at text, body text not null
   ) strict, without rowid;
   create index alerts_fired on alerts (fired_at, id);
   create index alerts_open on alerts (id) where resolved_at is null;
   create index alerts_resolved on alerts (resolved_at) where resolved_at is not null;
   create table silences (id text primary key, over_at text not null, body text not null) strict, without rowid;
   create table deliveries (
     number integer primary key, id text not null, channel text not null, alert_id text, at text not null,
     state text not null, body text not null, message text, unique (channel, id)
   ) strict;
   create index deliveries_waiting on deliveries (number) where state = 'waiting';
   create index deliveries_at on deliveries (at);
   create index deliveries_alert on deliveries (alert_id, number);`,
]

export const ALERT_VERSION = MIGRATIONS.length

/** A lock that somebody else holds is waited for this long: the whole server waits. */
const WAIT_FOR_LOCK_MS = 100

/** Throws when the file cannot be used. */
export function openAlertDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new DatabaseSync(file, { timeout: 1_000 })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(database)
    database.exec(`PRAGMA busy_timeout = ${WAIT_FOR_LOCK_MS}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** All of `work`, or nothing. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // SQLite has already rolled back by itself after some errors, a full disk among them.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

function migrate(database: DatabaseSync): void {
  inTransaction(database, () => {
    const done = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    for (const [at, sql] of MIGRATIONS.entries()) if (at >= done) database.exec(sql)
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
  })
}
