import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spawnCandidate, spawnElect } from '../../e2e/harness/candidate.ts'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import {
  connect,
  deleteKey,
  type Etcd3,
  enterCandidate,
  grantLease,
  keepAlive,
  leaseHex,
  putCandidate,
  revokeLease,
} from '../../e2e/harness/raw-etcd.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
const started: Watching[] = []

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
})
afterAll(async () => {
  await Promise.all(started.map((watching) => watching.stop()))
  client.close()
  await etcd.stop()
})

function watch(options: Omit<Parameters<typeof startWatching>[0], 'endpoints'>): Watching {
  const watching = startWatching({ endpoints: etcd.endpoints, ...options })
  started.push(watching)
  return watching
}

const leads = (identity: string) => (state: { term: { leader: { identity: string } } | null }) =>
  state.term?.leader.identity === identity

describe('a queue', () => {
  test('is found in the first listing and followed through a handover by resign', async () => {
    const a = await enterCandidate(client, { prefix: '/basic/job', value: 'a' })
    const b = await enterCandidate(client, { prefix: '/basic/job', value: 'b' })
    const watching = watch({ watch: ['/basic/'] })
    const first = await watching.until('/basic/job/', leads('a'))
    expect(first.term).toMatchObject({ ordinal: 1, token: a.revision, fromAtLeast: true })
    expect(first.candidates).toHaveLength(2)

    await deleteKey(client, a.key)
    const second = await watching.until('/basic/job/', leads('b'))
    expect(second.term).toMatchObject({ ordinal: 2, token: b.revision, fromAtLeast: false, gapMs: 0 })
    const explained = await watching.until('/basic/job/', ({ ended }) => ended[0]?.endedBy?.cause !== 'unobserved')
    expect(explained.ended[0]?.endedBy).toMatchObject({ cause: 'resigned or removed' })
    expect(explained.failovers).toEqual([])
  })

  test('whose leader’s lease is revoked counts a failover, with the evidence', async () => {
    const a = await enterCandidate(client, { prefix: '/revoked/job', value: 'a' })
    await enterCandidate(client, { prefix: '/revoked/job', value: 'b' })
    const watching = watch({ watch: ['/revoked/'] })
    await watching.until('/revoked/job/', (state) => leaderOf(state.candidates)?.ttl != null)
    await revokeLease(client, a.lease)
    const after = await watching.until('/revoked/job/', ({ ended }) => ended[0]?.endedBy?.cause === 'lease lost')
    expect(after.failovers).toHaveLength(1)
    expect(after.ended[0]?.endedBy?.evidence).toMatch(
      /^key gone at revision \d+, lease \w+ gone .*before it could expire, so it was revoked/,
    )
  })

  test('that a process leads by `etcdctl elect` is seen, and its kill ends the term when the lease expires', async () => {
    const watching = watch({ watch: ['/foreign/'] })
    await watching.live()
    const folder = makeTempFolder('elect')
    const logFile = join(folder.path, 'elect.log')
    const elect = spawnElect({ endpoints: etcd.endpoints, election: '/foreign/job', value: 'one', logFile })
    const state = await watching.until('/foreign/job/', leads('one'))
    expect(state).toMatchObject({ confirmed: true, layout: 'queue' })
    expect(state.term?.fromAtLeast).toBe(false)
    // Told to stop before it has said that it won, etcdctl leaves its key behind (etcd#21128).
    expect(await eventually(() => readFileSync(logFile, 'utf8').includes('one'))).toBe(true)
    await elect.stop()
    folder.remove()
    const gone = await watching.until('/foreign/job/', ({ term }) => term === null)
    expect(gone.leaderlessSince).not.toBeNull()
  })

  test('whose leader process is killed fails over within its TTL, and the silence is measured', async () => {
    const watching = watch({ watch: ['/killed/'] })
    const leader = spawnCandidate({ endpoints: etcd.endpoints, prefix: '/killed/job', name: 'first', ttlSeconds: 3 })
    await leader.waitFor('leading')
    const standby = spawnCandidate({ endpoints: etcd.endpoints, prefix: '/killed/job', name: 'second', ttlSeconds: 3 })
    await standby.waitFor('queued')
    await watching.until('/killed/job/', (state) => state.candidates.length === 2 && state.candidates[0]?.ttl != null)
    await leader.kill()
    const after = await watching.until('/killed/job/', leads('second'), 15_000)
    expect(after.ended[0]?.silentMs).toBeGreaterThan(1_000)
    await watching.until('/killed/job/', ({ ended }) => ended[0]?.endedBy?.cause === 'lease lost')
    await standby.kill()
  })
})

