/** One fenced transaction on one connection, whoever began it. */
import type { FencingToken } from '../election/epoch.ts'
import type { Revision } from '../election/types.ts'
import { FencingError } from './errors.ts'
import type { FencedTx, Guarded, Rejections } from './fence.ts'
import { lend, transactionControl } from './lent.ts'
import type { Statements } from './postgres-sql.ts'
import { type RecordedResult, Runs } from './runs.ts'

/** What is needed of a connection; `Client` and `PoolClient` of `pg` have it. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export interface Scope {
  sql: Statements
  rejections: Rejections
  /** `null` leaves the session's setting. */
  idleTimeoutMs: number | null
}

type Work<Db, R> = (tx: FencedTx<Db>) => R | Promise<R>

const misuse = (message: string, cause?: unknown) => new FencingError('misuse', message, { cause })

/** SQLSTATE, where the error has one. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

const UNDEFINED_TABLE = '42P01'
const NO_ACTIVE_TRANSACTION = '25P01'

/** For statements of our own alone: a table that is missing is then one of ours. */
export async function rowsOf<Row>(client: PostgresClient, text: string, values?: unknown[]): Promise<Row[]> {
  try {
    const { rows } = await (values ? client.query(text, values) : client.query(text))
    return rows as Row[]
  } catch (error) {
    if (sqlState(error) !== UNDEFINED_TABLE) throw error
    throw misuse(`${(error as Error).message}: call createTables() or run postgresTables() first.`, error)
  }
}

export async function readHighest(
  client: PostgresClient,
  sql: Statements,
  resource: string,
): Promise<FencingToken | null> {
  const [row] = await rowsOf<{ epoch: string; revision: string }>(client, sql.highest, [resource])
  // The table's own check keeps an epoch where a double is exact.
  return row ? { epoch: Number(row.epoch), revision: row.revision as Revision } : null
}

/** By what a transaction is known to hold the row still: its own id, and that of the row's version. */
interface Held {
  xid: string
  mark: string
}

/** Takes the row's lock and advances the token. */
export async function accept(client: PostgresClient, scope: Scope, guarded: Guarded): Promise<Held> {
  const { resource, token } = guarded
  const idle = scope.idleTimeoutMs === null ? null : String(scope.idleTimeoutMs)
  const values = [resource, String(token.epoch), token.revision, idle]
  const [row] = await rowsOf<Held>(client, scope.sql.accept, values)
  if (row) return { xid: row.xid, mark: row.mark }
  const held = await readHighest(client, scope.sql, resource)
  if (held === null) throw misuse(`${scope.sql.fences} hides its row for "${resource}": is there a rule or a policy?`)
  throw scope.rejections.refuse(guarded, held)
}

/** Throws unless the transaction is still the one that took the lock, and able to commit. */
async function assertSame(client: PostgresClient, sql: Statements, resource: string, was: Held): Promise<void> {
  const found = rowsOf<{ [K in keyof Held]: string | null }>(client, sql.standing, [resource])
  const [row] = await found.catch((error: unknown) => {
    if (sqlState(error) !== '25P02') throw error
    throw misuse('A statement of the work failed and its error was swallowed: nothing can be committed.', error)
  })
  if (row?.xid !== was.xid) throw misuse('The work ended the transaction of its fenced write: leave that to the fence.')
  if (row.mark !== was.mark)
    throw misuse(
      'The work rolled back the acceptance of its token, to a savepoint of before: use savepoints of its own.',
    )
}

/** The client for the work: usable until it ends, and not for ending the transaction or the connection. */
function lendClient<C extends PostgresClient>(client: C, isOpen: () => boolean): C {
  return lend(client, (method, [first]) => {
    if (!isOpen()) throw misuse('This write has ended: await every query inside of its work.')
    if (['release', 'end', 'connect'].includes(method))
      throw misuse(`${method}() inside a fenced write: it is not yours.`)
    const text = typeof first === 'object' ? (first as { text?: unknown } | null)?.text : first
    const control = method === 'query' ? transactionControl(text) : undefined
    if (control) throw misuse(`${control} inside a fenced write: leave that to the fence; savepoints are fine.`)
  })
}

function runsOf(client: PostgresClient, sql: Statements, resource: string) {
  const unit = new Runs()
  const runOnce = unit.over({
    find: async (key) => {
      const [row] = await rowsOf<{ result: RecordedResult }>(client, sql.findRun, [resource, key])
      return row?.result
    },
    record: async (key, result) => void (await client.query(sql.recordRun, [resource, key, result])),
  })
  return { runOnce, close: () => unit.close() }
}

/** Calls the work in the transaction that has accepted the token, and proves that it was not left. */
export async function runFenced<C extends PostgresClient, R>(
  on: { client: C; sql: Statements; guarded: Guarded; held: Held },
  work: Work<C, R>,
): Promise<R> {
  const { client, sql, guarded, held } = on
  let isOpen = true
  const db = lendClient(client, () => isOpen)
  const { runOnce, close } = runsOf(db, sql, guarded.resource)
  let result: R
  try {
    result = await work({ ...guarded, db, runOnce })
  } finally {
    isOpen = false
  }
  close()
  await assertSame(client, sql, guarded.resource, held)
  return result
}

/** In a transaction that the caller began. A failure aborts it, so that not even a swallowed one is committed. */
export async function runWithin<C extends PostgresClient, R>(
  on: { client: C; scope: Scope; guarded: Guarded },
  work: Work<C, R>,
): Promise<R> {
  const { client, scope, guarded } = on
  const { sql } = scope
  await rowsOf(client, sql.inTransaction).catch((error: unknown) => {
    if (sqlState(error) !== NO_ACTIVE_TRANSACTION) throw error
    throw misuse('within() needs a client on which you have sent BEGIN (a pool is none): nothing was guarded.', error)
  })
  try {
    const held = await accept(client, scope, guarded)
    return await runFenced({ client, sql, guarded, held }, work)
  } catch (error) {
    await client.query(sql.abort).catch(() => {})
    throw error
  }
}
