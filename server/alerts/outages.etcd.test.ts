/** Three members of a real etcd in trouble: what is told of it, and what is not concluded from it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { alertsList } from '../api/alert-contract-for-test.ts'
import { type Serving, serve } from '../api/serve-for-test.ts'

const FLEET = 12
const polled = { timeout: 20_000 }

let etcd: EtcdCluster
let client: Etcd3
let api: Serving
beforeAll(async () => {
  etcd = await startEtcd({ members: 3, flags: ['--quota-backend-bytes=4194304'] })
  client = connect(etcd.endpoints)
  const rules = { 'no-standby': { off: true }, leaderless: { forMs: 0 }, 'quorum-lost': { forMs: 0 } }
  api = await serve({ endpoints: etcd.endpoints, watch: ['/elections/outages/'], alerts: { rules } })
})
afterAll(async () => {
  await api.stop()
  client.close()
  await etcd.stop()
})

const alerts = async () => (await api.get('alerts.list', alertsList)).alerts
const firing = async () =>
  (await alerts())
    .filter(({ stage, partOf }) => stage === 'firing' && partOf === null)
    .map(({ rule, subject }) => `${rule} ${subject}`)
const told = async () =>
  (await api.runtime.alerts.history({ limit: 200 })).alerts.filter(({ stage }) => stage !== 'pending')

test('leases that go at once are one event, and it says of each whether somebody leads again (RC-13)', async () => {
  const leaders = []
  for (let at = 0; at < FLEET; at += 1) {
    leaders.push(await enterCandidate(client, { prefix: `/elections/outages/job-${at}`, value: 'a', ttlSeconds: 60 }))
  }
  await expect.poll(async () => (await api.ask('elections.list')).text, polled).toContain(`job-${FLEET - 1}`)
  await Promise.all(leaders.map(({ lease }) => revokeLease(client, lease)))
  await expect.poll(firing, polled).toEqual(['mass-event test'])
  const [event, ...parts] = await alerts()
  expect(event?.summary).toBe(`${FLEET} elections of etcd cluster test lost their leaders at once`)
  expect(event?.detail).toContain(`${FLEET} have no leader:`)
  expect(parts.map(({ partOf }) => partOf)).toEqual(parts.map(() => event?.key))
  expect(parts).toHaveLength(FLEET)
  for (let at = 0; at < FLEET; at += 1) {
    await enterCandidate(client, { prefix: `/elections/outages/job-${at}`, value: 'b', ttlSeconds: 300 })
  }
  await expect.poll(async () => (await alerts()).map(({ rule }) => rule), polled).toEqual(['mass-event'])
  await expect.poll(async () => (await alerts())[0]?.detail, polled).toContain('All of them are led again.')
})

test('a lost quorum is told once, nothing of an election is concluded meanwhile, and its end is told (RC-07)', async () => {
  const before = (await told()).length
  const [, second, third] = etcd.members
  await Promise.all([second?.kill(), third?.kill()])
  await expect.poll(firing, polled).toContain('quorum-lost test')
  const stale = (await alerts()).filter(({ rule }) => rule === 'view-stale')
  expect(stale.map(({ partOf }) => partOf)).toEqual(stale.map(() => 'tenure/test/quorum-lost'))
  await Promise.all([second?.start(), third?.start()])
  await expect.poll(firing, { timeout: 40_000 }).not.toContain('quorum-lost test')
  const since = (await told()).slice(0, (await told()).length - before)
  expect(since.map(({ rule }) => rule).filter((rule) => rule === 'leaderless')).toEqual([])
  expect(since.filter(({ rule }) => rule === 'quorum-lost')).toMatchObject([{ stage: 'resolved' }])
}, 90_000)

test('etcd out of space is told of the member that raised it (RC-18)', async () => {
  const big = Buffer.alloc(1_000_000, 'x')
  const put = async () => {
    for (let at = 0; at < 20; at += 1) await client.put(`/fill/${at}`).value(big)
  }
  await expect(put()).rejects.toThrow(/space/)
  await expect.poll(firing, polled).toContainEqual(expect.stringMatching(/^etcd-alarm /))
  const alarm = (await alerts()).find(({ rule }) => rule === 'etcd-alarm')
  expect(alarm?.summary).toMatch(/^etcd cluster test: NOSPACE alarm on \S+$/)
})
