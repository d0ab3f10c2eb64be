import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { startCandidate } from '../../e2e/harness/library-candidate.ts'
import { connect, deleteKey, type Etcd3, enterCandidate, leaseHex, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { batchOf, reportOf, type Speaker, type Words } from '../../e2e/harness/reports.ts'
import type { Frame } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { refOf } from '../../lib/election/ids.ts'
import { statusOf } from '../../lib/election/status.ts'
import { instant } from '../../lib/shared/clock.ts'
import * as contract from './contract-for-test.ts'
import { type Serving, serve } from './serve-for-test.ts'

const TOKEN = 'token-of-this-test'
let etcd: EtcdCluster
let client: Etcd3
let api: Serving
const alsoServing: Serving[] = []

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  api = await another()
})
afterEach(async () => {
  for (const each of alsoServing.splice(0)) await each.stop()
})
afterAll(async () => {
  await api.stop()
  client.close()
  await etcd.stop()
})

const another = () => serve({ endpoints: etcd.endpoints, watch: ['/r/'], reportsToken: TOKEN })

async function post(serving: Serving, body: string): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const request = new Request('http://localhost/api/reports', { method: 'POST', headers, body })
  const response = await serving.runtime.reports.answer(request)
  return { status: response.status, body: await response.json() }
}

const say = (speaker: Speaker, words: Words = {}) => post(api, batchOf(reportOf(speaker, words)))
const of = (prefix: string) => ({ cluster: 'test', ref: refOf('queue', `${prefix}/`) as string })
const detail = (prefix: string) => api.get('elections.get', contract.electionsGet, of(prefix))

async function until(prefix: string, is: (found: Awaited<ReturnType<typeof detail>>) => boolean, withinMs = 5_000) {
  const giveUpAt = performance.now() + withinMs
  for (;;) {
    const found = await detail(prefix).catch(() => null)
    if (found !== null && is(found)) return found
    if (performance.now() > giveUpAt) throw new Error(`not so: ${JSON.stringify(found)}`)
    await pause(50)
  }
}

describe('claims', () => {
  test('stand in elections.get beside what etcd says, each with a verdict', async () => {
    const prefix = '/r/beside'
    const a = await enterCandidate(client, { prefix, value: 'worker-a' })
    const b = await enterCandidate(client, { prefix, value: 'worker-b' })
    await until(prefix, (found) => found.candidateCount === 2)
    const words = { token: a.revision, lastWorkAgeMs: 120, rejections: 1, missed: 2 }
    expect(await say({ prefix, identity: 'worker-a', lease: a.lease }, words)).toEqual({
      status: 200,
      body: { taken: 1, unknown: [] },
    })
    await say({ prefix, identity: 'worker-b', lease: b.lease })
    const found = await until(prefix, ({ claims, status }) => claims.length === 2 && status === 'healthy')
    expect(found).toMatchObject({
      status: 'healthy',
      dualClaim: null,
      leader: { claim: { instance: 'worker-a', verdict: 'agrees', lease: leaseHex(a.lease).padStart(16, '0') } },
      candidates: [{ claim: { identity: 'worker-a' } }, { claim: { identity: 'worker-b', state: 'waiting' } }],
      claims: [
        { token: a.revision, epoch: 0, ordinal: 1, state: 'leading', rejections: 1, missed: 2, verdict: 'agrees' },
        { token: null, epoch: null, validUntil: null, verdict: 'agrees' },
      ],
    })
  })

  test('of two instances at once are the loudest status, until one is taken back', async () => {
    const prefix = '/r/two'
    const a = await enterCandidate(client, { prefix, value: 'worker-a' })
    await until(prefix, (found) => found.leader !== null)
    const first = { prefix, identity: 'worker-a', lease: a.lease }
    const second = { ...first, instance: 'a-copy' }
    await post(api, batchOf(reportOf(first, { token: a.revision }), reportOf(second, { token: a.revision })))
    const found = await until(prefix, ({ status }) => status === 'dual-claim')
    expect(found.dualClaim?.claimants.map(({ instance, reason }) => [instance, reason])).toEqual([
      ['a-copy', 'same-token'],
      ['worker-a', 'same-token'],
    ])
    await say(second, { state: 'lost' })
    await until(prefix, ({ status, dualClaim }) => status === 'no-standby' && dualClaim === null)
  })

  test('of a former leader count when they come after the end, and no longer than they run', async () => {
    const prefix = '/r/former'
    const a = await enterCandidate(client, { prefix, value: 'worker-a' })
    const b = await enterCandidate(client, { prefix, value: 'worker-b' })
    const former = { prefix, identity: 'worker-a', lease: a.lease }
    await until(prefix, (found) => found.candidateCount === 2)
    await say(former, { token: a.revision })
    await deleteKey(client, a.key)
    await until(prefix, ({ leader }) => leader?.createRevision === b.revision)
    await pause(1_100)
    await say(former, { token: a.revision, claimLeftMs: 4_000 })
    const found = await until(prefix, ({ status }) => status === 'dual-claim')
    expect(found.claims[0]).toMatchObject({ verdict: 'contradicts', reason: 'term-ended', ordinal: 1 })
    await until(prefix, ({ status, claims }) => status !== 'dual-claim' && claims[0]?.verdict === 'lapsed')
  })
})

