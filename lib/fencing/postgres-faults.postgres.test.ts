/** Ways by which a stale write could get past the guard, on a real PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { describe, expect, it } from 'vitest'
import { postgresMissing } from '../../e2e/harness/postgres.ts'
import { StaleTokenError } from './errors.ts'
import { at } from './fence-subject-for-test.ts'
import { postgresFence } from './postgres.ts'
import { APPEND, useLedger } from './postgres-ledger-for-test.ts'

const missing = postgresMissing()
const LEVELS = ['read committed', 'repeatable read', 'serializable'] as const

describe.skipIf(missing)(`PostgreSQL${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const on = useLedger()

  describe.each(LEVELS)('at %s', (isolation) => {
    it.each(['0.1', undefined])('a stale write waits for the newer one and is refused (before: %s)', async (before) => {
      if (before) await on.fence.write(at(before), () => {})
      const gate = Promise.withResolvers<void>()
      const own = postgresFence(on.pool, { isolation })
      const entered = Promise.withResolvers<void>()
      const newer = own.write(at('0.9'), async ({ db }) => {
        entered.resolve()
        await gate.promise
        await db.query(APPEND, ['newer'])
      })
      await entered.promise
      const stale = own.write(at('0.5'), ({ db }) => db.query(APPEND, ['stale']))
      const expected = expect(stale).rejects.toThrow(StaleTokenError)
      await on.waiting(1)
      gate.resolve()
      await newer
      await expected
      expect(await on.lines()).toEqual(['newer'])
    })

    it.each(['0.1', undefined])('a write behind one that rolls back is not refused (before: %s)', async (before) => {
      if (before) await on.fence.write(at(before), () => {})
      const gate = Promise.withResolvers<void>()
      const entered = Promise.withResolvers<void>()
      const own = postgresFence(on.pool, { isolation })
      const failing = own.write(at('0.9'), async () => {
        entered.resolve()
        await gate.promise
        throw new Error('changed its mind')
      })
      const failed = expect(failing).rejects.toThrow('changed its mind')
      await entered.promise
      const next = own.write(at('0.5'), ({ db }) => db.query(APPEND, ['next']))
      await on.waiting(1)
      gate.resolve()
      await failed
      await next
      expect(await on.lines()).toEqual(['next'])
      expect(await on.highest()).toBe('0.5')
    })
  })

  describe('the transaction of a write', () => {
    it.each(['COMMIT', '/* so */ end', 'ROLLBACK', 'begin', 'ABORT', "PREPARE TRANSACTION 'x'", 'START TRANSACTION'])(
      'cannot be ended by its work with %s',
      async (text) => {
        await expect(on.fence.write(at('0.1'), ({ db }) => db.query(text))).rejects.toThrow('leave that to the fence')
        await expect(on.fence.write(at('0.1'), ({ db }) => db.query({ text }))).rejects.toThrow(
          'leave that to the fence',
        )
        expect(await on.highest()).toBe(null)
      },
    )

    it('nor hidden behind another statement: what follows is not committed', async () => {
      const hidden = on.fence.write(at('0.1'), async ({ db }) => {
        await db.query('SELECT 1; COMMIT; BEGIN')
        await db.query(APPEND, ['unguarded'])
      })
      await expect(hidden).rejects.toThrow('The work ended the transaction')
      expect(await on.lines()).toEqual([])
    })

    it('may have savepoints, and rolling back to one keeps the token and the lock', async () => {
      await on.fence.write(at('0.5'), async ({ db }) => {
        await db.query('SAVEPOINT mine')
        await db.query(APPEND, ['undone'])
        await db.query('ROLLBACK TO SAVEPOINT mine')
        await db.query('ROLLBACK TRANSACTION TO mine')
        await db.query(APPEND, ['kept'])
      })
      expect(await on.lines()).toEqual(['kept'])
      expect(await on.highest()).toBe('0.5')
    })

    it('a statement that failed and was swallowed is no success', async () => {
      const swallowing = on.fence.write(at('0.1'), async ({ db }) => {
        await db.query(APPEND, ['lost'])
        await db.query('SELECT 1 / 0').catch(() => {})
        return 'all is well'
      })
      await expect(swallowing).rejects.toThrow('its error was swallowed')
      expect(await on.highest()).toBe(null)
    })

    it('a work that goes on after it ended can write no more', async () => {
      const gate = Promise.withResolvers<void>()
      let late: Promise<unknown> | undefined
      await on.fence.write(at('0.1'), async ({ db }) => {
        late = gate.promise.then(() => db.query(APPEND, ['late']))
      })
      gate.resolve()
      await expect(late).rejects.toThrow('This write has ended')
      expect(await on.lines()).toEqual([])
    })

    it('the connection is not the work’s to give away', async () => {
      await expect(on.fence.write(at('0.1'), ({ db }) => db.release())).rejects.toThrow('it is not yours')
    })

    it('a connection that was released within a transaction is refused and closed', async () => {
      const single = on.openPool({ max: 1 })
      const careless = await single.connect()
      const pidOf = async (client: PoolClient) => (await client.query('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
      const pid = await pidOf(careless)
      await careless.query('BEGIN')
      await careless.query(APPEND, ['left behind'])
      careless.release()
      const own = postgresFence(single)
      await expect(own.write(at('0.1'), () => {})).rejects.toThrow('released it without COMMIT')
      await own.write(at('0.1'), async ({ db }) => {
        expect(await pidOf(db)).not.toBe(pid)
        await db.query(APPEND, ['clean'])
      })
      expect(await on.lines()).toEqual(['clean'])
    })

    it('a read-only or serializable session default does not decide', async () => {
      const odd = on.openPool({
        options: '-c default_transaction_read_only=on -c default_transaction_isolation=serializable',
      })
      await postgresFence(odd).write(at('0.1'), async ({ db }) => {
        const { rows } = await db.query('SHOW transaction_isolation')
        expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
      })
    })

    it('a write inside a write is refused instead of waiting for itself for ever', async () => {
      const nested = on.fence.write(at('0.1'), () => on.fence.write(at('0.1'), () => {}))
      await expect(nested).rejects.toThrow('A write inside a write')
      const client = await on.connect()
      await client.query('BEGIN')
      const within = on.fence.within(client, at('0.1'), () => on.fence.write(at('0.1'), () => {}))
      await expect(within).rejects.toThrow('A write inside a write')
      await client.query('ROLLBACK')
    })

    it('a failed COMMIT is an error, and nothing is written', async () => {
      await on.pool.query('CREATE TABLE once (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)')
      const attempt = on.fence.write(at('0.1'), ({ db }) => db.query('INSERT INTO once VALUES (1), (1)'))
      await expect(attempt).rejects.toMatchObject({ code: '23505' })
      expect(await on.highest()).toBe(null)
    })
  })

  describe('a holder that stops', () => {
    it('is ended by PostgreSQL, so that the next leader can write; what it does then fails', async () => {
      const gate = Promise.withResolvers<void>()
      const entered = Promise.withResolvers<void>()
      const frozen = postgresFence(on.pool, { idleTimeoutMs: 300 }).write(at('0.1'), async ({ db }) => {
        await db.query(APPEND, ['before it froze'])
        entered.resolve()
        await gate.promise
        await db.query(APPEND, ['after it woke'])
      })
      const failed = expect(frozen).rejects.toThrow()
      await entered.promise
      const startedAt = performance.now()
      await on.fence.write(at('0.2'), ({ db }) => db.query(APPEND, ['successor']))
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      gate.resolve()
      await failed
      expect(await on.lines()).toEqual(['successor'])
      await expect(on.fence.write(at('0.1'), () => {})).rejects.toThrow(StaleTokenError)
    })

    it('a connection that breaks does not bring the process down', async () => {
      const attempt = on.fence.write(at('0.1'), async ({ db }) => {
        const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        await on.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
        await pause(50)
      })
      await expect(attempt).rejects.toThrow()
      await on.fence.write(at('0.1'), () => {})
    })

    it('the limit on idling holds for this transaction alone', async () => {
      await on.fence.write(at('0.1'), async ({ db }) => {
        expect((await db.query('SHOW idle_in_transaction_session_timeout')).rows[0]).toEqual({
          idle_in_transaction_session_timeout: '10s',
        })
      })
      expect((await on.pool.query('SHOW idle_in_transaction_session_timeout')).rows[0]).toEqual({
        idle_in_transaction_session_timeout: '0',
      })
    })
  })
})
