/** Ways by which a stale write could get past the guard, on a real PostgreSQL. */
import { setTimeout as pause } from 'node:timers/promises'
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Postgres, postgresMissing, startPostgres } from '../../e2e/harness/postgres.ts'
import { StaleTokenError } from './errors.ts'
import { at } from './fence-contract-for-test.ts'
import { type PostgresFence, postgresFence } from './postgres.ts'
import { postgresTables } from './postgres-sql.ts'
import { formatToken } from './token.ts'

const missing = postgresMissing()
const APPEND = 'INSERT INTO public.ledger (line) VALUES ($1)'
const LEVELS = ['read committed', 'repeatable read', 'serializable'] as const

describe.skipIf(missing)(`PostgreSQL${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let postgres: Postgres
  let pool: Pool
  let fence: PostgresFence<PoolClient>
  const clients: Client[] = []
  beforeAll(async () => {
    postgres = await startPostgres()
    pool = new Pool({ ...postgres.connection, max: 8 })
    pool.on('error', () => {})
    await pool.query('CREATE TABLE ledger (id bigserial PRIMARY KEY, line text NOT NULL)')
    fence = postgresFence(pool)
    await fence.createTables()
  })
  beforeEach(() => pool.query('TRUNCATE ledger, tenure_fences, tenure_runs'))
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
    await pool?.end()
    await postgres?.stop()
  })

  /** A pool with settings of its own; one test long. */
  function openPool(config: PoolConfig): Pool {
    const own = new Pool({ ...postgres.connection, ...config })
    own.on('error', () => {})
    return own
  }
  async function connect(): Promise<Client> {
    const client = new Client(postgres.connection)
    client.on('error', () => {})
    await client.connect()
    clients.push(client)
    return client
  }
  const lines = async () => {
    const { rows } = await pool.query<{ line: string }>('SELECT line FROM ledger ORDER BY id')
    return rows.map(({ line }) => line)
  }
  const highest = async () => {
    const token = await fence.highest('settlement')
    return token && formatToken(token)
  }
  /** Until so many sessions wait for a lock. */
  const waiting = (count: number) =>
    expect
      .poll(async () => {
        const { rows } = await pool.query("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        return rows.length
      })
      .toBe(count)

  describe.each(LEVELS)('at %s', (isolation) => {
    it.each(['0.1', undefined])('a stale write waits for the newer one and is refused (before: %s)', async (before) => {
      if (before) await fence.write(at(before), () => {})
      const gate = Promise.withResolvers<void>()
      const own = postgresFence(pool, { isolation })
      const entered = Promise.withResolvers<void>()
      const newer = own.write(at('0.9'), async ({ db }) => {
        entered.resolve()
        await gate.promise
        await db.query(APPEND, ['newer'])
      })
      await entered.promise
      const stale = own.write(at('0.5'), ({ db }) => db.query(APPEND, ['stale']))
      const expected = expect(stale).rejects.toThrow(StaleTokenError)
      await waiting(1)
      gate.resolve()
      await newer
      await expected
      expect(await lines()).toEqual(['newer'])
    })

    it.each(['0.1', undefined])('a write behind one that rolls back is not refused (before: %s)', async (before) => {
      if (before) await fence.write(at(before), () => {})
      const gate = Promise.withResolvers<void>()
      const entered = Promise.withResolvers<void>()
      const own = postgresFence(pool, { isolation })
      const failing = own.write(at('0.9'), async () => {
        entered.resolve()
        await gate.promise
        throw new Error('changed its mind')
      })
      const failed = expect(failing).rejects.toThrow('changed its mind')
      await entered.promise
      const next = own.write(at('0.5'), ({ db }) => db.query(APPEND, ['next']))
      await waiting(1)
      gate.resolve()
      await failed
      await next
      expect(await lines()).toEqual(['next'])
      expect(await highest()).toBe('0.5')
    })
  })

  describe('the transaction of a write', () => {
    it.each(['COMMIT', '/* so */ end', 'ROLLBACK', 'begin', 'ABORT', "PREPARE TRANSACTION 'x'", 'START TRANSACTION'])(
      'cannot be ended by its work with %s',
      async (text) => {
        await expect(fence.write(at('0.1'), ({ db }) => db.query(text))).rejects.toThrow('leave that to the fence')
        await expect(fence.write(at('0.1'), ({ db }) => db.query({ text }))).rejects.toThrow('leave that to the fence')
        expect(await highest()).toBe(null)
      },
    )

    it('nor hidden behind another statement: what follows is not committed', async () => {
      const hidden = fence.write(at('0.1'), async ({ db }) => {
        await db.query('SELECT 1; COMMIT; BEGIN')
        await db.query(APPEND, ['unguarded'])
      })
      await expect(hidden).rejects.toThrow('The work ended the transaction')
      expect(await lines()).toEqual([])
    })

    it('may have savepoints, and rolling back to one keeps the token and the lock', async () => {
      await fence.write(at('0.5'), async ({ db }) => {
        await db.query('SAVEPOINT mine')
        await db.query(APPEND, ['undone'])
        await db.query('ROLLBACK TO SAVEPOINT mine')
        await db.query('ROLLBACK TRANSACTION TO mine')
        await db.query(APPEND, ['kept'])
      })
      expect(await lines()).toEqual(['kept'])
      expect(await highest()).toBe('0.5')
    })

    it('a statement that failed and was swallowed is no success', async () => {
      const swallowing = fence.write(at('0.1'), async ({ db }) => {
        await db.query(APPEND, ['lost'])
        await db.query('SELECT 1 / 0').catch(() => {})
        return 'all is well'
      })
      await expect(swallowing).rejects.toThrow('its error was swallowed')
      expect(await highest()).toBe(null)
    })

    it('a work that goes on after it ended can write no more', async () => {
      const gate = Promise.withResolvers<void>()
      let late: Promise<unknown> | undefined
      await fence.write(at('0.1'), async ({ db }) => {
        late = gate.promise.then(() => db.query(APPEND, ['late']))
      })
      gate.resolve()
      await expect(late).rejects.toThrow('This write has ended')
      expect(await lines()).toEqual([])
    })

    it('the connection is not the work’s to give away', async () => {
      await expect(fence.write(at('0.1'), ({ db }) => db.release())).rejects.toThrow('it is not yours')
    })

    it('a connection that was released within a transaction is refused and closed', async () => {
      const single = openPool({ max: 1 })
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
      expect(await lines()).toEqual(['clean'])
      await single.end()
    })

    it('a read-only or serializable session default does not decide', async () => {
      const odd = openPool({
        options: '-c default_transaction_read_only=on -c default_transaction_isolation=serializable',
      })
      await postgresFence(odd).write(at('0.1'), async ({ db }) => {
        const { rows } = await db.query('SHOW transaction_isolation')
        expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
      })
      await odd.end()
    })

    it('a write inside a write is refused instead of waiting for itself for ever', async () => {
      const nested = fence.write(at('0.1'), () => fence.write(at('0.1'), () => {}))
      await expect(nested).rejects.toThrow('A write inside a write')
      const client = await connect()
      await client.query('BEGIN')
      const within = fence.within(client, at('0.1'), () => fence.write(at('0.1'), () => {}))
      await expect(within).rejects.toThrow('A write inside a write')
      await client.query('ROLLBACK')
    })

    it('a failed COMMIT is an error, and nothing is written', async () => {
      await pool.query('CREATE TABLE once (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)')
      const attempt = fence.write(at('0.1'), ({ db }) => db.query('INSERT INTO once VALUES (1), (1)'))
      await expect(attempt).rejects.toMatchObject({ code: '23505' })
      expect(await highest()).toBe(null)
    })
  })

  describe('a holder that stops', () => {
    it('is ended by PostgreSQL, so that the next leader can write; what it does then fails', async () => {
      const gate = Promise.withResolvers<void>()
      const entered = Promise.withResolvers<void>()
      const frozen = postgresFence(pool, { idleTimeoutMs: 300 }).write(at('0.1'), async ({ db }) => {
        await db.query(APPEND, ['before it froze'])
        entered.resolve()
        await gate.promise
        await db.query(APPEND, ['after it woke'])
      })
      const failed = expect(frozen).rejects.toThrow()
      await entered.promise
      const startedAt = performance.now()
      await fence.write(at('0.2'), ({ db }) => db.query(APPEND, ['successor']))
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      gate.resolve()
      await failed
      expect(await lines()).toEqual(['successor'])
      await expect(fence.write(at('0.1'), () => {})).rejects.toThrow(StaleTokenError)
    })

    it('a connection that breaks does not bring the process down', async () => {
      const attempt = fence.write(at('0.1'), async ({ db }) => {
        const { rows } = await db.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
        await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
        await pause(50)
      })
      await expect(attempt).rejects.toThrow()
      await fence.write(at('0.1'), () => {})
    })

    it('the limit on idling holds for this transaction alone', async () => {
      await fence.write(at('0.1'), async ({ db }) => {
        expect((await db.query('SHOW idle_in_transaction_session_timeout')).rows[0]).toEqual({
          idle_in_transaction_session_timeout: '10s',
        })
      })
      expect((await pool.query('SHOW idle_in_transaction_session_timeout')).rows[0]).toEqual({
        idle_in_transaction_session_timeout: '0',
      })
    })
  })

  describe('within a transaction of the caller', () => {
    it('is refused where there is none, before anything is written', async () => {
      const client = await connect()
      const work = async () => void (await client.query(APPEND, ['unguarded']))
      await expect(fence.within(client, at('0.1'), work)).rejects.toThrow('on which you have sent BEGIN')
      await expect(fence.within(pool, at('0.1'), work)).rejects.toThrow('a pool is none')
      expect(await lines()).toEqual([])
      expect(await highest()).toBe(null)
    })

    it('a refusal that is swallowed cannot be committed', async () => {
      await fence.write(at('0.9'), () => {})
      const client = await connect()
      await client.query('BEGIN')
      await client.query(APPEND, ['stale, before'])
      await expect(fence.within(client, at('0.5'), () => {})).rejects.toThrow(StaleTokenError)
      await expect(client.query(APPEND, ['stale, after'])).rejects.toThrow('aborted')
      expect((await client.query('COMMIT')).command).toBe('ROLLBACK')
      expect(await lines()).toEqual([])
    })

    it('keeps the lock until the caller commits', async () => {
      const client = await connect()
      await client.query('BEGIN')
      await fence.within(client, at('0.5'), () => {})
      const newer = fence.write(at('0.9'), ({ db }) => db.query(APPEND, ['newer']))
      await waiting(1)
      await client.query(APPEND, ['older'])
      await client.query('COMMIT')
      await newer
      expect(await lines()).toEqual(['older', 'newer'])
    })

    it('an old snapshot does not judge by an old token', async () => {
      await fence.write(at('0.1'), () => {})
      const client = await connect()
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await client.query('SELECT * FROM ledger')
      await fence.write(at('0.9'), () => {})
      await expect(fence.within(client, at('0.5'), () => {})).rejects.toMatchObject({ code: '40001' })
      await client.query('ROLLBACK')
    })
  })

  describe('the tables', () => {
    it('are those of the schema that was given, whatever the search_path says', async () => {
      await pool.query('CREATE SCHEMA elsewhere')
      await pool.query(postgresTables('elsewhere'))
      await fence.write(at('0.9'), () => {})
      const lured = openPool({ options: '-c search_path=elsewhere' })
      await expect(postgresFence(lured).write(at('0.1'), () => {})).rejects.toThrow(StaleTokenError)
      const own = postgresFence(lured, { schema: 'elsewhere' })
      await own.write(at('0.1'), ({ runOnce }) => runOnce('a', () => 1))
      expect(await own.highest('settlement')).toEqual(at('0.1').token)
      await lured.end()
    })

    it('are not hidden by temporary ones', async () => {
      await fence.write(at('0.9'), () => {})
      const client = await connect()
      await client.query('CREATE TEMP TABLE tenure_fences (LIKE public.tenure_fences INCLUDING ALL)')
      await client.query('BEGIN')
      await expect(fence.within(client, at('0.1'), () => {})).rejects.toThrow(StaleTokenError)
      await client.query('ROLLBACK')
    })

    it('can be created by many at once, and their absence is named', async () => {
      await pool.query('CREATE SCHEMA fresh')
      const fresh = Array.from({ length: 8 }, () => postgresFence(pool, { schema: 'fresh' }))
      for (const use of [
        () => fresh[0]?.write(at('0.1'), () => {}),
        () => fresh[0]?.highest('a'),
        () => fresh[0]?.pruneRuns({ olderThanMs: 1 }),
      ]) {
        await expect(use()).rejects.toThrow('call createTables()')
      }
      await Promise.all(fresh.map((each) => each.createTables()))
      await fresh[0]?.write(at('0.1'), () => {})
    })

    it('64-bit numbers come back whole, also where the driver was told to make doubles of them', async () => {
      const int8 = 20
      const types = { getTypeParser: (oid: number) => (text: string) => (oid === int8 ? Number(text) : text) }
      const doubles = openPool({ types: types as never })
      expect((await doubles.query('SELECT 9223372036854775807 AS n')).rows).toEqual([{ n: 2 ** 63 }])
      await fence.write(at('0.9223372036854775807'), () => {})
      const stale = postgresFence(doubles).write(at('0.9223372036854775806'), () => {})
      await expect(stale).rejects.toThrow('accepted 0.9223372036854775807')
      await doubles.end()
    })
  })

  it('refuses options that cannot work, and what is not a pool', async () => {
    expect(() => postgresFence(pool, { schema: 'public"; DROP' })).toThrow('The schema is')
    expect(() => postgresFence(pool, { idleTimeoutMs: 0 })).toThrow('idleTimeoutMs is 0')
    expect(() => postgresFence(pool, { isolation: 'read uncommitted' as never })).toThrow('isolation is')
    const client = new Client(postgres.connection)
    client.on('error', () => {})
    clients.push(client)
    await expect(postgresFence(client as never).write(at('0.1'), () => {})).rejects.toThrow('takes a pool')
  })
})
