/**
 * A second connection to the history's file, for people, sessions, tokens and links: the sign-in library
 * reads numbers as numbers, the history as big integers. Opened and migrated before the history is: two
 * migrations on one thread would wait for each other.
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { instant } from '../../lib/shared/clock.ts'

/** Each runs once, in order. A migration that was released is never edited: add another. */
const MIGRATIONS: readonly string[] = [
  `create table auth_tokens (
    id text primary key,
    person_id text not null,
    name text not null,
    role text not null,
    hash text not null unique,
    created_ms integer not null,
    used_ms integer
  ) strict;
  create index auth_tokens_person on auth_tokens (person_id);
  create table auth_links (
    hash text primary key,
    person_id text,
    expires_ms integer not null
  ) strict;`,
]

/** Throws when the file cannot be used: unlike a history, sign-in is nothing to do without. */
export function openAuthDatabase(file: string): DatabaseSync {
  let database: DatabaseSync | undefined
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    // Sessions and password hashes are in it; SQLite gives the files beside it the same mode.
    closeSync(openSync(file, 'a', 0o600))
    chmodSync(file, 0o600)
    database = new DatabaseSync(file, { timeout: 5000 })
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    migrate(database)
    return database
  } catch (error) {
    database?.close()
    const why = error instanceof Error ? error.message : String(error)
    const hint = /full|I\/O/.test(why) ? ' (is there space left on that disk?)' : ''
    throw new Error(`people and sessions cannot be kept in ${file}: ${why}${hint}`)
  }
}

function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    database.exec('create table if not exists auth_migrations (number integer primary key) strict')
    const done = Number(database.prepare('select count(*) as n from auth_migrations').get()?.n)
    for (const [at, sql] of MIGRATIONS.entries()) {
      if (at < done) continue
      database.exec(sql)
      database.prepare('insert into auth_migrations (number) values (?)').run(at + 1)
    }
    database.exec('COMMIT')
  } catch (error) {
    // SQLite has already rolled back by itself after some errors, a full disk among them.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** What ran out while nobody asked for it would stay for ever. The library writes times as text. */
export function forgetExpired(database: DatabaseSync, nowMs: number): void {
  const now = instant(nowMs)
  database.prepare('delete from auth_sessions where expiresAt < ?').run(now)
  database.prepare('delete from auth_verifications where expiresAt < ?').run(now)
  database.prepare('delete from auth_links where expires_ms < ?').run(nowMs)
}