describe('identities and bytes', () => {
  test('lease ids above 2^53 stay apart and whole (RC-01)', async () => {
    const ids = ['2777639186554634659', '2777639186554634660']
    for (const ID of ids) await client.leaseClient.leaseGrant({ ID, TTL: 60 })
    for (const [n, lease] of ids.entries()) await putCandidate(client, { prefix: '/rc01', value: `n${n}`, lease })
    const watching = watch({ watch: ['/rc01/'] })
    const state = await watching.until('/rc01/', ({ candidates }) => candidates.every(({ ttl }) => ttl !== null))
    expect(state.candidates.map(({ lease }) => lease)).toEqual(['268c281fa4cb41a3', '268c281fa4cb41a4'])
    expect(state.candidates[0]?.ttl?.grantedMs).toBe(60_000)
    const { stdout } = await etcd.etcdctl(['lease', 'list'])
    expect(stdout).toContain('268c281fa4cb41a3')
  })

  test('keys and values that are not text are kept byte for byte (RC-02)', async () => {
    const ff = Buffer.concat([Buffer.from('/rc02/'), Buffer.from([0xff])])
    const fe = Buffer.concat([Buffer.from('/rc02/'), Buffer.from([0xfe])])
    const literal = Buffer.from('/rc02/\\xff')
    const values = [Buffer.from('An////8QAAAB', 'base64'), Buffer.alloc(0), Buffer.from('a\0b\r\nc')]
    for (const [n, prefix] of [ff, fe, literal].entries()) {
      await enterCandidate(client, { prefix, value: values[n] ?? Buffer.alloc(0) })
    }
    await enterCandidate(client, { prefix: '/rc02/big', value: Buffer.alloc(1024 * 1024, 'x') })
    await enterCandidate(client, { prefix: '/rc02/json', value: '{"leader":"a","n":9007199254740993}' })
    const watching = watch({ watch: ['/rc02/'] })
    await watching.until('/rc02/\xff/', ({ term }) => term !== null)
    const names = [...watching.watcher.elections.view.elections.values()].map(({ prefix }) => prefix).sort()
    expect(names).toEqual(['/rc02/\\\\xff/', '/rc02/\\xfe/', '/rc02/\\xff/', '/rc02/big/', '/rc02/json/'])
    expect(watching.shape('/rc02/\xfe/')?.leader).toMatchObject({ identity: '', valueBytes: 0 })
    expect(watching.shape('/rc02/\xff/')?.leader?.identity).toBe('\\x02\\x7f\\xff\\xff\\xff\\x10\\x00\\x00\\x01')
    expect(watching.shape('/rc02/\\xff/')?.leader?.identity).toBe('a\\x00b\\x0d\\x0ac')
    const big = watching.shape('/rc02/big/')?.leader
    expect(big?.valueBytes).toBe(1024 * 1024)
    expect(big?.identity.length).toBeLessThanOrEqual(200)
    expect(watching.shape('/rc02/json/')?.leader?.identity).toContain('9007199254740993')
  })

  test('two candidates of one name fail over as two (RC-14)', async () => {
    const a = await enterCandidate(client, { prefix: '/rc14', value: 'localhost' })
    await enterCandidate(client, { prefix: '/rc14', value: 'localhost' })
    const watching = watch({ watch: ['/rc14/'] })
    await watching.until('/rc14/', ({ candidates }) => candidates.length === 2)
    expect(watching.shape('/rc14/')?.notes).toContainEqual({
      type: 'identity-shared',
      identity: 'localhost',
      candidates: 2,
    })
    await revokeLease(client, a.lease)
    const after = await watching.until('/rc14/', ({ lastOrdinal }) => lastOrdinal === 2)
    expect(after.term?.leader.identity).toBe('localhost')
  })
})

