import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { at, CLUSTER, election, started, term } from './fixtures.ts'
import { openSqliteHistory } from './sqlite-history.ts'

const ELECTIONS = 10_000
/** A transaction holds at most this many rows, and each election is two or three. */
const MOST_ROWS = 2_000

it('takes ten thousand elections at once in pieces, with the event loop free between them', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tenure-load-'))
  const file = join(dir, 'tenure.db')
  const history = openSqliteHistory({ file })
  await history.flush()
  for (let n = 0; n < ELECTIONS; n += 1) {
    history.record(CLUSTER, election(`jobs-${n}`), [started(term(1, n + 1, 0))])
  }
  let turns = 0
  let counting = true
  const count = () => {
    turns += 1
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  expect(await history.flush()).toEqual({ ok: true })
  counting = false
  expect(turns).toBeGreaterThanOrEqual(ELECTIONS / MOST_ROWS)
  await history.close()

  const again = openSqliteHistory({ file })
  expect((await again.load(CLUSTER, at(10))).elections).toHaveLength(ELECTIONS)
  await again.close()
  rmSync(dir, { recursive: true })
}, 60_000)
