import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, deleteKey, type Etcd3, enterCandidate, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { refOf } from '../../lib/election/ids.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { instant } from '../../lib/shared/clock.ts'
import { eventually } from '../watch/watch-for-test.ts'
import * as contract from './past-contract-for-test.ts'
import { type Serving, serve } from './serve-for-test.ts'

const PREFIX = '/elections/past/job/'
const REF = refOf('queue', PREFIX)
const OTHER = refOf('queue', '/elections/past/other/')

let etcd: EtcdCluster
let client: Etcd3
let api: Serving
/** The live state after each change, and when it was so. */
const seen: { at: string; state: ElectionState }[] = []

const live = () => api.runtime.watchers.get('test')?.elections.view.elections.get(REF)

async function note(is: (state: ElectionState) => boolean): Promise<void> {
  const state = await eventually(() => {
    const now = live()
    return now !== undefined && is(now) ? now : null
  })
  if (state === null) throw new Error(`never so: ${JSON.stringify(live())}`)
  // The next change gets a moment of its own.
  const at = instant(api.runtime.clock.nowMs())
  await eventually(() => instant(api.runtime.clock.nowMs()) > at)
  seen.push({ at, state })
}

const enter = (value: string, prefix = PREFIX.slice(0, -1)) => enterCandidate(client, { prefix, value, ttlSeconds: 60 })
const ends = (count: number) => (state: ElectionState) =>
  state.ended.length === count && state.ended.every(({ endedBy }) => endedBy?.cause !== 'unobserved')

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  const first = await enter('a')
  api = await serve({ endpoints: etcd.endpoints, watch: ['/elections/'] })
  await note(({ term }) => term?.leader.identity === 'a')
  const second = await enter('b')
  await note(({ candidates }) => candidates.length === 2)
  await enter('c')
  await enter('o', '/elections/past/other')
  await note(({ candidates }) => candidates.length === 3)
  await client.kv.put({ key: Buffer.from(first.key), value: Buffer.from('a, renamed'), lease: first.lease })
  await note(({ term }) => term?.leader.identity === 'a, renamed')
  await revokeLease(client, first.lease)
  await note(ends(1))
  await deleteKey(client, second.key)
  await note(ends(2))
})
afterAll(async () => {
  await api.stop()
  client.close()
  await etcd.stop()
})

const asOf = async (at: string) => (await api.get('clusters.asOf', contract.clustersAsOf, { at })).clusters[0]
/** What of it is kept: no look-ups of leases, and of the revisions those of keys. */
const kept = (state: ElectionState) => ({
  ...state,
  revision: expect.stringMatching(/^\d+$/),
  candidates: state.candidates.map((candidate) => ({ ...candidate, ttl: null })),
})
const step = (at: string, direction: 'previous' | 'next', more: object = {}) =>
  api.get('clusters.step', contract.clustersStep, { at, direction, cluster: 'test', ...more })

describe('clusters.asOf', () => {
  test('answers with the elections as they were, change by change', async () => {
    expect(seen).toHaveLength(6)
    for (const { at, state } of seen) {
      const then = await asOf(at)
      expect(then?.info).toMatchObject({ name: 'test', freshness: 'live', asOf: at, epoch: 0, members: [] })
      expect(then?.elections.find(({ ref }) => ref === REF)).toEqual(kept(state))
    }
  })

  test('says what is no moment that it can answer for', async () => {
    const later = instant(api.runtime.clock.nowMs() + 60_000)
    const refused = async (at: string) => (await api.ask('clusters.asOf', { at })).text
    expect(await refused(later)).toContain('is in the future')
    expect(await refused('2020-01-01T00:00:00Z')).toMatch(/nothing is kept before 20\d\d-/)
    expect(await refused('yesterday')).toContain('must be a UTC time')
    expect((await api.ask('clusters.asOf', { at: seen[0]?.at, cluster: 'x' })).status).toBe(404)
  })
})

describe('clusters.step', () => {
  test('goes from change to change and back, over what changed neither leader nor queue', async () => {
    const moments: string[] = []
    let at = seen[0]?.at ?? ''
    for (;;) {
      const { moment } = await step(at, 'next', { ref: REF })
      if (moment === null) break
      moments.push(moment.at)
      at = moment.at
    }
    // b, c, the end of a's term and of b's: renaming a moved nobody.
    expect(moments).toHaveLength(4)
    const back = await step(at, 'previous', { ref: REF })
    expect(back.moment?.at).toBe(moments.at(-2))
    const types = back.moment?.changes.map((change) => (change.type === 'election' ? change.event.type : change.type))
    expect(types).toEqual(['candidate-left', 'term-ended', 'term-started', 'term-explained'])
    const joined = await step(seen[1]?.at ?? '', 'next')
    expect(joined.moment?.changes).toMatchObject([{ cluster: 'test', type: 'election', ref: REF }])
    const other = await step(joined.moment?.at ?? '', 'next')
    expect(other.moment?.changes[0]).toMatchObject({ ref: OTHER })
  })

  test('says what is no election', async () => {
    const unknown = { at: seen[0]?.at, direction: 'next', cluster: 'test', ref: refOf('queue', '/never/') }
    expect((await api.ask('clusters.step', unknown)).status).toBe(404)
  })
})

test('the past of an election that is forgotten can still be read', async () => {
  const other = api.runtime.watchers.get('test')?.elections.view
  const [state] = [...(other?.elections.values() ?? [])].filter(({ ref }) => ref === OTHER)
  expect(state).toBeDefined()
  other?.apply({ type: 'forgotten', cluster: 'test', ref: OTHER })
  const { text, status } = await api.ask('elections.terms', { cluster: 'test', ref: OTHER })
  expect([status, text.includes('"ordinal":1')]).toEqual([200, true])
})
