import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate, keepAlive } from '../../e2e/harness/raw-etcd.ts'
import { anatomyOf } from '../../lib/election/terms.ts'
import type { ElectionState, Term } from '../../lib/election/types.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let watching: Watching

beforeEach(async () => {
  etcd = await startEtcd({ members: 3 })
  client = connect(etcd.endpoints)
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/', '/elections/cond/'], probe: true })
})
afterEach(async () => {
  await watching.stop()
  client.close()
  await etcd.stop()
})

const info = () => watching.watcher.elections.view.info
const staleWithin = (ms: number) => eventually(() => (info().freshness !== 'live' ? info() : null), ms)

/** Of the outage in which `first` was killed as etcd raft leader, and `second` took the quorum with it. */
async function remembersWhatEtcdWasLike(first: string, second: string) {
  const range = { cluster: 'test', from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' }
  await eventually(() => watching.watcher.members.raftLeaderIn(info().raftTerm) !== null)
  await expect.poll(async () => (await raftLeaders(range)).at(-1)?.to, { timeout: 10_000 }).toBeNull()
  const spans = await raftLeaders(range)
  expect(spans[0]?.subject).toBe(first)
  expect(spans.length).toBeGreaterThan(1)
  for (const [at, { from }] of spans.slice(1).entries()) expect(spans[at]?.to).toSatisfy((to) => to <= from)
  const { conditions } = await watching.history.conditions(range)
  const [lost, ...more] = conditions.filter(({ kind }) => kind === 'no-quorum')
  expect(more).toEqual([])
  expect(Date.parse(lost?.to ?? '') - Date.parse(lost?.from ?? '')).toBeGreaterThan(3_000)
  const silent = conditions.filter(({ kind, words }) => kind === 'slow-probe' && words === 'not answered')
  expect(silent.map(({ subject }) => subject)).toEqual(expect.arrayContaining([first, second]))
}

async function raftLeaders(range: Parameters<Watching['history']['conditions']>[0]) {
  return (await watching.history.conditions(range)).conditions.filter(({ kind }) => kind === 'raft-leader')
}

describe('quorum lost and back (RC-07)', () => {
  test('one member killed changes nothing; two make the view stale within 5 s; back is a gap, not a failover', async () => {
    const { lease, revision } = await enterCandidate(client, { prefix: '/el/1', value: 'a', ttlSeconds: 30 })
    const renewing = keepAlive(client, lease, 5_000)
    await watching.until('/el/1/', ({ term }) => term !== null)
    await watching.live()

    const first = await etcd.raftLeader()
    await first.kill()
    await eventually(() => info().raftLeaderChanges.length > 0, 15_000)
    await eventually(() => info().freshness === 'live', 10_000)
    expect(watching.state('/el/1/')?.term?.token).toBe(revision)

    const second = etcd.members.find((member) => member.isRunning())
    await second?.kill()
    const stale = await staleWithin(5_500)
    expect(stale).toMatchObject({ quorum: false })
    expect(await eventually(() => /no quorum/.test(info().reason ?? ''), 5_000)).toBe(true)
    expect(info().reason).toMatch(/data as of \d\d:\d\d:\d\d UTC/)
    expect(watching.shape('/el/1/')).toMatchObject({ status: 'unknown', leader: { identity: 'a' } })

    await second?.start({ healthyWithinMs: 0 })
    expect(await eventually(() => info().freshness === 'live', 20_000)).toBe(true)
    renewing.stop()
    const after = watching.state('/el/1/')
    expect(after).toMatchObject({ ended: [], failovers: [], term: { ordinal: 1, token: revision } })
    expect(info().gaps.at(-1)?.reason).toMatch(/quorum|answer|reached/)
    const { gaps } = await watching.history.terms({ cluster: 'test', ref: after?.ref ?? ('' as never), limit: 10 })
    expect(gaps.length).toBeGreaterThan(0)
    await remembersWhatEtcdWasLike(first.name, second?.name ?? '')
  }, 90_000)

  test('a frozen member is gone round: the view is live again within a few seconds and follows changes', async () => {
    await enterCandidate(client, { prefix: '/el/2', value: 'a', ttlSeconds: 60 })
    await watching.until('/el/2/', ({ term }) => term !== null)
    await watching.live()
    const leader = await etcd.raftLeader()
    leader.freeze()
    const others = connect(etcd.endpoints.filter((endpoint) => endpoint !== leader.endpoint))
    expect(await eventually(() => info().freshness === 'live' && info().raftLeaderChanges.length > 0, 20_000)).toBe(
      true,
    )
    await enterCandidate(others, { prefix: '/el/2', value: 'b', ttlSeconds: 60 })
    await watching.until('/el/2/', ({ candidates }) => candidates.length === 2, 15_000)
    others.close()
    leader.thaw()
  }, 60_000)
})

describe('a refill is not a renewal (RC-11)', () => {
  test('after a change of the etcd raft leader the lease is full, the last renewal is not', async () => {
    await enterCandidate(client, { prefix: '/el/3', value: 'dead', ttlSeconds: 30 })
    await watching.until('/el/3/', ({ candidates }) => (candidates[0]?.ttl?.remainingMs ?? 30_000) <= 20_000, 20_000)
    const before = watching.state('/el/3/')?.candidates[0]?.ttl
    await (await etcd.raftLeader()).kill()
    const refilled = await watching.until(
      '/el/3/',
      ({ candidates }) => (candidates[0]?.ttl?.remainingMs ?? 0) > 24_000,
      20_000,
    )
    const ttl = refilled.candidates[0]?.ttl
    const moved = Date.parse(ttl?.renewedAt ?? '') - Date.parse(before?.renewedAt ?? '')
    expect(Math.abs(moved)).toBeLessThan(1_500)
    expect(ttl?.refilledAt).toBeDefined()
    expect(info().raftLeaderChanges.length).toBeGreaterThan(0)
  }, 60_000)

  test('after the real expiry it is a part of the failover of its own, and detect is the TTL', async () => {
    const ttlSeconds = 6
    await enterCandidate(client, { prefix: '/elections/cond/4', value: 'dead', ttlSeconds })
    const next = await enterCandidate(client, { prefix: '/elections/cond/4', value: 'next', ttlSeconds: 60 })
    const renewing = keepAlive(client, next.lease, 5_000)
    const leftMs = ({ candidates }: ElectionState) => candidates[0]?.ttl?.remainingMs ?? ttlSeconds * 1_000
    await watching.until('/elections/cond/4/', (state) => leftMs(state) <= 3_000)
    await (await etcd.raftLeader()).kill()
    const after = await watching.until(
      '/elections/cond/4/',
      ({ ended }) => ended[0]?.endedBy?.cause === 'lease lost',
      30_000,
    )
    renewing.stop()
    const [lost] = after.ended
    const anatomy = anatomyOf(after.term as Term, lost as Term)
    // It had three seconds left and got six or more anew.
    expect(anatomy.refillMs).toBeGreaterThan(2_500)
    expect(anatomy).toMatchObject({ detectMs: ttlSeconds * 1_000, detectErrorMs: 1_000, vacancyMs: 0 })
    expect(lost?.silentMs).toBe(ttlSeconds * 1_000 + (anatomy.refillMs ?? 0))
  }, 60_000)
})
