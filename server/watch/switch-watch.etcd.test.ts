import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate } from '../../e2e/harness/raw-etcd.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let watching: Watching

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'] })
  await enterCandidate(client, { prefix: '/el/a', value: 'one', ttlSeconds: 300 })
  await enterCandidate(client, { prefix: '/el/b', value: 'one', ttlSeconds: 300 })
  await watching.live()
})
afterAll(async () => {
  await watching.stop()
  client.close()
  await etcd.stop()
})

const record = (state: string) => ({
  v: 1,
  state,
  reason: 'bad data',
  by: 'ann',
  at: '2026-01-01T03:12:06.000Z',
  until: '2026-01-01T05:00:00.000Z',
  nonce: 'n1',
  operation: 'o1',
  match: 'prefix',
})
const put = (scope: string, value: object | string) =>
  client.kv.put({
    key: Buffer.from(`/tenure/switch/${scope}`),
    value: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  })
const statusOf = (name: string) => watching.shape(`/el/${name}/`)?.status

test('a switch that somebody writes to etcd is shown at once, for what it stops and for nothing else', async () => {
  await put('/el/a', record('engaged'))
  expect(await eventually(() => statusOf('a') === 'stopped', 2_000)).toBe(true)
  expect(watching.shape('/el/a/')?.stopped).toMatchObject({
    scope: '/el/a',
    state: 'engaged',
    record: { by: 'ann', reason: 'bad data' },
  })
  expect([statusOf('b'), watching.shape('/el/b/')?.stopped]).toEqual(['no-standby', null])

  await put('/el/a', record('released'))
  expect(await eventually(() => statusOf('a') === 'no-standby', 2_000)).toBe(true)
})

test('a record that cannot be read is shown as one that stops, and its end as that', async () => {
  await put('/el/', 'off!')
  expect(await eventually(() => statusOf('a') === 'stopped' && statusOf('b') === 'stopped', 2_000)).toBe(true)
  expect(watching.shape('/el/b/')?.stopped).toMatchObject({ state: 'unreadable', record: null })
  await client.kv.deleteRange({ key: Buffer.from('/tenure/switch/el/') })
  await client.kv.deleteRange({ key: Buffer.from('/tenure/switch//el/') })
  expect(await eventually(() => statusOf('a') === 'no-standby' && statusOf('b') === 'no-standby', 2_000)).toBe(true)
})
