import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate, grantLease, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { steadyClock } from '../../lib/shared/clock.ts'
import { LeaseMetrics, type MetricsPort } from './lease-metrics.ts'
import { metricsPages } from './metrics-pages.ts'
import { startWatching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3

beforeAll(async () => {
  etcd = await startEtcd({ members: 3 })
  client = connect(etcd.endpoints)
}, 40_000)
afterAll(async () => {
  client.close()
  await etcd.stop()
})

const urls = () => etcd.endpoints.map((endpoint) => `${endpoint}/metrics`)
const isGone = async (ID: string) => (await client.leaseClient.leaseTimeToLive({ ID })).grantedTTL === '0'

/** What the counters prove of `what`, which ends leases between two readings. */
async function proofOf(what: () => Promise<unknown>) {
  const clock = steadyClock()
  const troubles: string[] = []
  const onTrouble = (words: string) => troubles.push(words)
  const pages = metricsPages(undefined)
  let served = 0
  const page: MetricsPort['page'] = async (url, signal) => {
    const text = await pages.page(url, signal)
    served += 1
    return text
  }
  const metrics = new LeaseMetrics({ urls: urls(), port: { page }, clock, onTrouble })
  const stopping = new AbortController()
  const running = metrics.run(stopping.signal)
  // All pages, and the etcd raft leader's again; an end may be half a second on its way.
  await expect.poll(() => served, { timeout: 20_000 }).toBeGreaterThan(etcd.endpoints.length)
  await new Promise((resolve) => setTimeout(resolve, 800))
  const beganMs = clock.monoMs()
  await what()
  const seen = clock.monoMs()
  // As if nothing had been seen since `what` began: no later reading may be taken for the one before.
  const proof = await metrics.proofOf({ monoMs: seen, unseenMs: seen - beganMs }, stopping.signal)
  stopping.abort()
  await running
  return { proof, troubles }
}

const expire = async () => {
  const lease = await grantLease(client, 2)
  await expect.poll(() => isGone(lease), { timeout: 20_000 }).toBe(true)
}
const revoke = async () => revokeLease(client, await grantLease(client, 60))

test('leases that expired, and nothing else, prove expiry', async () => {
  const { proof, troubles } = await proofOf(() => Promise.all([expire(), expire()]))
  expect(proof).toMatchObject({ cause: 'expired', words: expect.stringMatching(/^all 2 leases that ended between/) })
  expect(troubles).toEqual([])
}, 60_000)

test('a lease that was revoked is proven to be, where none expired', async () => {
  const { proof } = await proofOf(revoke)
  expect(proof).toMatchObject({ cause: 'lease lost', words: expect.stringMatching(/^etcd let none expire/) })
}, 60_000)

test('both in one window prove nothing of either', async () => {
  expect((await proofOf(() => Promise.all([expire(), revoke()]))).proof).toBeNull()
}, 60_000)

test('a change of the etcd raft leader in the window proves nothing', async () => {
  const move = async () => {
    const leader = await etcd.raftLeader()
    const { stdout } = await etcd.etcdctl(['member', 'list', '--write-out=simple'])
    const to = stdout.split('\n').find((line) => line.includes('started') && !line.includes(`${leader.name},`))
    const moved = await etcd.etcdctl(['move-leader', to?.split(',')[0] ?? ''], { endpoints: [leader.endpoint] })
    expect(moved.code).toBe(0)
    await revoke()
  }
  expect((await proofOf(move)).proof).toBeNull()
}, 60_000)

test.each([
  ['expired', (all: string[]) => all],
  ['lease lost', () => ['http://127.0.0.1:9/metrics']],
])(
  'a leader that died is told as %s, by what can be read',
  async (cause, pick) => {
    const prefix = `/elections/cond/${cause.replace(' ', '-')}`
    const metrics = { urls: pick(urls()), port: metricsPages(undefined) }
    const watching = startWatching({ endpoints: etcd.endpoints, watch: [`${prefix}/`], metrics })
    await watching.live()
    await enterCandidate(client, { prefix, value: 'a', ttlSeconds: 4 })
    const after = await watching.until(`${prefix}/`, ({ ended }) => ended[0]?.endedBy?.cause === cause, 20_000)
    const evidence = after.ended[0]?.endedBy?.evidence
    expect(evidence).toMatch(/^key gone at revision \d+, lease [0-9a-f]{16} gone \d+ ms later/)
    expect(evidence).toMatch(
      cause === 'expired' ? /; the only lease that ended between .* expired$/ : /: it expired or was revoked$/,
    )
    await watching.stop()
  },
  60_000,
)
