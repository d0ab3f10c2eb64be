import { createServer } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { freePort } from '../../e2e/harness/ports.ts'
import { type NetworkProxy, startProxy } from '../../e2e/harness/proxy.ts'
import { connect, deleteKey, type Etcd3, enterCandidate, grantLease, putCandidate } from '../../e2e/harness/raw-etcd.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let proxy: NetworkProxy
let watching: Watching

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
})
afterAll(async () => {
  client.close()
  await etcd.stop()
})
beforeEach(async () => {
  proxy = await startProxy({ target: etcd.endpoints[0] ?? '' })
})
afterEach(async () => {
  await watching.stop()
  await proxy.stop()
})

const info = () => watching.watcher.elections.view.info
const notLive = () => eventually(() => info().freshness !== 'live', 8_000)

/** A → B → C → D: each queues behind the one before, which then leaves. */
async function handOver(prefix: string, from: { key: Buffer }, names: readonly string[]): Promise<void> {
  let current = from
  for (const value of names) {
    const next = await enterCandidate(client, { prefix, value, ttlSeconds: 300 })
    await deleteKey(client, current.key)
    current = next
  }
}

async function cutAfterFirst(prefix: string): Promise<{ key: Buffer }> {
  const first = await enterCandidate(client, { prefix, value: 'A', ttlSeconds: 300 })
  watching = startWatching({ endpoints: [proxy.endpoint], watch: [`${prefix.split('/').slice(0, -1).join('/')}/`] })
  await watching.until(`${prefix}/`, ({ term }) => term !== null)
  await watching.live()
  return first
}

describe('history compacted while cut off (RC-08)', () => {
  test('variant 1: one re-list, the true leader, and a gap with at least one change', async () => {
    const first = await cutAfterFirst('/compacted/job')
    await proxy.setMode('refuse')
    await notLive()
    await handOver('/compacted/job', first, ['B', 'C', 'D'])
    const revision = (await client.kv.range({ key: Buffer.from('/x') })).header.revision
    await etcd.etcdctl(['compact', revision])
    await proxy.setMode('pass')
    const state = await watching.until('/compacted/job/', ({ term }) => term?.leader.identity === 'D', 20_000)
    expect(state).toMatchObject({ lastOrdinal: 2, term: { fromAtLeast: true, gapMs: null } })
    expect(state.ended[0]?.endedBy?.cause).toBe('unobserved')
    const { events } = await watching.history.events({ cluster: 'test', ref: state.ref, limit: 20 })
    expect(events.filter(({ type }) => type === 'gap')).toMatchObject([{ changed: true }])
    expect(watching.logged.filter((line) => line.startsWith('listed again'))).toHaveLength(1)
  }, 60_000)

  test('variant 2: nothing compacted, all four terms in order, each event once', async () => {
    const first = await cutAfterFirst('/resumed/job')
    await proxy.setMode('refuse')
    await notLive()
    await handOver('/resumed/job', first, ['B', 'C', 'D'])
    await proxy.setMode('pass')
    const state = await watching.until('/resumed/job/', ({ term }) => term?.leader.identity === 'D', 20_000)
    expect(state.candidates).toHaveLength(1)
    const { terms } = await watching.history.terms({ cluster: 'test', ref: state.ref, limit: 20 })
    expect(terms.map(({ ordinal, leader }) => [ordinal, leader.identity])).toEqual([
      [4, 'D'],
      [3, 'C'],
      [2, 'B'],
      [1, 'A'],
    ])
    const { events } = await watching.history.events({ cluster: 'test', ref: state.ref, limit: 50 })
    expect(events.filter(({ type }) => type === 'candidate-joined')).toHaveLength(3)
    expect(watching.logged.some((line) => line.startsWith('listed again'))).toBe(false)
  }, 60_000)
})

describe('cut connections', () => {
  test('a black hole that keeps the sockets open makes the view stale within 5 s, and ends by itself', async () => {
    await cutAfterFirst('/hole/job')
    const startedMs = performance.now()
    await proxy.setMode('black-hole')
    await notLive()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    expect(info().gaps).toEqual([])
    await enterCandidate(client, { prefix: '/hole/job', value: 'B', ttlSeconds: 300 })
    await proxy.setMode('pass')
    await watching.until('/hole/job/', ({ candidates }) => candidates.length === 2, 20_000)
    expect(await eventually(() => info().freshness === 'live', 20_000)).toBe(true)
    expect(info().gaps).toHaveLength(1)
  }, 60_000)

  test('resets in the middle of catching up lose nothing and double nothing', async () => {
    await cutAfterFirst('/catchup/job')
    await proxy.setMode('refuse')
    await notLive()
    const lease = await grantLease(client, 300)
    for (let batch = 0; batch < 40; batch += 1) {
      const puts = Array.from({ length: 100 }, (_, n) =>
        putCandidate(client, { prefix: '/catchup/job', value: `p${batch}-${n}`, lease }),
      )
      await Promise.all(puts)
    }
    await proxy.setMode('pass')
    for (let n = 0; n < 6; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 120))
      await proxy.setMode('reset')
      await proxy.setMode('pass')
    }
    await putCandidate(client, { prefix: '/catchup/job', value: 'last', lease })
    const done = ({ candidates }: { candidates: readonly { identity: string }[] }) => candidates[1]?.identity === 'last'
    const state = await watching.until('/catchup/job/', done, 30_000)
    const { events } = await watching.history.events({ cluster: 'test', ref: state.ref, limit: 1_000 })
    const all = [...events]
    for (let cursor = 0; cursor < 10 && all.length < 4_000; cursor += 1) {
      const page = await watching.history.events({
        cluster: 'test',
        ref: state.ref,
        limit: 1_000,
        to: all.at(-1)?.at ?? '',
      })
      if (page.events.length === 0) break
      all.push(...page.events)
    }
    const revisions = all.flatMap((event) => (event.type === 'proclaimed' ? [event.revision] : []))
    expect(new Set(revisions).size).toBe(revisions.length)
  }, 90_000)

  test('an endpoint that answers 502 is told once a minute, with back-off', async () => {
    const port = await freePort()
    const gateway = createServer((_, response) => response.writeHead(502).end('<html>bad gateway</html>'))
    await new Promise<void>((resolve) => gateway.listen(port, '127.0.0.1', resolve))
    watching = startWatching({ endpoints: [`http://127.0.0.1:${port}`], watch: ['/x/'] })
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    expect(info()).toMatchObject({ freshness: 'unreachable', quorum: false })
    expect(watching.logged.length).toBeLessThanOrEqual(2)
    gateway.closeAllConnections()
    gateway.close()
  }, 30_000)
})

test('endpoints of two clusters under one name are refused, both ids named', async () => {
  const other = await startEtcd({ members: 1 })
  watching = startWatching({ endpoints: [...etcd.endpoints, ...other.endpoints], watch: ['/el/'] })
  const reason = await eventually(() => (/different clusters/.test(info().reason ?? '') ? info().reason : null), 10_000)
  for (const cluster of [etcd, other]) {
    const { stdout } = await cluster.etcdctl(['endpoint', 'status', '--write-out=fields'])
    const id = BigInt(/"ClusterID" : (\d+)/.exec(stdout)?.[1] ?? '0').toString(16)
    expect(reason).toContain(id)
  }
  expect(watching.watcher.elections.view.elections.size).toBe(0)
  expect(info().freshness).not.toBe('live')
  await other.stop()
}, 30_000)
