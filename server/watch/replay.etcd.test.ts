import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { refOf } from '../../lib/election/ids.ts'
import { recordRun } from './record-run-for-test.ts'
import { CLUSTER, readLog, replay, written } from './replay-for-test.ts'

const folder = makeTempFolder('replay')
let run: Awaited<ReturnType<typeof recordRun>>

beforeAll(async () => {
  run = await recordRun()
}, 120_000)
afterAll(async () => {
  await run.close()
  folder.remove()
})

const ref = (name: string) => refOf('queue', `/elections/past/${name}/`)
const asOf = async (name: string, at: string) => {
  const past = await run.store.past(CLUSTER, at)
  return { past, state: past.elections.find((election) => election.ref === ref(name)) }
}
const termsOf = async (name: string) =>
  (await run.store.terms({ cluster: CLUSTER, ref: ref(name), limit: 100 })).terms.toReversed()

test('the log of a real run, read again, makes byte-identical history', async () => {
  expect(await replay(readLog(written(run.log)), join(folder.path, 'history.sqlite'))).toBe(run.history)
})

describe('what came of it', () => {
  test('compacted while cut off: A, then D, nothing made up between, and the time between is unseen (RC-08)', async () => {
    const terms = (await termsOf('cut')).filter(({ epoch }) => epoch === 0)
    expect(terms.map(({ leader }) => leader.identity)).toEqual(['A', 'D'])
    expect(terms[1]).toMatchObject({ fromAtLeast: true, gapMs: null })
    const { past, state } = await asOf('cut', run.gapAt)
    expect(past.unseen).not.toBeNull()
    expect(state?.candidates.map(({ identity }) => identity)).toEqual(['A'])
  })

  test('rolled back: before it, the old epoch with its leader; after it, a new one (RC-09)', async () => {
    const before = await asOf('job', run.beforeRollback)
    expect(before.past.epoch).toBe(0)
    expect(before.state).toMatchObject({ epoch: 0, term: { epoch: 0, leader: { identity: 'd' } } })
    const [last] = (await termsOf('job')).slice(-1)
    const after = await asOf('job', last?.from ?? '')
    expect(after.past.epoch).toBe(1)
    expect(after.state).toMatchObject({ epoch: 1, term: { epoch: 1, leader: { identity: 'c' } } })
    expect(after.state?.candidates).toHaveLength(1)
  })

  test('namesakes are two candidates and two terms (RC-14)', async () => {
    const [first, second] = await termsOf('namesakes')
    expect([first?.leader.identity, second?.leader.identity]).toEqual(['localhost', 'localhost'])
    expect(first?.token).not.toBe(second?.token)
    expect(['lease lost', 'expired']).toContain(first?.endedBy?.cause)
    const both = await asOf('namesakes', first?.to ?? '')
    expect(both.state?.candidates.map(({ createRevision }) => createRevision)).toEqual([second?.token])
  })

  test('nobody stands in two places, and what has left has an end', () => {
    const rows = run.history
      .split('\n')
      .flatMap((line) => (line.startsWith('{"table":"candidacies"') ? [JSON.parse(line)] : []))
    const open = rows
      .filter(({ to_ms }) => to_ms === null)
      .map(({ election_id, key_base64 }) => `${election_id} ${key_base64}`)
    expect(new Set(open).size).toBe(open.length)
    expect(open.length).toBeGreaterThan(0)
    expect(rows.length).toBeGreaterThan(open.length)
  })
})
