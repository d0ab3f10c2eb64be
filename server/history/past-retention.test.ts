import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { instant } from '../../lib/shared/clock.ts'
import { openDatabase } from './database.ts'
import { CLUSTER, ManualClock, revision, START_MS } from './fixtures.ts'
import { openSqliteHistory } from './sqlite-history.ts'

const DAY_MS = 24 * 3_600_000
const folder = makeTempFolder('past-retention')
afterAll(() => folder.remove())

test('who left a month ago is forgotten in small steps; who still stands is not, nor is it said that nobody led', async () => {
  const file = join(folder.path, 'history.sqlite')
  const database = await openDatabase(file)
  const insert = database.raw.prepare(`INSERT INTO candidacies (election_id, epoch, create_revision, mod_revision,
    key_base64, identity, value_bytes, nested, since_ms, since_at_least, from_ms, to_ms) VALUES (1, 0, ?, ?, ?, 'w', 1, 0, ?, 0, ?, ?)`)
  const add = (n: number, toMs: number | null) => insert.run(n, n, `key-${n}`, START_MS, START_MS, toMs)
  for (let n = 0; n < 2_500; n += 1) add(n, START_MS + 1_000)
  add(3_000, START_MS + 20 * DAY_MS)
  add(3_001, null)
  await database.close()

  const clock = new ManualClock()
  const history = openSqliteHistory({ file, clock })
  history.alive(CLUSTER, { at: instant(START_MS), epoch: 0, revision: revision(1) })
  await history.flush()
  clock.ms = START_MS + 32 * DAY_MS
  await history.maintain()
  const kept = await history.past(CLUSTER, instant(clock.ms - 30 * DAY_MS))
  expect(kept.keptSince).toBe(instant(clock.ms - 31 * DAY_MS))
  const forgotten = await history.past(CLUSTER, instant(START_MS))
  expect(forgotten).toMatchObject({ keptSince: kept.keptSince, elections: [], unseen: null })
  await history.close()

  const after = await openDatabase(file)
  const left = after.raw.prepare('SELECT create_revision AS n FROM candidacies ORDER BY id').all()
  expect(left.map(({ n }) => Number(n))).toEqual([3_000, 3_001])
  await after.close()
})
