import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isPending, NEVER_LOOKED_UP } from '../../lib/election/terms.ts'
import { at, CLUSTER, election, ended, ManualClock, started, term } from './fixtures.ts'
import { historyContract } from './history-contract.ts'
import { openSqliteHistory } from './sqlite-history.ts'

historyContract('SQLite history', async () => {
  const clock = new ManualClock()
  const dir = mkdtempSync(join(tmpdir(), 'tenure-history-'))
  const open = () => openSqliteHistory({ file: join(dir, 'tenure.db'), clock })
  let history = open()
  return {
    clock,
    history,
    restart: async () => {
      await history.close()
      history = open()
      return history
    },
    stop: async () => {
      await history.close()
      rmSync(dir, { recursive: true })
    },
  }
})

test('an end that an earlier run left to be looked up is not told as if somebody still would', async () => {
  const clock = new ManualClock()
  const dir = mkdtempSync(join(tmpdir(), 'tenure-history-'))
  const open = () => openSqliteHistory({ file: join(dir, 'tenure.db'), clock })
  const pending = { cause: 'unobserved', evidence: 'key gone; its lease has not been looked up yet' } as const
  const left = term(1, 7, 0, { to: at(5), endedBy: pending })
  const query = { cluster: CLUSTER, ref: election().ref, limit: 9 }
  const first = open()
  first.record(CLUSTER, election(), [started({ ...left, to: null, endedBy: null }), ended(left)])
  expect((await first.terms(query)).terms[0]?.endedBy).toEqual(pending)
  await first.close()

  clock.ms += 60_000
  const second = open()
  expect((await second.terms(query)).terms[0]?.endedBy).toEqual(NEVER_LOOKED_UP)
  const words = (await second.events(query)).events.map((row) => ('term' in row ? row.term.endedBy : null))
  expect(words).toContainEqual(NEVER_LOOKED_UP)
  expect(words.some(isPending)).toBe(false)
  // The watcher still gets it as open, to look the lease up after all.
  const [known] = (await second.load(CLUSTER, at(60))).elections
  expect(isPending(known?.seed.ended[0]?.endedBy ?? null)).toBe(true)
  await second.close()
  rmSync(dir, { recursive: true })
})
