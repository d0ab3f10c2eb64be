/**
 * The guard inside PostgreSQL: the row of the resource is checked, advanced and locked by one statement, so
 * that an older and a newer writer are put in order by the server, also for the first write ever.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../shared/abort.ts'
import { FencingError } from './errors.ts'
import { checkGuarded, countRejections, type Fence, type FencedTx, type FenceOptions, type Guarded } from './fence.ts'
import { checkName } from './names.ts'
import { refuseNesting } from './nesting.ts'
import { checkSchema, statements } from './postgres-sql.ts'
import {
  accept,
  type PostgresClient,
  readHighest,
  rowsOf,
  runFenced,
  runWithin,
  type Scope,
  sqlState,
} from './postgres-transaction.ts'
import { checkOlderThan } from './runs.ts'

export interface PooledClient extends PostgresClient {
  /** True closes the connection instead of giving it back. */
  release(destroy?: boolean): void
  on?(event: 'error', listener: (error: Error) => void): unknown
  removeListener?(event: 'error', listener: (error: Error) => void): unknown
}

/** What is needed of a pool; `Pool` of `pg` has it. */
export interface PostgresPool {
  connect(): Promise<PooledClient>
}

/** The pool's own type of client. */
export type ClientOf<P> = P extends { connect(): Promise<infer C>; connect(callback: never): unknown }
  ? C
  : P extends { connect(): Promise<infer C> }
    ? C
    : PooledClient

export interface PostgresFenceOptions extends FenceOptions {
  /** Where the tables are; default `public`. All writers of a resource need the same. */
  schema?: string
  /** Of the transactions that `write` begins; default `read committed`. */
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
  /**
   * PostgreSQL ends a transaction of `write` in which nothing was sent for so long (default 10,000 ms): a
   * process that froze inside a write would otherwise keep the next leader waiting for ever.
   */
  idleTimeoutMs?: number
}

export interface PostgresFence<C> extends Fence<FencedTx<C>> {
  /**
   * The same inside a transaction that you have begun on `client` and will commit yourself, for example your
   * ORM's. Call it before anything is read. When it throws, the transaction is aborted: roll it back.
   */
  within<W extends PostgresClient, R>(
    client: W,
    guarded: Guarded,
    work: (tx: FencedTx<W>) => R | Promise<R>,
  ): Promise<R>
  createTables(): Promise<void>
}

const LEVELS = ['read committed', 'repeatable read', 'serializable']
const RETRYABLE = ['40001', '40P01']
const MAX_ATTEMPTS = 50
const MAX_IDLE_MS = 2_147_483_647

function checkOptions({
  isolation = 'read committed',
  idleTimeoutMs = 10_000,
  schema = 'public',
}: PostgresFenceOptions) {
  const bad = (message: string) => new FencingError('bad-input', message)
  if (!LEVELS.includes(isolation)) throw bad(`isolation is "${isolation}": give one of ${LEVELS.join(', ')}.`)
  if (!Number.isSafeInteger(idleTimeoutMs) || idleTimeoutMs < 1 || idleTimeoutMs > MAX_IDLE_MS) {
    throw bad(`idleTimeoutMs is ${idleTimeoutMs}: give whole milliseconds from 1 to ${MAX_IDLE_MS}.`)
  }
  // NOT DEFERRABLE changes nothing, but PostgreSQL refuses it where a transaction with a query is open already.
  const begin = `BEGIN ISOLATION LEVEL ${isolation.toUpperCase()} READ WRITE NOT DEFERRABLE`
  return { begin, idleTimeoutMs, sql: statements(checkSchema(schema)) }
}

async function begin(client: PostgresClient, text: string): Promise<void> {
  await client.query(text).catch((cause: unknown) => {
    if (sqlState(cause) !== '25001' && sqlState(cause) !== '25P02') throw cause
    const message = 'The pool gave a connection with an open transaction: something released it without COMMIT.'
    throw new FencingError('misuse', message, { cause })
  })
}

/** Begins and takes the lock. Nothing of the caller's has run, so a serialization failure is tried again here. */
async function enter(
  client: PostgresClient,
  scope: Scope & { begin: string },
  guarded: Guarded,
): ReturnType<typeof accept> {
  for (let attempt = 0; ; attempt += 1) {
    await begin(client, scope.begin)
    try {
      return await accept(client, scope, guarded)
    } catch (error) {
      if (!RETRYABLE.includes(sqlState(error) ?? '') || attempt + 1 === MAX_ATTEMPTS) throw error
      await client.query('ROLLBACK')
      await pause(backoffMs(attempt, 5, 200))
    }
  }
}

/** Takes a connection for the time of `use`; one on which something failed is rolled back or closed. */
async function onConnection<C extends PooledClient, R>(pool: PostgresPool, use: (client: C) => Promise<R>): Promise<R> {
  const client = (await pool.connect()) as C
  if (typeof client?.query !== 'function' || typeof client.release !== 'function') {
    throw new FencingError('misuse', 'postgresFence() takes a pool (new pg.Pool()): for one client use within().')
  }
  // A connection that breaks while nothing is asked of it would bring the process down; the next query tells.
  const ignore = () => {}
  client.on?.('error', ignore)
  let isSound = false
  try {
    const result = await use(client)
    isSound = true
    return result
  } catch (error) {
    isSound = await client.query('ROLLBACK').then(
      () => !(error instanceof FencingError && error.code === 'misuse'),
      () => false,
    )
    throw error
  } finally {
    client.removeListener?.('error', ignore)
    client.release(!isSound)
  }
}

/**
 * A guard over a pool such as `pg`'s. `write` takes a connection of its own, begins, commits and gives it
 * back. A serialization failure (SQLSTATE 40001, 40P01) after `work` began is thrown as it is: nothing was
 * written, call again. A connection that breaks during COMMIT leaves the outcome unknown: `runOnce` settles it.
 */
export function postgresFence<P extends PostgresPool>(
  pool: P,
  options: PostgresFenceOptions = {},
): PostgresFence<ClientOf<P>> {
  type C = ClientOf<P> & PooledClient
  const { begin: beginText, idleTimeoutMs, sql } = checkOptions(options)
  const rejections = countRejections(options)
  const nest = refuseNesting()
  const scope = { sql, rejections, idleTimeoutMs, begin: beginText }

  async function write<R>(guarded: Guarded, work: (tx: FencedTx<ClientOf<P>>) => R | Promise<R>): Promise<R> {
    const checked = checkGuarded(guarded)
    const transaction = async (client: C): Promise<R> => {
      const held = await enter(client, scope, checked)
      const result = await runFenced({ client, sql, guarded: checked, held }, work)
      await client.query('COMMIT')
      return result
    }
    return nest(() => onConnection(pool, transaction))
  }

  return {
    write,
    within: async (client, guarded, work) => {
      const checked = checkGuarded(guarded)
      return nest(() => runWithin({ client, scope: { ...scope, idleTimeoutMs: null }, guarded: checked }, work))
    },
    highest: async (resource) => {
      const name = checkName('resource', resource)
      return onConnection(pool, (client) => readHighest(client, sql, name))
    },
    pruneRuns: async (older) => {
      const values = [String(checkOlderThan(older))]
      const [row] = await onConnection(pool, (client) => rowsOf<{ count: string }>(client, sql.pruneRuns, values))
      return Number(row?.count ?? 0)
    },
    createTables: () =>
      onConnection(pool, async (client) => {
        await begin(client, 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE NOT DEFERRABLE')
        await client.query(sql.createLock)
        await client.query(sql.createTables)
        await client.query('COMMIT')
      }),
    get rejected() {
      return rejections.count
    },
  }
}
