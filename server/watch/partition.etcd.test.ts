import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EtcdMember } from '../../e2e/harness/etcd-member.ts'
import { type PartedEtcd, startPartableEtcd } from '../../e2e/harness/partition.ts'
import { whyNoPartition, withPartition } from '../../e2e/harness/peer-network.ts'
import { connect, type Etcd3, enterCandidate, keepAlive, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

const part = describe.skipIf(whyNoPartition() !== null)
const leads = (identity: string) => (state: ElectionState) => state.term?.leader.identity === identity

let etcd: PartedEtcd
let closing: (() => unknown)[] = []
beforeEach(async () => {
  if (whyNoPartition() === null) etcd = await startPartableEtcd()
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
  await etcd?.stop()
}, 30_000)

function watch(endpoints: readonly string[], probe = true): Watching {
  const watching = startWatching({ endpoints, watch: ['/el/'], probe })
  closing.push(() => watching.stop())
  return watching
}

function clientOf(members: readonly EtcdMember[]): Etcd3 {
  const client = connect(members.map(({ endpoint }) => endpoint))
  closing.push(() => client.close())
  return client
}

/** The member to be cut off comes first, so that the watcher begins there. */
async function chooseMember(role: 'raft leader' | 'follower') {
  const leader = await etcd.raftLeader()
  const cut = role === 'raft leader' ? leader : etcd.members.find((member) => member !== leader)
  if (cut === undefined) throw new Error('no such member')
  const others = etcd.members.filter((member) => member !== cut)
  return { cut, others, endpoints: [cut, ...others].map(({ endpoint }) => endpoint) }
}

/** What the page would show, each 50 ms. */
function sample(watching: Watching, prefix: string) {
  const samples: { atMs: number; live: boolean; leader: string | undefined; revision: string; reason?: string }[] = []
  const timer = setInterval(() => {
    watching.watcher.refresh()
    const { freshness, revision, reason } = watching.watcher.elections.view.info
    const leader = watching.state(prefix)?.term?.leader.identity
    samples.push({
      atMs: performance.now(),
      live: freshness === 'live',
      leader,
      revision,
      ...(reason ? { reason } : {}),
    })
  }, 50)
  closing.push(() => clearInterval(timer))
  return samples
}

part(withPartition('the etcd raft leader is parted from the other members'), () => {
  test('the view goes on with the majority, without a failover; an old leader is never shown as live', async () => {
    const { cut, others, endpoints } = await chooseMember('raft leader')
    const before = clientOf(etcd.members)
    const a = await enterCandidate(before, { prefix: '/el/p', value: 'a', ttlSeconds: 60 })
    await enterCandidate(before, { prefix: '/el/p', value: 'b', ttlSeconds: 60 })
    const watching = watch(endpoints)
    const info = () => watching.watcher.elections.view.info
    await watching.until('/el/p/', leads('a'))
    await watching.live()
    const samples = sample(watching, '/el/p/')

    const cutMs = performance.now()
    etcd.cutOff(cut)
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    expect(info().freshness === 'live' ? info().raftLeaderChanges.length > 0 : info().reason).toBeTruthy()
    expect(await eventually(() => info().freshness === 'live' && info().raftLeaderChanges.length > 0, 15_000)).toBe(
      true,
    )
    expect(watching.state('/el/p/')).toMatchObject({
      ended: [],
      failovers: [],
      term: { ordinal: 1, token: a.revision },
    })

    await revokeLease(clientOf(others), a.lease)
    const replacedMs = performance.now()
    await watching.until('/el/p/', leads('b'), 15_000)
    await eventually(() => info().freshness === 'live', 15_000)
    expect(info().members.find(({ name }) => name === cut.name)).toMatchObject({ reachable: true, isRaftLeader: false })
    expect(await eventually(() => info().members.find(({ name }) => name === cut.name)?.noRaftLeader, 10_000)).toBe(
      true,
    )

    etcd.heal()
    await etcd.waitHealthy()
    expect(await eventually(() => info().members.every(({ noRaftLeader, lag }) => !noRaftLeader && !lag), 30_000)).toBe(
      true,
    )
    await eventually(() => info().freshness === 'live', 10_000)
    expect(watching.state('/el/p/')).toMatchObject({
      term: { ordinal: 2, leader: { identity: 'b' } },
      ended: [{ ordinal: 1, token: a.revision }],
    })

    const lies = samples.filter(({ atMs, live, leader }) => live && leader === 'a' && atMs > replacedMs + 5_000)
    expect(lies).toEqual([])
    const stale = samples.filter(({ live, atMs }) => !live && atMs > cutMs)
    expect(stale.every(({ reason }) => reason !== undefined)).toBe(true)
    // What could not be confirmed for longer than the page allows is a gap.
    if (stale.length > 0) expect(info().gaps.length).toBeGreaterThan(0)
    else expect(info().gaps).toEqual([])
  }, 120_000)
})

part(withPartition('a member that lags'), () => {
  test('is named; the view goes on with the others and never back to what that member shows', async () => {
    const { cut, others, endpoints } = await chooseMember('follower')
    const majority = clientOf(others)
    const a = await enterCandidate(majority, { prefix: '/el/l', value: 'a', ttlSeconds: 60 })
    const watching = watch(endpoints)
    const info = () => watching.watcher.elections.view.info
    await watching.until('/el/l/', leads('a'))
    await watching.live()
    const samples = sample(watching, '/el/l/')
    etcd.cutOff(cut)

    const b = await enterCandidate(majority, { prefix: '/el/l', value: 'b', ttlSeconds: 60 })
    const renewing = keepAlive(majority, b.lease, 5_000)
    closing.push(() => renewing.stop())
    await revokeLease(majority, a.lease)
    await watching.until('/el/l/', leads('b'), 15_000)
    await eventually(() => info().freshness === 'live', 15_000)

    const named = await eventually(() => info().members.find(({ lag }) => lag !== undefined), 20_000)
    expect(named).toMatchObject({ name: cut.name, reachable: true, noRaftLeader: true })
    expect(BigInt(named?.lag?.revision ?? '0')).toBeLessThan(BigInt(named?.lag?.reached ?? '0'))
    expect(info().members.filter(({ lag }) => lag !== undefined)).toHaveLength(1)
    const shape = watching.watcher.members.shapes().find(({ name }) => name === cut.name)
    expect(shape).toMatchObject({ lag: named?.lag, revision: named?.lag?.revision })

    etcd.heal()
    expect(await eventually(() => info().members.every(({ lag, noRaftLeader }) => !lag && !noRaftLeader), 30_000)).toBe(
      true,
    )
    expect(watching.state('/el/l/')).toMatchObject({ term: { ordinal: 2 }, ended: [{ token: a.revision }] })
    const firstB = samples.findIndex(({ leader }) => leader === 'b')
    expect(samples.slice(firstB).filter(({ leader }) => leader !== 'b')).toEqual([])
    const back = samples.filter(({ revision }, at) => BigInt(revision) < BigInt(samples[at - 1]?.revision ?? '0'))
    expect(back).toEqual([])
  }, 120_000)

  test('that a watcher begins with gives it nothing: the others do, and alone it is no proof', async () => {
    const { cut, others, endpoints } = await chooseMember('follower')
    const majority = clientOf(others)
    const a = await enterCandidate(majority, { prefix: '/el/n', value: 'a', ttlSeconds: 60 })
    await expect
      .poll(
        async () =>
          (
            await etcd.etcdctl(['get', '/el/n', '--prefix', '--keys-only', '--consistency=s'], {
              endpoints: [cut.endpoint],
            })
          ).stdout,
      )
      .not.toBe('')
    etcd.cutOff(cut)
    await enterCandidate(majority, { prefix: '/el/n', value: 'b', ttlSeconds: 60 })
    await revokeLease(majority, a.lease)

    const alone = watch([cut.endpoint], false)
    const watching = watch(endpoints)
    const samples = sample(watching, '/el/n/')
    await watching.until('/el/n/', leads('b'), 20_000)
    expect(samples.filter(({ leader }) => leader === 'a')).toEqual([])
    expect(alone.watcher.elections.view.info.freshness).not.toBe('live')
    expect(alone.state('/el/n/')).toBeUndefined()
    expect(await eventually(() => alone.watcher.elections.view.info.reason, 5_000)).toBeTruthy()
  }, 90_000)
})
