import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { at, CLUSTER, election, ended, endedTerms, ManualClock, started, term } from '../fixtures.ts'
import { historyContract } from '../history-contract.ts'
import { openWorkerHistory } from './worker-history.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'tenure-history-'))

historyContract('SQLite history on a thread of its own', async () => {
  const clock = new ManualClock()
  const dir = folder()
  const open = () => openWorkerHistory({ file: join(dir, 'tenure.db'), clock })
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

const query = { cluster: CLUSTER, ref: election().ref, limit: 1_000 }

test('a thread that dies is started again, the time in between is a gap, and what was told meanwhile is kept', async () => {
  const clock = new ManualClock()
  const dir = folder()
  const history = openWorkerHistory({ file: join(dir, 'tenure.db'), clock })
  history.record(CLUSTER, election(), [started(term(1, 7, 0))])
  expect(await history.flush()).toEqual({ ok: true })
  clock.ms += 60_000

  await history.thread?.terminate()
  expect(history.state()).toMatchObject({
    ok: false,
    error: expect.stringContaining('the thread of the history stopped'),
  })
  await expect(history.terms(query)).rejects.toThrow('the thread of the history stopped')
  history.record(CLUSTER, election(), [ended(term(1, 7, 0, { to: at(60) }))])

  await eventually('it runs again', async () => history.state().ok)
  const { terms, gaps } = await history.terms(query)
  expect(terms).toMatchObject([{ token: '7', to: at(60) }])
  expect(gaps).toMatchObject([{ to: at(60), reason: expect.stringContaining('changes may be missing') }])
  await history.close()
  rmSync(dir, { recursive: true })
})

test('what does not fit while nobody takes it is dropped, counted, and told as a gap', async () => {
  const clock = new ManualClock()
  const dir = folder()
  const history = openWorkerHistory({ file: join(dir, 'tenure.db'), clock, maxWaiting: 10 })
  for (const each of endedTerms(40)) history.record(CLUSTER, election(), [ended(each)])
  const { terms, gaps } = await history.terms(query)
  expect(terms.length).toBeLessThan(10)
  expect(terms[0]?.ordinal).toBe(40)
  expect(gaps).toMatchObject([
    { reason: expect.stringMatching(/^history could not be written: \d+ changes were dropped$/) },
  ])
  await history.close()
  rmSync(dir, { recursive: true })
})

test('what was told is durable after closing', async () => {
  const dir = folder()
  const file = join(dir, 'tenure.db')
  const history = openWorkerHistory({ file })
  for (const each of endedTerms(100)) history.record(CLUSTER, election(), [ended(each)])
  await history.close()
  const again = openWorkerHistory({ file })
  expect((await again.terms(query)).terms).toHaveLength(100)
  await again.close()
  await expect(again.terms(query)).rejects.toThrow('history is closed')
  rmSync(dir, { recursive: true })
})
