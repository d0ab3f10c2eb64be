/** The guard inside a transaction of the caller, and the tables it stands on, on a real PostgreSQL. */
import { describe, expect, it } from 'vitest'
import { postgresMissing } from '../../e2e/harness/postgres.ts'
import { StaleTokenError } from './errors.ts'
import { at } from './fence-subject-for-test.ts'
import { postgresFence } from './postgres.ts'
import { APPEND, useLedger } from './postgres-ledger-for-test.ts'
import { postgresTables } from './postgres-sql.ts'

const missing = postgresMissing()

describe.skipIf(missing)(`PostgreSQL${missing ? ` (skipped: ${missing})` : ''}`, () => {
  const on = useLedger()

  describe('within a transaction of the caller', () => {
    it('is refused where there is none, before anything is written', async () => {
      const client = await on.connect()
      const work = async () => void (await client.query(APPEND, ['unguarded']))
      await expect(on.fence.within(client, at('0.1'), work)).rejects.toThrow('on which you have sent BEGIN')
      await expect(on.fence.within(on.pool, at('0.1'), work)).rejects.toThrow('a pool is none')
      expect(await on.lines()).toEqual([])
      expect(await on.highest()).toBe(null)
    })

    it('a refusal that is swallowed cannot be committed', async () => {
      await on.fence.write(at('0.9'), () => {})
      const client = await on.connect()
      await client.query('BEGIN')
      await client.query(APPEND, ['stale, before'])
      await expect(on.fence.within(client, at('0.5'), () => {})).rejects.toThrow(StaleTokenError)
      await expect(client.query(APPEND, ['stale, after'])).rejects.toThrow('aborted')
      expect((await client.query('COMMIT')).command).toBe('ROLLBACK')
      expect(await on.lines()).toEqual([])
    })

    it('keeps the lock until the caller commits', async () => {
      const client = await on.connect()
      await client.query('BEGIN')
      await on.fence.within(client, at('0.5'), () => {})
      const newer = on.fence.write(at('0.9'), ({ db }) => db.query(APPEND, ['newer']))
      await on.waiting(1)
      await client.query(APPEND, ['older'])
      await client.query('COMMIT')
      await newer
      expect(await on.lines()).toEqual(['older', 'newer'])
    })

    it('a work that rolls back to a savepoint of before has lost the lock: nothing of it is committed', async () => {
      const client = await on.connect()
      await client.query('BEGIN')
      await client.query('SAVEPOINT of_the_caller')
      const attempt = on.fence.within(client, at('0.5'), async ({ db }) => {
        await db.query('ROLLBACK TO SAVEPOINT of_the_caller')
        await on.fence.highest('settlement')
        await postgresFence(on.pool).write(at('0.9'), (tx) => tx.db.query(APPEND, ['newer']))
        await db.query(APPEND, ['stale'])
      })
      await expect(attempt).rejects.toThrow('rolled back the acceptance of its token')
      expect((await client.query('COMMIT')).command).toBe('ROLLBACK')
      expect(await on.lines()).toEqual(['newer'])
    })

    it('a savepoint of the work itself, rolled back or not, is no business of the guard', async () => {
      const client = await on.connect()
      await client.query('BEGIN')
      await client.query('SAVEPOINT of_the_caller')
      await on.fence.within(client, at('0.5'), async ({ db }) => {
        await db.query('SAVEPOINT own')
        await db.query(APPEND, ['undone'])
        await db.query('ROLLBACK TO SAVEPOINT own')
        await db.query(APPEND, ['kept'])
      })
      await client.query('COMMIT')
      expect(await on.lines()).toEqual(['kept'])
    })

    it('an old snapshot does not judge by an old token', async () => {
      await on.fence.write(at('0.1'), () => {})
      const client = await on.connect()
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await client.query('SELECT * FROM ledger')
      await on.fence.write(at('0.9'), () => {})
      await expect(on.fence.within(client, at('0.5'), () => {})).rejects.toMatchObject({ code: '40001' })
      await client.query('ROLLBACK')
    })
  })

  describe('the tables', () => {
    it('are those of the schema that was given, whatever the search_path says', async () => {
      await on.pool.query('CREATE SCHEMA elsewhere')
      await on.pool.query(postgresTables('elsewhere'))
      await on.fence.write(at('0.9'), () => {})
      const lured = on.openPool({ options: '-c search_path=elsewhere' })
      await expect(postgresFence(lured).write(at('0.1'), () => {})).rejects.toThrow(StaleTokenError)
      const own = postgresFence(lured, { schema: 'elsewhere' })
      await own.write(at('0.1'), ({ runOnce }) => runOnce('a', () => 1))
      expect(await own.highest('settlement')).toEqual(at('0.1').token)
    })

    it('are not hidden by temporary ones', async () => {
      await on.fence.write(at('0.9'), () => {})
      const client = await on.connect()
      await client.query('CREATE TEMP TABLE tenure_fences (LIKE public.tenure_fences INCLUDING ALL)')
      await client.query('BEGIN')
      await expect(on.fence.within(client, at('0.1'), () => {})).rejects.toThrow(StaleTokenError)
      await client.query('ROLLBACK')
    })

    it('can be created by many at once, and their absence is named', async () => {
      await on.pool.query('CREATE SCHEMA fresh')
      const fresh = Array.from({ length: 8 }, () => postgresFence(on.pool, { schema: 'fresh' }))
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
      const doubles = on.openPool({ types: types as never })
      expect((await doubles.query('SELECT 9223372036854775807 AS n')).rows).toEqual([{ n: 2 ** 63 }])
      await on.fence.write(at('0.9223372036854775807'), () => {})
      const stale = postgresFence(doubles).write(at('0.9223372036854775806'), () => {})
      await expect(stale).rejects.toThrow('accepted 0.9223372036854775807')
    })
  })

  it('refuses options that cannot work, and what is not a pool', async () => {
    expect(() => postgresFence(on.pool, { schema: 'public"; DROP' })).toThrow('The schema is')
    expect(() => postgresFence(on.pool, { idleTimeoutMs: 0 })).toThrow('idleTimeoutMs is 0')
    expect(() => postgresFence(on.pool, { isolation: 'read uncommitted' as never })).toThrow('isolation is')
    const client = on.openClient()
    await expect(postgresFence(client as never).write(at('0.1'), () => {})).rejects.toThrow('takes a pool')
  })
})
