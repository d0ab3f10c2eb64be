import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import {
  connect,
  deleteKey,
  type Etcd3,
  enterCandidate,
  grantLease,
  putCandidate,
  revokeLease,
} from '../../e2e/harness/raw-etcd.ts'
import { incidentsOf } from '../../lib/election/incidents.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let watching: Watching

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'] })
})
afterAll(async () => {
  await watching.stop()
  client.close()
  await etcd.stop()
})

const incidents = () => incidentsOf(watching.watcher.elections.view.elections.values())
const causeOf = async (prefix: string) =>
  (
    await watching.until(prefix, ({ ended }) => (ended.at(-1)?.endedBy?.cause ?? 'unobserved') !== 'unobserved')
  ).ended.at(-1)?.endedBy

test('causes by evidence, and one lease under three elections as one incident (RC-13)', async () => {
  const shared = await grantLease(client, 3)
  for (const name of ['A', 'B', 'C'])
    await putCandidate(client, { prefix: `/el/${name}`, value: 'first', lease: shared })
  const next = {
    A: await enterCandidate(client, { prefix: '/el/A', value: 'second', ttlSeconds: 300 }),
    B: await enterCandidate(client, { prefix: '/el/B', value: 'second', ttlSeconds: 300 }),
  }
  await enterCandidate(client, { prefix: '/el/C', value: 'second', ttlSeconds: 300 })
  for (const name of ['A', 'B', 'C']) {
    await watching.until(`/el/${name}/`, ({ term }) => term?.leader.identity === 'second', 15_000)
    expect((await causeOf(`/el/${name}/`))?.cause).toBe('lease lost')
  }
  expect(incidents()).toMatchObject([{ kind: 'lease', elections: { length: 3 } }])

  // A key deleted while its lease lives, and a lease revoked with time left on it.
  await deleteKey(client, next.A.key)
  expect(await causeOf('/el/A/')).toBeDefined()
  const removed = await watching.until('/el/A/', ({ ended }) => ended.at(-1)?.endedBy?.cause === 'resigned or removed')
  expect(removed.ended.at(-1)?.endedBy?.evidence).toMatch(
    /^key gone at revision \d+, lease [0-9a-f]{16} still alive \d+ ms later$/,
  )
  await watching.until('/el/B/', ({ candidates }) => candidates[0]?.ttl != null)
  await revokeLease(client, next.B.lease)
  const revoked = await watching.until(
    '/el/B/',
    ({ term, ended }) => term === null && ended.at(-1)?.endedBy?.cause === 'lease lost',
  )
  expect(revoked.ended.at(-1)?.endedBy?.evidence).toMatch(/before it could expire/)
}, 60_000)

test('forty leases lost at once are one mass event, and forty failovers', async () => {
  await watching.stop()
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['/mass/'] })
  const names = Array.from({ length: 40 }, (_, n) => `/mass/${n}`)
  const entered = await Promise.all(
    names.map((prefix) => enterCandidate(client, { prefix, value: 'w', ttlSeconds: 300 })),
  )
  await eventually(() => names.every((prefix) => watching.state(`${prefix}/`)?.term))
  await Promise.all(entered.map(({ lease }) => revokeLease(client, lease)))
  const settled = () => names.every((prefix) => watching.state(`${prefix}/`)?.failovers.length === 1)
  expect(await eventually(settled, 20_000)).toBe(true)
  const mass = incidents().filter(({ kind }) => kind === 'mass')
  expect(mass).toHaveLength(1)
  expect(mass[0]?.elections).toHaveLength(40)
}, 60_000)
