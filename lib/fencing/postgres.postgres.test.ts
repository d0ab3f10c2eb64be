import { Pool, type PoolClient } from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { type Postgres, postgresMissing, startPostgres } from '../../e2e/harness/postgres.ts'
import type { FenceOptions } from './fence.ts'
import { type ContractFence, describeFence } from './fence-contract-for-test.ts'
import { type PostgresFenceOptions, postgresFence } from './postgres.ts'

const missing = postgresMissing()
const LEVELS = ['read committed', 'repeatable read', 'serializable'] as const

describe.skipIf(missing)(`PostgreSQL${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let postgres: Postgres
  let pool: Pool
  beforeAll(async () => {
    postgres = await startPostgres()
    pool = new Pool({ ...postgres.connection, max: 8 })
    // Its connections may still be closing when the server is stopped.
    pool.on('error', () => {})
    await pool.query('CREATE TABLE ledger (id bigserial PRIMARY KEY, line text NOT NULL)')
    await postgresFence(pool).createTables()
  })
  afterAll(async () => {
    await pool?.end()
    await postgres?.stop()
  })

  function contractOver(options: PostgresFenceOptions, viaWithin: boolean): ContractFence {
    const fence = postgresFence(pool, options)
    const toContract =
      (work: Parameters<ContractFence['write']>[1]) => (tx: Parameters<Parameters<typeof fence.write>[1]>[0]) =>
        work({
          append: async (line) => void (await tx.db.query('INSERT INTO ledger (line) VALUES ($1)', [line])),
          runOnce: tx.runOnce,
        })
    const inOwnTransaction = async (client: PoolClient, use: () => Promise<unknown>) => {
      await client.query('BEGIN')
      try {
        const result = await use()
        await client.query('COMMIT')
        return result
      } catch (error) {
        await client.query('ROLLBACK')
        throw error
      } finally {
        client.release()
      }
    }
    return {
      write: async (guarded, work) => {
        if (!viaWithin) return fence.write(guarded, toContract(work)) as Promise<never>
        const client = await pool.connect()
        const use = () => fence.within(client, guarded, toContract(work))
        return inOwnTransaction(client, use) as Promise<never>
      },
      highest: fence.highest,
      pruneRuns: fence.pruneRuns,
      get rejected() {
        return fence.rejected
      },
    }
  }

  const subjects = [
    ...LEVELS.map((isolation) => ({ name: `write, ${isolation}`, options: { isolation }, viaWithin: false })),
    { name: 'within', options: {}, viaWithin: true },
  ]
  for (const { name, options, viaWithin } of subjects) {
    describeFence(name, async () => {
      await pool.query('TRUNCATE ledger, tenure_fences, tenure_runs')
      return {
        fence: contractOver(options, viaWithin),
        another: (more: FenceOptions = {}) => contractOver({ ...options, ...more }, viaWithin),
        lines: async () => {
          const { rows } = await pool.query<{ line: string }>('SELECT line FROM ledger ORDER BY id')
          return rows.map(({ line }) => line)
        },
        age: async (byMs) => {
          await pool.query("UPDATE tenure_runs SET done_at = done_at - $1::bigint * interval '1 millisecond'", [
            String(byMs),
          ])
        },
        close: () => {},
      }
    })
  }
})
