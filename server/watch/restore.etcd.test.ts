import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, deleteKey, type Etcd3, enterCandidate } from '../../e2e/harness/raw-etcd.ts'
import { restoreSnapshot } from '../../e2e/harness/restore.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { FakeHistory } from '../history/fake-history.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
const clients: Etcd3[] = []
const started: Watching[] = []
const folder = makeTempFolder('restore')

afterEach(async () => {
  await Promise.all(started.splice(0).map((watching) => watching.stop()))
  for (const client of clients.splice(0)) client.close()
  await etcd.stop()
})
afterAll(() => folder.remove())

function client(): Etcd3 {
  const made = connect(etcd.endpoints)
  clients.push(made)
  return made
}

const restore = (snapshot: string) => restoreSnapshot(etcd, snapshot)

test('a restored store is a new epoch: told, readable before and after, followed on (RC-09)', async () => {
  etcd = await startEtcd({ members: 1 })
  const before = client()
  const old = await enterCandidate(before, { prefix: '/el/job', value: 'old', ttlSeconds: 600 })
  const snapshot = join(folder.path, 'snapshot.db')
  expect((await etcd.etcdctl(['snapshot', 'save', snapshot])).code).toBe(0)
  for (let n = 0; n < 40; n += 1) await etcd.etcdctl(['put', '/filler', String(n)])
  await enterCandidate(before, { prefix: '/el/job', value: 'new', ttlSeconds: 600 })
  await deleteKey(before, old.key)

  const history = new FakeHistory()
  const watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], history })
  started.push(watching)
  const highest = await watching.until('/el/job/', ({ term }) => term?.leader.identity === 'new')
  await watching.live()
  const info = () => watching.watcher.elections.view.info
  const high = info().revision

  await restore(snapshot)
  expect(await eventually(() => info().rolledBack, 30_000)).toMatchObject({ from: high })
  const rolled = await watching.until('/el/job/', ({ term }) => term?.leader.identity === 'old', 15_000)
  expect(rolled).toMatchObject({ epoch: 1, term: { ordinal: 2, epoch: 1, token: old.revision } })
  expect(rolled.ended.at(-1)).toMatchObject({
    epoch: 0,
    token: highest.term?.token,
    endedBy: { cause: 'store rolled back', evidence: expect.stringMatching(/^store rolled back \d+→\d+$/) },
  })
  await watching.live()
  expect(watching.shape('/el/job/')?.status).toBe('unknown')
  const { stdout } = await etcd.etcdctl(['get', '--print-value-only', '/tenure/epoch'])
  expect(JSON.parse(stdout)).toMatchObject({ v: 1, epoch: 1, highRevision: high })

  const after = client()
  await enterCandidate(after, { prefix: '/el/job', value: 'next', ttlSeconds: 600 })
  await deleteKey(after, old.key)
  await watching.until('/el/job/', ({ term }) => term?.leader.identity === 'next', 15_000)
  const { terms } = await history.terms({ cluster: 'test', ref: rolled.ref, limit: 10 })
  expect(terms.map(({ epoch, leader }) => [epoch, leader.identity])).toEqual([
    [1, 'next'],
    [1, 'old'],
    [0, 'new'],
  ])
}, 90_000)

test('a store restored while Tenure was down is noticed at the next start', async () => {
  etcd = await startEtcd({ members: 1 })
  const before = client()
  const old = await enterCandidate(before, { prefix: '/el/job', value: 'old', ttlSeconds: 600 })
  const snapshot = join(folder.path, 'down.db')
  await etcd.etcdctl(['snapshot', 'save', snapshot])
  await enterCandidate(before, { prefix: '/el/job', value: 'new', ttlSeconds: 600 })
  await deleteKey(before, old.key)
  const history = new FakeHistory()
  const first = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], history })
  await first.until('/el/job/', ({ term }) => term?.leader.identity === 'new')
  await first.live()
  await first.stop()
  await restore(snapshot)
  history.restart()
  const second = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], history })
  started.push(second)
  const state = await second.until('/el/job/', ({ epoch }) => epoch === 1, 15_000)
  expect(state.term?.leader.identity).toBe('old')
  expect(state.ended.at(-1)?.endedBy?.cause).toBe('store rolled back')
  expect(second.watcher.elections.view.info.rolledBack).toBeDefined()

  await second.live()
  await second.stop()
  history.restart()
  const third = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], history })
  started.splice(0, 1, third)
  await third.live()
  expect(third.watcher.elections.view.info).toMatchObject({ epoch: 1, rolledBack: { to: expect.any(String) } })
  expect(third.state('/el/job/')?.lastOrdinal).toBe(state.lastOrdinal)
}, 60_000)

test('an epoch that could not be written is not missed at the next start', async () => {
  etcd = await startEtcd({ members: 1 })
  const before = client()
  const old = await enterCandidate(before, { prefix: '/el/job', value: 'old', ttlSeconds: 600 })
  const snapshot = join(folder.path, 'read-only.db')
  await etcd.etcdctl(['snapshot', 'save', snapshot])
  await enterCandidate(before, { prefix: '/el/job', value: 'new', ttlSeconds: 600 })
  await deleteKey(before, old.key)
  const history = new FakeHistory()
  const run = async () => {
    history.restart()
    const watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], history, readOnly: true })
    await watching.live()
    await watching.until('/el/job/', ({ term }) => term !== null)
    const state = watching.state('/el/job/')
    await watching.stop()
    return { epoch: state?.epoch, terms: state?.lastOrdinal }
  }
  expect(await run()).toEqual({ epoch: 0, terms: 1 })
  await restore(snapshot)
  expect(await run()).toEqual({ epoch: 1, terms: 2 })
  expect(await run()).toEqual({ epoch: 1, terms: 2 })
  expect(await run()).toEqual({ epoch: 1, terms: 2 })
}, 60_000)
