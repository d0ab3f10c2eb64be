import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { spawnCandidate, spawnElect, spawnWorkers, type WorkerProcess } from './candidate.ts'
import { type EtcdCluster, startEtcd } from './etcd.ts'
import type { OwnedProcess } from './owned-process.ts'
import {
  connect,
  deleteKey,
  type Etcd3,
  enterCandidate,
  grantLease,
  keepAlive,
  leaseHex,
  putCandidate,
  renewLease,
  revokeLease,
} from './raw-etcd.ts'

let etcd: EtcdCluster
let client: Etcd3
const started: OwnedProcess[] = []

beforeAll(async () => {
  etcd = await startEtcd()
  client = connect(etcd.endpoints)
})
afterEach(() => Promise.all(started.splice(0).map((each) => each.kill())))
afterAll(async () => {
  client?.close()
  await etcd?.stop()
})

function candidate(prefix: string, name: string, ttlSeconds = 2): WorkerProcess {
  const spawned = spawnCandidate({ endpoints: etcd.endpoints, prefix, name, ttlSeconds })
  started.push(spawned)
  return spawned
}

async function keysUnder(prefix: string): Promise<string[]> {
  const { stdout } = await etcd.etcdctl(['get', '--prefix', '--keys-only', prefix])
  return stdout.split('\n').filter((line) => line !== '')
}

it('writes the key as Go does and leads in the order of the create revisions', async () => {
  const first = candidate('/order', 'a')
  const leading = await first.waitFor('leading')
  expect(await keysUnder('/order/')).toEqual([`/order/${leaseHex(leading.lease ?? '')}`])

  const second = candidate('/order', 'b')
  await second.waitFor('queued')
  await pause(300)
  expect(second.events.map((event) => event.type)).toEqual(['queued'])

  first.resign()
  const successor = await second.waitFor('leading')
  expect(BigInt(successor.createRevision ?? 0)).toBeGreaterThan(BigInt(leading.createRevision ?? 0))
  // It queued again, with a new place on the same lease.
  const again = await first.waitFor('queued', { skip: 1 })
  expect(again.lease).toBe(leading.lease)
})

it('a killed leader is followed when its lease has run out', async () => {
  const first = candidate('/killed', 'a')
  await first.waitFor('leading')
  const second = candidate('/killed', 'b')
  await second.waitFor('queued')
  const killedAt = performance.now()
  await first.kill()
  await second.waitFor('leading')
  expect(performance.now() - killedAt).toBeGreaterThan(1_000)
})

it('a frozen leader finds out that it lost when it thaws', async () => {
  const first = candidate('/frozen', 'a')
  await first.waitFor('leading')
  const second = candidate('/frozen', 'b')
  await second.waitFor('queued')
  first.freeze()
  await second.waitFor('leading')
  first.thaw()
  await first.waitFor('lost')
  await first.waitFor('queued', { skip: 1 })
})

it('a stopped candidate leaves no key and no lease', async () => {
  const first = candidate('/stopped', 'a', 30)
  const { lease = '' } = await first.waitFor('leading')
  await first.stop()
  expect(await first.exited).toBe(0)
  expect(await keysUnder('/stopped/')).toEqual([])
  expect(await renewLease(client, lease)).toBe(0)
})

it('etcdctl elect shares the queue', async () => {
  const elect = spawnElect({ endpoints: etcd.endpoints, election: '/foreign', value: 'node-1' })
  started.push(elect)
  await expect.poll(() => keysUnder('/foreign/')).toHaveLength(1)
  const waiter = candidate('/foreign', 'b')
  await waiter.waitFor('queued')
  await elect.stop()
  await waiter.waitFor('leading')
})

it('single-key members and registry entries write their layouts', async () => {
  const seats = [
    { kind: 'single-key', name: 'pg-1', prefix: '/service/db', ttlSeconds: 5 },
    { kind: 'registry', name: 'rpc-1', prefix: '/rpc/orders', value: '10.0.0.1:80', ttlSeconds: 5 },
  ] as const
  const workers = spawnWorkers({ endpoints: etcd.endpoints, seats })
  started.push(workers)
  await workers.waitFor('leading', { name: 'pg-1' })
  const entry = await workers.waitFor('queued', { name: 'rpc-1' })
  expect(await keysUnder('/rpc/')).toEqual([`/rpc/orders/${entry.lease}`])
  expect(await keysUnder('/service/')).toEqual(['/service/db/config', '/service/db/leader', '/service/db/members/pg-1'])
})

it('in-process helpers grant, put, renew, revoke and delete', async () => {
  const lease = await grantLease(client, 2)
  const put = await putCandidate(client, { prefix: Buffer.from([0x2f, 0xff, 0x01]), value: 'v', lease })
  expect(put.key.subarray(0, 4)).toEqual(Buffer.from([0x2f, 0xff, 0x01, 0x2f]))
  const renewing = keepAlive(client, lease, 500)
  await pause(3_500)
  expect(await renewLease(client, lease)).toBe(2)
  renewing.stop()
  await revokeLease(client, lease)
  expect(await renewLease(client, lease)).toBe(0)

  const entered = await enterCandidate(client, { prefix: '/raw', value: 'v' })
  expect(await keysUnder('/raw/')).toEqual([`/raw/${leaseHex(entered.lease)}`])
  expect(BigInt(await deleteKey(client, entered.key))).toBe(BigInt(entered.revision) + 1n)
})

// etcd3 took the error of a cancelled stream for a failed host and dropped all other streams to it.
it('handovers of one election leave the waiters of others in the same process alone', async () => {
  const seat = (name: string, prefix: string, more = {}) =>
    ({ kind: 'queue', name, prefix, ttlSeconds: 5, ...more }) as const
  const busy = { handOverAfterMs: 1_000 }
  const seats = [
    seat('calm-1', '/calm'),
    seat('calm-2', '/calm'),
    seat('calm-3', '/calm'),
    seat('busy-1', '/busy', busy),
    seat('busy-2', '/busy', busy),
  ]
  const workers = spawnWorkers({ endpoints: etcd.endpoints, seats })
  started.push(workers)
  // grpc-js drops the connections of a closed channel in a sweep every 10 s.
  await pause(13_000)
  expect(workers.events.filter(({ type }) => type === 'resigned').length).toBeGreaterThan(5)
  const calm = workers.events.filter(({ name }) => name.startsWith('calm')).map(({ type }) => type)
  expect(calm.toSorted()).toEqual(['leading', 'queued', 'queued', 'queued'])
  expect(workers.events.filter(({ type }) => type === 'retry' || type === 'lost')).toEqual([])
})
