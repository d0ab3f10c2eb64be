/** A PostgreSQL with a ledger and a guard before it, and short words for what the suites do with them. */
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type Postgres, startPostgres } from '../../e2e/harness/postgres.ts'
import { type PostgresFence, postgresFence } from './postgres.ts'
import { formatToken } from './token.ts'

export const APPEND = 'INSERT INTO public.ledger (line) VALUES ($1)'

/** For the time of the surrounding `describe`; empty at the start of each test. */
export function useLedger() {
  let postgres: Postgres
  let pool: Pool
  let fence: PostgresFence<PoolClient>
  const opened: { end(): Promise<void> }[] = []

  function openPool(config: PoolConfig = {}): Pool {
    const own = new Pool({ ...postgres.connection, ...config })
    // Its connections may still be closing when the server is stopped.
    own.on('error', () => {})
    opened.push(own)
    return own
  }
  function openClient(): Client {
    const client = new Client(postgres.connection)
    client.on('error', () => {})
    opened.push(client)
    return client
  }
  beforeAll(async () => {
    postgres = await startPostgres()
    pool = openPool({ max: 8 })
    await pool.query('CREATE TABLE ledger (id bigserial PRIMARY KEY, line text NOT NULL)')
    fence = postgresFence(pool)
    await fence.createTables()
  })
  beforeEach(() => pool.query('TRUNCATE ledger, tenure_fences, tenure_runs'))
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.end().catch(() => {})))
    await postgres?.stop()
  })

  return {
    get pool() {
      return pool
    },
    get fence() {
      return fence
    },
    openPool,
    openClient,
    connect: async () => {
      const client = openClient()
      await client.connect()
      return client
    },
    lines: async () => {
      const { rows } = await pool.query<{ line: string }>('SELECT line FROM ledger ORDER BY id')
      return rows.map(({ line }) => line)
    },
    highest: async () => {
      const token = await fence.highest('settlement')
      return token && formatToken(token)
    },
    /** Until so many sessions wait for a lock. */
    waiting: (count: number) =>
      expect
        .poll(async () => {
          const { rows } = await pool.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
          return rows.length
        })
        .toBe(count),
  }
}
