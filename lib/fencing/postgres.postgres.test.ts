import type { PoolClient } from 'pg'
import { describe } from 'vitest'
import { postgresMissing } from '../../e2e/harness/postgres.ts'
import type { FenceOptions } from './fence.ts'
import { describeFence } from './fence-contract-for-test.ts'
import type { ContractFence } from './fence-subject-for-test.ts'
import { type PostgresFenceOptions, postgresFence } from './postgres.ts'
import { APPEND, useLedger } from './postgres-ledger-for-test.ts'

const missing = postgresMissing()
const LEVELS = ['read committed', 'repeatable read', 'serializable'] as const

describe.skipIf(missing)(`PostgreSQL${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const on = useLedger()

  function contractOver(options: PostgresFenceOptions, viaWithin: boolean): ContractFence {
    const fence = postgresFence(on.pool, options)
    const toContract =
      (work: Parameters<ContractFence['write']>[1]) => (tx: Parameters<Parameters<typeof fence.write>[1]>[0]) =>
        work({
          append: async (line) => void (await tx.db.query(APPEND, [line])),
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
        const client = await on.pool.connect()
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
    describeFence(name, () => ({
      fence: contractOver(options, viaWithin),
      another: (more: FenceOptions = {}) => contractOver({ ...options, ...more }, viaWithin),
      lines: on.lines,
      age: async (byMs) => {
        await on.pool.query("UPDATE tenure_runs SET done_at = done_at - $1::bigint * interval '1 millisecond'", [
          String(byMs),
        ])
      },
      close: () => {},
    }))
  }
})
