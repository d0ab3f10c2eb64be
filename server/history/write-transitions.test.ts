import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CAUSES, type EndedBy, type Term } from '../../lib/election/types.ts'
import { type Database, openDatabase } from './database.ts'
import { at, election, LOST, term } from './fixtures.ts'
import { up } from './migrations/005-transitions.ts'
import { clusterIdOf, termWork, writeWork } from './records.ts'
import { cacheOf } from './transition-cache.ts'
import { readFailovers } from './transitions.ts'

let dir: string
let database: Database
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tenure-transitions-'))
  database = await openDatabase(join(dir, 'tenure.db'))
})
afterAll(async () => {
  await database.close()
  rmSync(dir, { recursive: true })
})

const endedBy: fc.Arbitrary<EndedBy | null> = fc.option(
  fc
    .record({ cause: fc.constantFrom(...CAUSES), evidence: fc.constant('seen') })
    .chain((known) => fc.constantFrom<EndedBy>(known, { ...known, duringStop: true })),
)
const maybeMs = fc.option(fc.nat({ max: 30_000 }))
/** Whatever may come to be written, also what no watcher would write: few tokens, so that they are written again. */
const written: fc.Arbitrary<{ job: string; term: Term }> = fc.record({
  job: fc.constantFrom('a', 'b'),
  term: fc
    .record({
      token: fc.integer({ min: 1, max: 6 }),
      epoch: fc.nat({ max: 1 }),
      from: fc.nat({ max: 500 }),
      length: fc.option(fc.nat({ max: 100 })),
      endedBy,
      gapMs: maybeMs,
      takeoverMs: maybeMs,
      silentMs: maybeMs,
    })
    .map(({ token, from, length, ...rest }) =>
      term(token, token, from, { ...rest, to: length === null ? null : at(from + length) }),
    ),
})

const JOINED = `
  SELECT * FROM (
    SELECT elections.cluster_id, to_ms AS at_ms, election_id, epoch, token, coalesce(cause, 'unobserved') AS cause,
      during_stop, silent_ms, refill_ms, lead(from_ms) OVER later AS next_ms, lead(gap_ms) OVER later AS gap_ms,
      lead(takeover_ms) OVER later AS takeover_ms
    FROM terms JOIN elections ON elections.id = election_id
    WINDOW later AS (PARTITION BY election_id ORDER BY epoch, token)
  ) WHERE at_ms IS NOT NULL ORDER BY election_id, epoch, token`
const KEPT = `
  SELECT cluster_id, at_ms, election_id, epoch, token, cause, during_stop, silent_ms, refill_ms, next_ms, gap_ms, takeover_ms
  FROM transitions ORDER BY election_id, epoch, token`

const rows = (sql: string) => database.raw.prepare(sql).all()

function write(job: string, value: Term): void {
  const work = termWork(election(job), value, 0)
  database.transact(() => writeWork(database, clusterIdOf(database, 'prod'), work))
}

test('what is kept is what a join over the terms gives, after every write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 12 }), async (writes) => {
      database.raw.exec('DELETE FROM terms; DELETE FROM transitions')
      for (const { job, term: value } of writes) {
        write(job, value)
        expect(rows(KEPT)).toEqual(rows(JOINED))
      }
      // A history from before there was this table is filled to the same rows.
      const kept = rows(KEPT)
      database.raw.exec('DROP TABLE transitions')
      await up(database.db as Kysely<unknown>)
      expect(rows(KEPT)).toEqual(kept)
    }),
    { numRuns: 60 },
  )
}, 60_000)

const ALL = {
  cluster: 'prod',
  from: at(0),
  to: at(100_000),
  objective: { percent: 95, withinMs: 12_000 },
  elections: 10,
}

test('what is remembered of earlier readings is what stands in the table, after every write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 8 }), async (writes) => {
      database.transact(() => database.raw.exec('DELETE FROM terms; DELETE FROM transitions'))
      for (const hour of [0, 1]) cacheOf(database).forget(clusterIdOf(database, 'prod'), Date.parse(at(hour * 3_600)))
      for (const { job, term: value } of writes) {
        write(job, value)
        await readFailovers(database, ALL)
      }
      const remembered = await readFailovers(database, ALL)
      const fresh = await openDatabase(join(dir, 'tenure.db'))
      expect(remembered).toEqual(await readFailovers(fresh, ALL))
      await fresh.close()
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('an end that is taken back leaves nothing behind', () => {
  database.raw.exec('DELETE FROM terms; DELETE FROM transitions')
  write('a', term(1, 7, 0, { to: at(5), endedBy: LOST }))
  expect(rows(KEPT)).toHaveLength(1)
  write('a', term(1, 7, 0))
  expect(rows(KEPT)).toEqual([])
})