describe('reports', () => {
  test('give the takeover of a term, and the renewals that its holder measured or missed', async () => {
    const prefix = '/r/renewals'
    const a = await enterCandidate(client, { prefix, value: 'worker-a' })
    const b = await enterCandidate(client, { prefix, value: 'worker-b' })
    await until(prefix, (found) => found.candidateCount === 2)
    await deleteKey(client, a.key)
    await until(prefix, ({ leader }) => leader?.createRevision === b.revision)
    const renewals = Array.from({ length: 20 }, (_, n) => ({ ageMs: 0, rttMs: n + 1 }))
    await say(
      { prefix, identity: 'whatever it calls itself', lease: b.lease },
      { token: b.revision, renewals, missed: 2 },
    )
    const [series, missed] = await eventuallyAsync(async () => {
      const [from, to] = [instant(Date.now() - 60_000), instant(Date.now() + 60_000)]
      const input = { ...of(prefix), from, to, points: 1 }
      const answer = await api.get('elections.renewals', contract.electionsRenewals, input)
      const found = ['holder', 'missed'].map((name) => answer.series.find(({ source }) => source === name))
      return found.includes(undefined) ? undefined : found
    })
    expect(series).toMatchObject({ identity: 'worker-b', buckets: [{ count: 20, min: 1, max: 20 }] })
    expect(missed).toMatchObject({ identity: 'worker-b', buckets: [{ count: 2 }] })
    expect(series?.buckets[0]?.p50).toBeGreaterThan(9)
    expect(series?.buckets[0]?.p99).toBeGreaterThan(18)
    const { terms } = await api.get('elections.terms', contract.electionsTerms, of(prefix))
    expect(terms[0]?.anatomy?.takeoverMs).toBeGreaterThanOrEqual(0)
    expect(terms[0]?.anatomy?.takeoverMs).toBeLessThan(2_000)
  })

  test('of an election that is not watched are named in the answer', async () => {
    const { body } = await say({ prefix: '/elsewhere', identity: 'w' })
    expect(body).toEqual({ taken: 1, unknown: [of('/elsewhere')] })
  })
})

/** What one viewer of the stream sees, and every status that an election had meanwhile. */
function watching(serving: Serving, prefix: string) {
  const stop = new AbortController()
  const statuses = new Set<string>()
  const views = new Map<string, ClusterView>()
  const look = () => {
    const server = serving.runtime.watchers.get('test')?.elections.view
    for (const view of [server, views.get('test')]) {
      const state = view?.elections.get(refOf('queue', `${prefix}/`))
      if (view && state) statuses.add(statusOf(state, view.info, instant(serving.runtime.clock.nowMs())))
    }
  }
  const reading = (async () => {
    for await (const { data } of serving.subscribe({ signal: stop.signal })) {
      const frame = data as Frame
      if (frame?.type === 'snapshot') {
        for (const { info, elections } of frame.clusters) views.set(info.name, new ClusterView(info, elections))
      } else if (frame?.type === 'change') for (const change of frame.changes) views.get(change.cluster)?.apply(change)
      look()
    }
  })()
  const timer = setInterval(look, 5)
  return {
    statuses,
    stop: async () => {
      clearInterval(timer)
      stop.abort()
      await reading
    },
  }
}

