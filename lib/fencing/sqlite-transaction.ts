/** The work of one fenced transaction in SQLite: synchronous, on a handle that ends with it. */
import { FencingError } from './errors.ts'
import type { Guarded } from './fence.ts'
import { lend, transactionControl } from './lent.ts'
import { decodeResult, encodeResult, type RecordedResult, Runs } from './runs.ts'
import { statements as sql } from './sqlite-sql.ts'

/** What is needed of a statement of `node:sqlite`. */
export interface SqliteStatement {
  get(...values: (string | number | bigint | null)[]): unknown
  run(...values: (string | number | bigint | null)[]): { changes: number | bigint }
  setReturnArrays?(enabled: boolean): void
}

/** What is needed of a `DatabaseSync` of `node:sqlite`. */
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  readonly isTransaction: boolean
}

/** As `FencedTx`, but synchronous throughout. */
export interface SqliteTx<Db> extends Guarded {
  readonly db: Db
  /** See `FencedTx.runOnce`; `work` must be synchronous. */
  runOnce<R>(key: string, work: () => R): R
}

/** For statements of our own: rows by name, however the connection was opened. */
export function prepareOwn(db: SqliteDatabase, text: string): SqliteStatement {
  const statement = db.prepare(text)
  statement.setReturnArrays?.(false)
  return statement
}

const misuse = (message: string) => new FencingError('misuse', message)

/** What it goes on to do after its first await would happen outside of the transaction. */
function assertSynchronous(result: unknown): void {
  if (typeof (result as { then?: unknown } | null | undefined)?.then !== 'function') return
  Promise.resolve(result).catch(() => {}) // It fails at its next use of the handle, and nobody awaits it.
  throw misuse('The work of a SQLite write must be synchronous: it was rolled back. Await before write() instead.')
}

function lendDatabase<Db extends SqliteDatabase>(db: Db, isOpen: () => boolean): Db {
  const check = (method: string, [first]: unknown[]) => {
    if (!isOpen()) throw misuse('This write has ended: use its db inside of the work alone.')
    // A conflict clause, a trigger or a full disk can roll back: what follows would be committed by itself.
    if (!db.isTransaction) throw misuse('The transaction of this write has ended: nothing more can be written.')
    if (['close', 'open', 'deserialize'].includes(method)) throw misuse(`${method}() inside a fenced write.`)
    const control = method === 'exec' || method === 'prepare' ? transactionControl(first) : undefined
    if (control) throw misuse(`${control} inside a fenced write: leave that to the fence; savepoints are fine.`)
  }
  return lend(db, check, ['prepare', 'iterate', 'createTagStore'])
}

function syncRunOnce(db: SqliteDatabase, unit: Runs, resource: string): SqliteTx<SqliteDatabase>['runOnce'] {
  return <R>(key: string, work: () => R): R => {
    unit.begin(key)
    try {
      const row = prepareOwn(db, sql.findRun).get(resource, key) as { result: RecordedResult } | undefined
      if (row) return decodeResult<R>(row.result)
      const value = work()
      assertSynchronous(value)
      const result = encodeResult(key, value)
      db.prepare(sql.recordRun).run(resource, key, result)
      return decodeResult<R>(result)
    } catch (error) {
      throw unit.fail(error)
    } finally {
      unit.end(key)
    }
  }
}

function releaseMark(db: SqliteDatabase): void {
  try {
    db.exec(sql.unmark)
  } catch (cause) {
    const message = 'The work ended the transaction of its fenced write: leave that to the fence.'
    throw new FencingError('misuse', message, { cause })
  }
}

/** Calls the work in the open transaction, which has accepted the token, and proves that it was not left. */
export function runFenced<Db extends SqliteDatabase, R>(db: Db, guarded: Guarded, work: (tx: SqliteTx<Db>) => R): R {
  const unit = new Runs()
  let isOpen = true
  db.exec(sql.mark)
  const lent = lendDatabase(db, () => isOpen)
  try {
    const result = work({ ...guarded, db: lent, runOnce: syncRunOnce(lent, unit, guarded.resource) })
    assertSynchronous(result)
    unit.close()
    releaseMark(db)
    return result
  } finally {
    isOpen = false
  }
}