describe('discovery', () => {
  test('an election nested under another blocks it and is not mistaken for its leader (RC-03)', async () => {
    await etcd.etcdctl(['put', 'nestx', 'hello'])
    await etcd.etcdctl(['put', 'nest', 'hello'])
    const inner = await enterCandidate(client, { prefix: 'nest/a', value: 'candA' })
    const outer = await enterCandidate(client, { prefix: 'nest', value: 'candTop' })
    const watching = watch({ watch: ['nest'] })
    await watching.until('nest/', ({ candidates }) => candidates.length === 2)
    const names = [...watching.watcher.elections.view.elections.values()].map(({ prefix }) => prefix).sort()
    expect(names).toEqual(['nest/', 'nest/a/'])
    const blocked = watching.shape('nest/')
    expect(blocked).toMatchObject({ leader: null, candidateCount: 1, term: null })
    expect(blocked?.notes).toContainEqual({
      type: 'blocked',
      key: `nest/a/${leaseHex(inner.lease)}`,
      createRevision: inner.revision,
    })
    await deleteKey(client, inner.key)
    const top = await watching.until('nest/', leads('candTop'))
    expect(top.term).toMatchObject({ ordinal: 1, token: outer.revision })
    const nested = await watching.until('nest/a/', ({ term }) => term === null)
    expect(nested.ended).toHaveLength(1)
  })

  test('a single-key leader that loses its lease by hand stays one term and says so (RC-04)', async () => {
    const lease = await grantLease(client, 30)
    const renewing = keepAlive(client, lease, 5_000)
    const put = (key: string, value: string, on = '0') =>
      client.kv.put({ key: Buffer.from(key), value: Buffer.from(value), lease: on })
    await put('/service/pgA/leader', 'pg1', lease)
    await put('/service/pgA/members/pg1', '{}', lease)
    await put('/service/pgA/config', '{}')
    await put('/service/pgA/failsafe', '{')
    const watching = watch({ watch: ['/service/'] })
    await watching.until('/service/pgA/leader', leads('pg1'), 10_000, 'single-key')
    expect(watching.watcher.elections.view.elections.size).toBe(1)
    await put('/service/pgA/leader', 'pg2')
    const detached = await watching.until('/service/pgA/leader', leads('pg2'), 10_000, 'single-key')
    renewing.stop()
    expect(detached).toMatchObject({ ended: [], term: { ordinal: 1 } })
    expect(watching.shape('/service/pgA/leader', 'single-key')).toMatchObject({
      kind: 'election',
      leader: { lease: null, ttl: null },
      notes: [{ type: 'leader-without-lease' }],
    })
    const { events } = await watching.history.events({ cluster: 'test', ref: detached.ref, limit: 10 })
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['proclaimed', 'lease-changed']))
  })

  test('a registry that looks like an election is unconfirmed; npm etcd3’s layout is not', async () => {
    const registry = await grantLease(client, 60)
    await putCandidate(client, { prefix: '/look/orders.rpc', value: '10.0.0.1:80', lease: registry, segment: registry })
    const npm = await grantLease(client, 60)
    await putCandidate(client, { prefix: '/look/election/job', value: 'w1', lease: npm, segment: npm })
    const watching = watch({ watch: ['/look/'] })
    await watching.until('/look/orders.rpc/', ({ candidates }) => candidates.length === 1)
    await watching.live()
    expect(watching.shape('/look/orders.rpc/')).toMatchObject({ kind: 'unconfirmed', status: 'unconfirmed' })
    expect(watching.shape('/look/election/job/')).toMatchObject({ kind: 'election', status: 'no-standby' })
  })

  test('a queue of empty values is a mutex, and nobody holding it is no alarm', async () => {
    const holder = await enterCandidate(client, { prefix: '/mutex/a', value: '' })
    const watching = watch({ watch: ['/mutex/'] })
    await watching.until('/mutex/a/', ({ term }) => term !== null)
    await watching.live()
    expect(watching.shape('/mutex/a/')).toMatchObject({ kind: 'mutex', status: 'healthy' })
    await deleteKey(client, holder.key)
    await watching.until('/mutex/a/', ({ term }) => term === null)
    expect(watching.shape('/mutex/a/')?.status).not.toBe('leaderless')
  })

  test('a configured pattern founds elections that no rule would find', async () => {
    await putCandidate(client, { prefix: '/jobs/nightly', value: 'w1', segment: 'worker-1' })
    const watching = watch({ watch: ['/jobs/'], layouts: [{ pattern: '/jobs/*/', layout: 'queue' }] })
    const state = await watching.until('/jobs/nightly/', leads('w1'))
    expect(state.foundBy).toBe('configured pattern /jobs/*/')
  })

  test('keys under metaPrefix never compete', async () => {
    await enterCandidate(client, { prefix: '/tenure/presence/x', value: 'a' })
    await enterCandidate(client, { prefix: '/tenureish', value: 'b' })
    const watching = watch({ watch: ['/tenure'] })
    await watching.until('/tenureish/', leads('b'))
    expect(watching.watcher.elections.view.elections.size).toBe(1)
  })
})