async function eventuallyAsync<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 50; tries += 1) {
    const found = await ask()
    if (found !== undefined) return found
    await pause(100)
  }
  throw new Error('never so')
}

test('candidates of the library agree with etcd, and hand over without a dual claim', async () => {
  const prefix = '/r/library'
  const reports = { url: api.reportsUrl, token: TOKEN, cluster: 'test' }
  const names = ['worker-a', 'worker-b', 'worker-c']
  const workers = names.map((identity) =>
    startCandidate({ endpoints: etcd.endpoints, election: prefix, identity, reports }),
  )
  const watched = watching(api, prefix)
  try {
    const all = await until(prefix, ({ claims }) => claims.length === 3, 10_000)
    expect(all.claims.map(({ verdict }) => verdict)).toEqual(['agrees', 'agrees', 'agrees'])
    for (let turn = 0; turn < 12; turn += 1) {
      const { term } = await until(prefix, ({ leader }) => leader?.claim?.state === 'leading')
      const leads = workers.find(({ candidate }) => candidate.state === 'leading')
      await leads?.candidate.resign('its turn is over')
      await until(prefix, (found) => found.term !== null && found.term.token !== term?.token)
    }
    const found = await until(prefix, ({ leader }) => leader?.claim?.state === 'leading')
    expect(found.leader?.claim).toMatchObject({ verdict: 'agrees', token: found.term?.token, ordinal: 13 })
    expect([...watched.statuses]).not.toContain('dual-claim')
    const { terms } = await api.get('elections.terms', contract.electionsTerms, of(prefix))
    const taken = terms.map(({ takeoverMs }) => takeoverMs ?? 0)
    // Told by its first report, which does not wait for the next one that is due.
    expect(Math.max(...taken)).toBeLessThan(4_000)
    expect(terms.slice(0, -1).every(({ takeoverMs }) => takeoverMs !== null)).toBe(true)
  } finally {
    for (const worker of workers) await worker.stop()
    await watched.stop()
  }
}, 60_000)

test('many handovers, failovers and restarts of workers and of a dashboard never flash a dual claim', async () => {
  const prefix = '/r/many'
  interface Worker extends Speaker {
    key: Buffer
    token: string
    leads: boolean
  }
  let generation = 0
  const enter = async (identity: string): Promise<Worker> => {
    const { key, lease, revision } = await enterCandidate(client, { prefix, value: identity })
    generation += 1
    return { prefix, identity, instance: `${identity}-${generation}`, lease, key, token: revision, leads: false }
  }
  const workers = [await enter('a'), await enter('b'), await enter('c')]
  const serving = [api]
  /** As honest candidates do: what each believes at this moment. A dead one says nothing. */
  const report = () => {
    const words = (worker: Worker): Words => (worker.leads ? { token: worker.token, claimLeftMs: 3_300 } : {})
    const body = batchOf(...workers.map((worker) => reportOf(worker, words(worker))))
    return Promise.all(serving.map((each) => post(each, body)))
  }
  const timer = setInterval(() => void report(), 60)
  const watched = [watching(api, prefix)]
  try {
    for (let turn = 0; turn < 30; turn += 1) {
      const [leader] = workers
      if (leader === undefined) throw new Error('nobody is left')
      leader.leads = true
      await pause(40 + (turn % 5) * 60)
      if (turn % 3 === 0) {
        // It resigns, and says so only with its next report.
        await deleteKey(client, leader.key)
        leader.leads = false
        workers.push({ ...(await enter(leader.identity)), instance: leader.instance })
        workers.shift()
      } else {
        // It dies believing that it leads, and another process takes its place.
        workers.shift()
        await revokeLease(client, leader.lease ?? '')
        workers.push(await enter(leader.identity))
      }
      if (turn === 15) {
        const restarted = await another()
        alsoServing.push(restarted)
        serving.push(restarted)
        watched.push(watching(restarted, prefix))
      }
    }
    await pause(4_000)
  } finally {
    clearInterval(timer)
    for (const each of watched) await each.stop()
  }
  const seen = watched.map(({ statuses }) => [...statuses])
  expect(seen.flat()).not.toContain('dual-claim')
  expect(seen.map((statuses) => statuses.length > 0)).toEqual([true, true])
  // It was told something all the time, or this would prove nothing.
  expect((await detail(prefix)).claims.length).toBeGreaterThanOrEqual(3)
})
