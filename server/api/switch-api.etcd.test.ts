/** The kill switch as callers from outside use it: over HTTP, with the shapes that docs/api.md promises. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, enterCandidate } from '../../e2e/harness/raw-etcd.ts'
import { eventually } from '../watch/watch-for-test.ts'
import { clustersList, electionsList } from './contract-for-test.ts'
import { type Serving, serve } from './serve-for-test.ts'
import { switchForecast, switchProof } from './switch-contract-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let serving: Serving
beforeAll(async () => {
  etcd = await startEtcd()
  client = connect(etcd.endpoints)
  serving = await serve({ endpoints: etcd.endpoints, watch: ['/el/'] })
  for (const value of ['one', 'two']) await enterCandidate(client, { prefix: '/el/job', value, ttlSeconds: 300 })
  const view = serving.runtime.watchers.get('test')?.elections.view
  await eventually(() => view?.elections.size === 1)
})
afterAll(async () => {
  await serving.stop()
  client.close()
  await etcd.stop()
})

const scope = { cluster: 'test', scopeBase64: btoa('/el/job/') }

async function post(
  path: string,
  input: object,
): Promise<{
  status: number
  body: Record<string, never> & {
    result?: { data: never }
    error?: { data: { refusal?: { code: string; fix: string } } }
  }
}> {
  const response = await fetch(`${serving.reportsUrl.replace('/reports', '/trpc')}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  return { status: response.status, body: await response.json() }
}

test('a stop is forecast, engaged, proven, shown everywhere and released', async () => {
  const forecast = await serving.get('actions.switchForecast', switchForecast, { ...scope, match: 'exact' })
  expect(forecast).toMatchObject({ typedName: 'job', proposes: 'enforced', candidates: 2, acknowledging: 0 })
  expect(await serving.ask('actions.switchProof', scope)).toMatchObject({
    status: 200,
    text: expect.stringContaining('null'),
  })

  const input = {
    ...scope,
    match: 'exact',
    mode: 'enforced',
    reason: 'bad data',
    until: new Date(Date.now() + 60_000).toISOString(),
  }
  const refused = await post('actions.engageSwitch', { ...input, typedName: 'jo', operation: 'op-refused-1' })
  expect([refused.status, refused.body.error?.data.refusal]).toMatchObject([
    409,
    { code: 'name-not-typed', fix: 'Type job' },
  ])
  const malformed = await post('actions.engageSwitch', {
    ...input,
    scopeBase64: '?',
    typedName: 'job',
    operation: 'op-malformed',
  })
  expect(malformed.status).toBe(400)
  const engaged = await post('actions.engageSwitch', { ...input, typedName: 'job', operation: 'op-engage-1' })
  expect(engaged.body.result?.data).toMatchObject({
    id: 'op-engage-1',
    verb: 'engage',
    ref: null,
    outcome: { is: 'verified' },
  })

  const held = async () => (await serving.get('actions.switchProof', switchProof, scope)).elections[0]?.held
  await expect.poll(held).toBe(true)
  const proof = await serving.get('actions.switchProof', switchProof, scope)
  expect(proof.elections[0]?.candidates.map(({ identity, state }) => [identity, state])).toEqual([
    ['two', 'cannot acknowledge'],
    ['one', 'cannot acknowledge'],
  ])
  const listed = async () => (await serving.get('elections.list', electionsList)).elections[0]
  await expect.poll(async () => (await listed())?.leader).toBeNull()
  expect(await listed()).toMatchObject({
    status: 'stopped',
    term: null,
    nextUp: { identity: 'two' },
    candidateCount: 1,
    notes: [{ type: 'held', by: 'somebody on this machine' }],
    lastChange: { cause: 'kill switch', by: 'somebody on this machine' },
    stopped: { record: { mode: 'enforced', log: [{ what: 'engaged' }] } },
  })
  const until = new Date(Date.now() + 120_000).toISOString()
  const extend = { ...scope, nonce: proof.nonce, until, reason: 'not yet', operation: 'op-extend-1' }
  expect((await post('actions.extendSwitch', extend)).body.result?.data).toMatchObject({ outcome: { is: 'verified' } })
  const release = { ...scope, nonce: proof.nonce, reason: 'repaired', typedName: 'job', operation: 'op-release-1' }
  expect((await post('actions.releaseSwitch', release)).body.result?.data).toMatchObject({
    outcome: { is: 'verified' },
  })
  await expect.poll(async () => (await listed())?.leader?.identity).toBe('two')
  const { clusters } = await serving.get('clusters.list', clustersList)
  expect(clusters[0]?.switches?.[0]).toMatchObject({ state: 'released', record: { released: { reason: 'repaired' } } })
})

test('a record that goes is in the cluster’s troubles', async () => {
  await client.kv.deleteRange({ key: Buffer.from('/tenure/switch//el/job/') })
  await expect
    .poll(async () => (await serving.get('clusters.list', clustersList)).clusters[0]?.switchTroubles?.[0]?.type)
    .toBe('vanished')
})
