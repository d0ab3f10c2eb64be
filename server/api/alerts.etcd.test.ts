/** Alerts of real elections, through the whole server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { alertsDeliveries, alertsHistory, alertsList } from './alert-contract-for-test.ts'
import { clustersList } from './contract-for-test.ts'
import { type Serving, serve } from './serve-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let api: Serving
beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  api = await serve({
    endpoints: etcd.endpoints,
    watch: ['/elections/alerts/', '/service/'],
    alerts: {
      rules: { 'no-standby': { off: true }, leaderless: { forMs: 2_000 }, 'leader-without-lease': { forMs: 0 } },
      elections: [{ pattern: '/elections/alerts/at-once/', rules: { leaderless: { forMs: 0 } } }],
    },
  })
})
afterAll(async () => {
  await api.stop()
  client.close()
  await etcd.stop()
})

const list = () => api.get('alerts.list', alertsList, { cluster: 'test' })
const shown = async () => (await list()).alerts.map(({ rule, subject, stage }) => `${rule} ${subject} ${stage}`)
const seen = (name: string) => expect.poll(async () => (await api.ask('elections.list')).text, polled).toContain(name)
const polled = { timeout: 15_000 }
const until = (what: string) => expect.poll(shown, polled).toContain(what)
const gone = (subject: string) => expect.poll(async () => (await shown()).join(), polled).not.toContain(` ${subject} `)

test('nobody leads: it fires, pages hear of it, somebody acknowledges it, and it is over', async () => {
  const first = await enterCandidate(client, { prefix: '/elections/alerts/billing', value: 'a' })
  await seen('billing')
  await revokeLease(client, first.lease)
  await until('leaderless billing firing')
  const [alert] = (await list()).alerts
  expect(alert).toMatchObject({
    severity: 'critical',
    summary: 'billing has no leader and no candidates',
    sinceApproximate: false,
    cluster: 'test',
  })
  expect(alert?.detail).toMatch(/The term of a ended at \d\d:\d\d:\d\d UTC: lease lost\. Nobody waits to take over\./)
  const told = async () => (await api.get('clusters.list', clustersList)).clusters[0]?.alerts
  await expect.poll(async () => (await told())?.critical, polled).toBe(1)
  expect(await told()).toMatchObject({ unacknowledged: 1, worst: [{ id: alert?.id, subject: 'billing' }] })

  const id = alert?.id ?? ''
  await api.caller.alerts.acknowledge({ id, comment: 'on it' })
  await expect.poll(async () => (await told())?.unacknowledged, polled).toBe(0)
  const second = await enterCandidate(client, { prefix: '/elections/alerts/billing', value: 'b' })
  await gone('billing')
  const { alerts } = await api.get('alerts.history', alertsHistory, { rule: 'leaderless' })
  expect(alerts[0]).toMatchObject({ id, stage: 'resolved', acknowledged: { comment: 'on it' } })
  await expect(api.caller.alerts.acknowledge({ id, comment: '' })).rejects.toThrow(/does not fire/)
  await revokeLease(client, second.lease)
})

test('one with forMs 0 fires with the event itself', async () => {
  const first = await enterCandidate(client, { prefix: '/elections/alerts/at-once', value: 'a' })
  await seen('at-once')
  await revokeLease(client, first.lease)
  await until('leaderless at-once firing')
  const { alerts } = await api.get('alerts.history', alertsHistory, { rule: 'leaderless' })
  const alert = alerts.find(({ subject }) => subject === 'at-once')
  expect(Date.parse(alert?.firedAt ?? '') - Date.parse(alert?.since ?? '')).toBeLessThan(500)
})

test('a leader key that lost its lease (RC-04) is told, and goes on being told when its holder dies', async () => {
  const key = '/service/pgA/leader'
  const lease = client.lease(30)
  await lease.put(key).value('pg1')
  await seen('pgA')
  await client.put(key).value('pg2')
  await until('leader-without-lease pgA/leader firing')
  const [alert] = (await list()).alerts.filter(({ rule }) => rule === 'leader-without-lease')
  expect(alert?.detail).toContain('never expires: no live lease is behind it')
  await lease.revoke()
  await until('leader-without-lease pgA/leader firing')
  await client.delete().key(key)
  await expect.poll(shown, polled).not.toContain('leader-without-lease pgA/leader firing')
})

test('a silence is made and ended by name, and bad ones are refused in words', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const { silence } = await api.caller.alerts.silence({ pattern: '/elections/alerts/*', until: inAnHour, comment: 'x' })
  expect((await list()).silences).toMatchObject([{ id: silence.id, by: 'somebody on this machine', ended: null }])
  await api.caller.alerts.endSilence({ id: silence.id })
  expect((await list()).silences).toMatchObject([{ id: silence.id, ended: { by: 'somebody on this machine' } }])
  await expect(api.caller.alerts.endSilence({ id: silence.id })).rejects.toThrow('this silence is over already')
  await expect(api.caller.alerts.endSilence({ id: 'none' })).rejects.toThrow('there is no silence none')
  await expect(api.caller.alerts.silence({ until: inAnHour, comment: 'x' })).rejects.toThrow(/must name a cluster/)
  await expect(api.caller.alerts.silence({ cluster: 'nowhere', until: inAnHour, comment: 'x' })).rejects.toThrow(
    /no cluster "nowhere"/,
  )
  await expect(api.caller.alerts.silence({ rule: 'flapping', until: inAnHour, comment: ' ' })).rejects.toThrow(
    /say why/,
  )
})

test('a made-up cursor and a channel that is none are refused', async () => {
  expect(await api.ask('alerts.history', { cursor: 'x' })).toMatchObject({ status: 400 })
  expect(await api.ask('alerts.deliveries', { cursor: 'x' })).toMatchObject({ status: 400 })
  expect((await api.get('alerts.deliveries', alertsDeliveries)).deliveries).toEqual([])
  await expect(api.caller.alerts.test({ channel: 'nobody' })).rejects.toThrow(/no channel "nobody" is configured/)
})

test('no leader and no candidates, while a foreign waiter hangs without a key (RC-20)', async () => {
  const leader = await enterCandidate(client, { prefix: '/elections/alerts/zombie', value: 'a' })
  const waiter = await enterCandidate(client, { prefix: '/elections/alerts/zombie', value: 'w' })
  await seen('zombie')
  await revokeLease(client, waiter.lease)
  await revokeLease(client, leader.lease)
  await until('leaderless zombie firing')
  const alert = (await list()).alerts.find(({ subject }) => subject === 'zombie')
  expect(alert?.summary).toBe('zombie has no leader and no candidates')
})
