import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { ChunkWriter } from './chunk.ts'
import { openDatabase } from './database.ts'
import { at, CLUSTER, election, revision, START_MS, started, term } from './fixtures.ts'
import { electionWork, rowsOf } from './records.ts'

const folder = makeTempFolder('chunk')
afterAll(() => folder.remove())

test('a mark "all was seen up to here" is not written before what was seen', async () => {
  const database = await openDatabase(join(folder.path, 'history.sqlite'))
  let ms = 0
  // Time passes so fast that a transaction has room for one piece only.
  const clock = { nowMs: () => START_MS, monoMs: () => (ms += 1_000) }
  const chunk = new ChunkWriter({ clock, onRefused: () => {}, maxFactRows: 100, maxSamples: 100 })
  for (const [ordinal, from] of [1, 2].entries()) {
    const work = electionWork(
      election(),
      { facts: [started(term(ordinal + 1, 10 + ordinal, from))], queue: null },
      START_MS,
    )
    chunk.facts.push({ cluster: CLUSTER, atMs: START_MS, rows: rowsOf(work), work })
  }
  chunk.marks.set(CLUSTER, { at: at(9), first: at(9), epoch: 0, revision: revision(20) })
  const alive = () => database.raw.prepare('SELECT alive_ms FROM clusters').get()?.alive_ms

  chunk.write(database, 0)
  expect(chunk.facts.length).toBe(1)
  expect(alive()).toBeNull()
  expect(chunk.pending).toBe(true)
  chunk.write(database, 0)
  expect(chunk.pending).toBe(false)
  expect(alive()).toBe(BigInt(START_MS + 9_000))
  await database.close()
})