describe('following', () => {
  test('several prefixes each with a cursor of its own, overlapping ones merged', async () => {
    const watching = watch({ watch: ['/multi/a/', '/multi/b/', '/multi/a/deep/'] })
    await watching.live()
    await enterCandidate(client, { prefix: '/multi/a/deep/x', value: 'one' })
    await enterCandidate(client, { prefix: '/multi/b/y', value: 'two' })
    const deep = await watching.until('/multi/a/deep/x/', leads('one'))
    await watching.until('/multi/b/y/', leads('two'))
    expect(deep.lastOrdinal).toBe(1)
  })

  test('a range larger than one page is listed whole at one revision', async () => {
    const lease = await grantLease(client, 120)
    const writes = Array.from({ length: 700 }, (_, n) =>
      client.kv.put({ key: Buffer.from(`/paged/e${n}/${leaseHex(lease)}`), value: Buffer.from('w'), lease }),
    )
    await Promise.all(writes)
    const watching = watch({ watch: ['/paged/'] })
    expect(await eventually(() => watching.watcher.elections.view.elections.size === 700)).toBe(true)
  })

  test('a value is read whole only when asked for', async () => {
    const big = await enterCandidate(client, { prefix: '/whole/job', value: Buffer.alloc(5_000, 'y') })
    const watching = watch({ watch: ['/whole/'] })
    await watching.until('/whole/job/', ({ term }) => term !== null)
    expect((await watching.watcher.valueOf(big.key))?.length).toBe(5_000)
    expect(await watching.watcher.valueOf(Buffer.from('/whole/none'))).toBeNull()
  })

  test('the probe measures every member and gives its lease back', async () => {
    const leases = async () => (await etcd.etcdctl(['lease', 'list'])).stdout.split('\n').slice(1)
    const before = new Set(await leases())
    const watching = startWatching({ endpoints: etcd.endpoints, watch: ['/probe/'], probe: true })
    await eventually(() => watching.watcher.elections.view.info.probeP95Ms)
    expect(watching.watcher.elections.view.info.members[0]?.probeRttMs).toBeGreaterThan(0)
    await watching.stop()
    expect((await leases()).filter((lease) => !before.has(lease))).toEqual([])
  })
})
