/**
 * The guard inside SQLite, for one file that several processes write. From BEGIN IMMEDIATE to COMMIT
 * nothing is awaited, so nothing else on the connection can slip into the transaction.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { FencingToken } from '../election/epoch.ts'
import type { Revision } from '../election/types.ts'
import { backoffMs } from '../shared/abort.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import { FencingError } from './errors.ts'
import { checkGuarded, countRejections, type Fence, type FenceOptions, type Guarded, type Rejections } from './fence.ts'
import { checkName } from './names.ts'
import { checkOlderThan } from './runs.ts'
import { statements as sql, sqliteTables } from './sqlite-sql.ts'
import { prepareOwn, runFenced, type SqliteDatabase, type SqliteTx } from './sqlite-transaction.ts'

export interface SqliteFenceOptions extends FenceOptions {
  /** How long to wait for another writer of the file (default 5,000 ms), without blocking the event loop. */
  busyTimeoutMs?: number
  clock?: Clock
}

export interface SqliteFence<Db> extends Omit<Fence<SqliteTx<Db>>, 'write'> {
  /** As in `Fence`, and `work` must be synchronous: an async function is refused and rolled back. */
  write<R>(guarded: Guarded, work: (tx: SqliteTx<Db>) => R): Promise<R>
  createTables(): Promise<void>
}

const isBusy = (error: unknown) => (((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff) === 5

const busy = (message: string, cause: unknown) => new FencingError('busy', message, { cause })

function assertNoTransaction(db: SqliteDatabase): void {
  if (db.isTransaction === false) return
  const found = db.isTransaction === true ? 'has an open transaction' : 'does not say whether it is in a transaction'
  throw new FencingError('misuse', `The SQLite connection ${found}: give the fence a DatabaseSync of its own.`)
}

/** Once, without SQLite's own waiting, which would stop the event loop and with it the renewals of a lease. */
function tryBegin(db: SqliteDatabase): void {
  const { timeout } = prepareOwn(db, 'PRAGMA busy_timeout').get() as { timeout: number | bigint }
  db.exec('PRAGMA busy_timeout = 0')
  try {
    db.exec('BEGIN IMMEDIATE')
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`)
  }
}

/** Runs `inside` in a transaction that has the write lock of the file; commits, or rolls back and throws. */
function transact<R>(db: SqliteDatabase, inside: () => R): { result: R } | { busy: unknown } {
  assertNoTransaction(db)
  try {
    tryBegin(db)
  } catch (error) {
    if (isBusy(error)) return { busy: error }
    throw error
  }
  try {
    const result = inside()
    commit(db)
    return { result }
  } catch (error) {
    // SQLite may have rolled back by itself, as for a full disk.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function commit(db: SqliteDatabase): void {
  try {
    db.exec('COMMIT')
  } catch (error) {
    if (!isBusy(error)) throw error
    throw busy('SQLite could not commit beside a reader: nothing was written (WAL avoids this).', error)
  }
}

function readHighest(db: SqliteDatabase, resource: string): FencingToken | null {
  const row = prepareOwn(db, sql.highest).get(resource) as { epoch: string; revision: string } | undefined
  // The table's own check keeps an epoch where a double is exact.
  return row ? { epoch: Number(row.epoch), revision: row.revision as Revision } : null
}

function namingTables<R>(use: () => R): R {
  try {
    return use()
  } catch (error) {
    if (!/no such table: main\.tenure_/.test((error as Error).message)) throw error
    throw new FencingError('misuse', 'The tables of the fence do not exist: call createTables() or run sqliteTables.', {
      cause: error,
    })
  }
}

function accept(db: SqliteDatabase, rejections: Rejections, guarded: Guarded): void {
  const { resource, token } = guarded
  const values = [resource, BigInt(token.epoch), BigInt(token.revision)]
  if (namingTables(() => db.prepare(sql.accept).get(...values)) !== undefined) return
  const held = readHighest(db, resource)
  if (held === null) throw new FencingError('misuse', `main.tenure_fences refuses "${resource}": is there a trigger?`)
  throw rejections.refuse(guarded, held)
}

function checkBusyTimeout(busyTimeoutMs: number): number {
  if (Number.isSafeInteger(busyTimeoutMs) && busyTimeoutMs >= 0) return busyTimeoutMs
  throw new FencingError('bad-input', `busyTimeoutMs is ${busyTimeoutMs}: give whole milliseconds, 0 or more.`)
}

/**
 * A guard over a `DatabaseSync` of `node:sqlite`. Several processes may write the file, on a local disk:
 * SQLite's locks do not hold on network file systems. `busy` after `busyTimeoutMs`: nothing was written.
 */
export function sqliteFence<Db extends SqliteDatabase>(db: Db, options: SqliteFenceOptions = {}): SqliteFence<Db> {
  const rejections = countRejections(options)
  const busyTimeoutMs = checkBusyTimeout(options.busyTimeoutMs ?? 5_000)
  const clock = options.clock ?? systemClock

  async function whenFree<R>(inside: () => R): Promise<R> {
    const giveUpAtMs = clock.monoMs() + busyTimeoutMs
    for (let attempt = 0; ; attempt += 1) {
      const outcome = transact(db, inside)
      if ('result' in outcome) return outcome.result
      if (clock.monoMs() >= giveUpAtMs) {
        throw busy(`Another writer kept the SQLite file for ${busyTimeoutMs} ms: nothing was written.`, outcome.busy)
      }
      await pause(backoffMs(attempt, 1, 20))
    }
  }

  return {
    write: async (guarded, work) => {
      const checked = checkGuarded(guarded)
      return whenFree(() => {
        accept(db, rejections, checked)
        return runFenced(db, checked, work)
      })
    },
    highest: async (resource) => namingTables(() => readHighest(db, checkName('resource', resource))),
    pruneRuns: async (older) => {
      const ageMs = checkOlderThan(older)
      return whenFree(() => Number(namingTables(() => db.prepare(sql.pruneRuns).run(ageMs)).changes))
    },
    createTables: () => whenFree(() => db.exec(sqliteTables)),
    get rejected() {
      return rejections.count
    },
  }
}
