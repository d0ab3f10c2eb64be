/** RC-14 over all elections: two sessions of one name, on a real etcd and through the whole server. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { eventually } from '../watch/watch-for-test.ts'
import { failoversList, failoversSummary } from './failover-contract-for-test.ts'
import { type Serving, serve } from './serve-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let api: Serving
beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  api = await serve({ endpoints: etcd.endpoints, watch: ['/elections/failovers/'] })
})
afterAll(async () => {
  await api.stop()
  client.close()
  await etcd.stop()
})

test('a failover between two candidates of one name is one, with its parts and what is not known of them', async () => {
  const prefix = '/elections/failovers/rc14'
  const first = await enterCandidate(client, { prefix, value: 'localhost' })
  const second = await enterCandidate(client, { prefix, value: 'localhost' })
  const asked = () => ({
    cluster: 'test',
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 60_000).toISOString(),
  })
  const led = async () => (await api.get('failovers.summary', failoversSummary, asked())).led.count
  await eventually(async () => (await led()) === 1)
  await revokeLease(client, first.lease)
  const rows = async () => (await api.get('failovers.list', failoversList, asked())).rows
  await eventually(async () => (await rows())[0]?.kind === 'failover')

  expect(await rows()).toMatchObject([
    {
      election: { name: 'rc14', isKnown: true },
      cause: 'lease lost',
      former: { identity: 'localhost', token: first.revision },
      next: { identity: 'localhost', token: second.revision },
      unknownParts: expect.arrayContaining(['takeover']),
    },
  ])
  const { totals, quantiles, led: figures } = await api.get('failovers.summary', failoversSummary, asked())
  expect(totals).toEqual({ failovers: 1, planned: 0, unobserved: 0, open: 0 })
  expect(quantiles).toMatchObject({ measured: 1, partly: 1 })
  expect(figures.least[0]?.ledShare).toBeGreaterThan(0)
})
