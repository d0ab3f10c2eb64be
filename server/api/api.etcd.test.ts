import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
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
import { refOf } from '../../lib/election/ids.ts'
import type { Revision } from '../../lib/election/types.ts'
import { base64FromLatin1 } from '../../lib/shared/bytes.ts'
import { eventually } from '../watch/watch-for-test.ts'
import * as contract from './contract-for-test.ts'
import { type Serving, serve } from './serve-for-test.ts'

const LEASES = ['2777639186554634659', '2777639186554634660']

let etcd: EtcdCluster
let client: Etcd3
let api: Serving

beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  await putCandidate(client, { prefix: '/c/rpc', value: '10.0.4.11:8080', ...(await decimalSegment()) })
  await enterCandidate(client, { prefix: '/c/lock', value: '' })
  await enterCandidate(client, { prefix: Buffer.from('/c/\xff', 'latin1'), value: Buffer.from([0, 0xfe, 0x61]) })
  await client.kv.put({ key: Buffer.from('/service/db/leader'), value: Buffer.from('pg-1'), lease: '0' })
  for (const ID of LEASES) await client.leaseClient.leaseGrant({ ID, TTL: 60 })
  for (const [n, lease] of LEASES.entries()) await putCandidate(client, { prefix: '/c/rc01', value: `n${n}`, lease })
  api = await serve({ endpoints: etcd.endpoints, watch: ['/c/', '/service/'] })
})
afterAll(async () => {
  await api.stop()
  client.close()
  await etcd.stop()
})

async function decimalSegment(): Promise<{ lease: string; segment: string }> {
  const { ID } = await client.leaseClient.leaseGrant({ TTL: 60 })
  return { lease: ID, segment: ID }
}

const of = (prefix: string, layout: 'queue' | 'single-key' = 'queue') => ({
  cluster: 'test',
  ref: refOf(layout, prefix) as string,
})

type Detail = Awaited<ReturnType<typeof detail>>
const detail = (prefix: string, layout?: 'queue' | 'single-key') =>
  api.get('elections.get', contract.electionsGet, of(prefix, layout))

/** Asks until it is so; fails with the last answer. */
async function until(prefix: string, is: (found: Detail) => unknown): Promise<Detail> {
  let last: unknown
  for (let n = 0; n < 200; n += 1) {
    const found = await detail(prefix).catch((error: unknown) => {
      last = error
      return null
    })
    if (found !== null && is(found)) return found
    last = found ?? last
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`never so: ${last instanceof Error ? last.message : JSON.stringify(last)}`)
}

const leads = (identity: string) => (found: Detail) => found.leader?.identity === identity

describe('the clusters', () => {
  test('are listed in the documented shape', async () => {
    const { clusters, serverTime } = await api.get('clusters.list', contract.clustersList)
    expect(clusters).toMatchObject([{ name: 'test', freshness: 'live', quorum: true, epoch: 0 }])
    expect(Math.abs(Date.parse(serverTime) - Date.now())).toBeLessThan(2_000)
  })

  test('tell their members, asked now', async () => {
    const health = await api.get('clusters.health', contract.clustersHealth, { cluster: 'test' })
    expect(health.members).toMatchObject([
      { name: 'etcd-1', endpoint: etcd.endpoints[0], isRaftLeader: true, version: etcd.binaries.version, alarms: [] },
    ])
    const { stdout } = await etcd.etcdctl(['endpoint', 'status', '--write-out=json'])
    expect(health.clusterId).toBe(/"cluster_id":(\d+)/.exec(stdout)?.[1])
    expect(health.members[0]?.id).toBe(/"member_id":(\d+)/.exec(stdout)?.[1])
  })
})

describe('clusters.incidents', () => {
  test('tells which elections one lease took with it', async () => {
    const lease = await grantLease(client, 60)
    for (const prefix of ['/c/pair-1', '/c/pair-2']) await putCandidate(client, { prefix, value: 'one process', lease })
    await until('/c/pair-2/', leads('one process'))
    await revokeLease(client, lease)
    await until('/c/pair-2/', ({ lastChange }) => lastChange?.cause === 'lease lost')
    const { incidents } = await api.get('clusters.incidents', contract.clustersIncidents, { cluster: 'test' })
    const elections = ['/c/pair-1/', '/c/pair-2/'].map((prefix) => refOf('queue', prefix))
    const found = incidents.find(({ kind }) => kind === 'lease')
    expect(found?.leases).toEqual([leaseHex(lease).padStart(16, '0')])
    expect([...(found?.elections ?? [])].sort()).toEqual(elections)
  })
})

describe('clusters.conditions', () => {
  test('tells who is etcd raft leader, for a range that is kept', async () => {
    const from = new Date(Date.now() - 3_600_000).toISOString()
    const range = { cluster: 'test', from, to: new Date().toISOString() }
    const ask = () => api.get('clusters.conditions', contract.clustersConditions, range)
    await expect
      .poll(async () => (await ask()).conditions, { timeout: 10_000 })
      .toMatchObject([{ kind: 'raft-leader', subject: 'etcd-1', to: null }])
    const old = await api.ask('clusters.conditions', { ...range, from: '2020-01-01T00:00:00Z' })
    expect(old).toMatchObject({ status: 400, text: expect.stringMatching(/conditions are kept for 30 days/) })
    expect((await api.ask('clusters.conditions', { ...range, to: 'now' })).text).toMatch(/must be a UTC time/)
  })
})

describe('elections.list', () => {
  test('has every election in the documented shape, of every kind', async () => {
    const { elections } = await api.get('elections.list', contract.electionsList)
    const kinds = Object.fromEntries(elections.map(({ prefix, layout, kind }) => [prefix, `${layout} ${kind}`]))
    expect(kinds).toMatchObject({
      '/c/rpc/': 'queue unconfirmed',
      '/c/lock/': 'queue mutex',
      '/c/\\xff/': 'queue election',
      '/c/rc01/': 'queue election',
      '/service/db/leader': 'single-key election',
    })
  })

  test('is the same for one cluster by its name, and says the same as elections.get', async () => {
    const { elections } = await api.get('elections.list', contract.electionsList, { cluster: 'test' })
    const listed = elections.find(({ prefix }) => prefix === '/service/db/leader')
    const { candidates, claims, dualClaim, leaseKeys, ...got } = await detail('/service/db/leader', 'single-key')
    expect(got).toEqual(listed)
    expect(candidates).toHaveLength(1)
    expect({ claims, dualClaim }).toEqual({ claims: [], dualClaim: null })
    expect(leaseKeys).toEqual([])
    expect(got).toMatchObject({ name: 'db/leader', notes: [{ type: 'leader-without-lease' }] })
  })

  test('keeps bytes that are not text: escaped for people, whole in base64', async () => {
    const found = await detail('/c/\xff/')
    expect(found).toMatchObject({ prefix: '/c/\\xff/', prefixBase64: base64FromLatin1('/c/\xff/'), name: '\\xff' })
    expect(found.leader).toMatchObject({ identity: '\\x00\\xfea', valueBytes: 3 })
    const { keyBase64 } = found.leader ?? { keyBase64: '' }
    const value = await api.get('elections.value', contract.electionsValue, { ...of('/c/\xff/'), keyBase64 })
    expect(value).toEqual({ found: true, bytes: 3, text: '\\x00\\xfea', base64: 'AP5h' })
  })
})

describe('64-bit values', () => {
  test('of leases cross the wire digit for digit above 2^53 (RC-01)', async () => {
    const { candidates } = await until('/c/rc01/', ({ candidates: all }) => all.length === 2)
    expect(candidates.map(({ lease }) => lease)).toEqual(LEASES.map((lease) => leaseHex(lease)))
    const { text } = await api.ask('elections.get', of('/c/rc01/'))
    expect(text).toContain('"lease":"268c281fa4cb41a3"')
    expect(text).toContain('"lease":"268c281fa4cb41a4"')
  })

  test('of revisions and tokens too, from the view, from the history and in the order of the queue', async () => {
    const watcher = api.runtime.watchers.get('test')
    // As doubles the two are equal, and the tie would go to the wrong one.
    const keys = Object.entries({ a: '9007199254740993', b: '9007199254740992' }).map(([name, created]) => ({
      key: `/big/${name}`,
      keyBase64: btoa(`/big/${name}`),
      identity: name,
      valueBytes: 1,
      lease: null,
      createRevision: created as Revision,
      modRevision: created as Revision,
      nested: false,
    }))
    const named = { prefix: '/big/', prefixBase64: btoa('/big/'), confirmed: true, foundBy: 'test', epoch: 0 }
    const moment = { at: new Date().toISOString(), revision: '9007199254740995' as Revision }
    watcher?.elections.publish([
      {
        ref: refOf('queue', '/big/'),
        change: { type: 'opened', ...moment, live: true, layout: 'queue', ...named, keys },
      },
    ])
    const found = await detail('/big/')
    expect(found.candidates.map(({ createRevision }) => createRevision)).toEqual([
      '9007199254740992',
      '9007199254740993',
    ])
    expect(found.term?.token).toBe('9007199254740992')
    const { text } = await api.ask('elections.terms', of('/big/'))
    expect(text).toContain('"token":"9007199254740992"')
    const { events } = await api.get('elections.events', contract.electionsEvents, of('/big/'))
    expect(events.map(({ revision }) => revision)).toContain('9007199254740995')
  })
})

describe('the history of an election', () => {
  beforeAll(async () => {
    const a = await enterCandidate(client, { prefix: '/c/job', value: 'a', ttlSeconds: 60 })
    await until('/c/job/', ({ leader }) => leader?.ttl)
    const b = await enterCandidate(client, { prefix: '/c/job', value: 'b' })
    const c = await enterCandidate(client, { prefix: '/c/job', value: 'c' })
    await until('/c/job/', ({ candidates }) => candidates.length === 3)
    await revokeLease(client, a.lease)
    await until('/c/job/', ({ leader, lastChange }) => leader?.identity === 'b' && lastChange?.cause === 'lease lost')
    await deleteKey(client, b.key)
    await until('/c/job/', ({ lastChange }) => lastChange?.cause === 'resigned or removed')
    for (const value of ['c1', 'c2']) await putCandidate(client, { prefix: '/c/job', value, lease: c.lease })
    await until('/c/job/', leads('c2'))
  })

  test('elections.get tells the last change with its evidence, and what else the leader’s lease holds', async () => {
    const found = await detail('/c/job/')
    expect(found).toMatchObject({ status: 'no-standby', candidateCount: 1, nextUp: null, stopped: null })
    expect(found.term).toMatchObject({ ordinal: 3, epoch: 0, token: found.leader?.createRevision, sinceAtLeast: false })
    expect(found.lastChange?.evidence).toMatch(
      /^key gone at revision \d+, lease [0-9a-f]{16} still alive \d+ ms later$/,
    )
    expect(found.leaseKeys).toEqual([{ key: found.leader?.key, keyBase64: found.leader?.keyBase64 }])
  })

  test('elections.terms is newest first, each term with its cause and the anatomy of the change that began it', async () => {
    const { terms, nextCursor } = await api.get('elections.terms', contract.electionsTerms, of('/c/job/'))
    expect(nextCursor).toBeUndefined()
    expect(terms.map(({ ordinal }) => ordinal)).toEqual([3, 2, 1])
    expect(terms.map(({ endedBy }) => endedBy?.cause)).toEqual([undefined, 'resigned or removed', 'lease lost'])
    expect(terms.map(({ gapMs }) => gapMs)).toEqual([0, 0, null])
    const [third, second, first] = terms
    // An unplanned change has a time to detect it; a planned one has none.
    expect(second?.anatomy).toEqual({
      detectMs: first?.silentMs,
      detectErrorMs: Math.min(1_000, first?.silentMs ?? 0),
      refillMs: 0,
      vacancyMs: 0,
      takeoverMs: null,
    })
    expect(first?.silentMs).toBeGreaterThan(0)
    expect(third?.anatomy).toEqual({ detectMs: null, vacancyMs: 0, takeoverMs: third?.takeoverMs })
    expect(third?.takeoverMs).toBeGreaterThanOrEqual(0)
    expect(first?.anatomy).toBeUndefined()
    expect([first?.to, second?.to]).toEqual([second?.from, third?.from])
  })

  test('elections.terms pages without loss, and the oldest of a page still has its anatomy', async () => {
    const whole = await api.get('elections.terms', contract.electionsTerms, of('/c/job/'))
    const paged = await pages('elections.terms', contract.electionsTerms, 1)
    expect(paged.map(({ terms }) => terms.length)).toEqual([1, 1, 1])
    expect(paged.flatMap(({ terms }) => terms)).toEqual(whole.terms)
  })

  test('elections.events pages without loss or doubling, newest first', async () => {
    const { events } = await api.get('elections.events', contract.electionsEvents, of('/c/job/'))
    const types = events.map(({ type }) => type)
    for (const type of ['candidate-joined', 'candidate-left', 'term-started', 'term-ended', 'term-explained']) {
      expect(types).toContain(type)
    }
    expect(events[0]).toMatchObject({ type: 'proclaimed', identity: 'c2', was: 'c1' })
    expect(events.map(({ at }) => at)).toEqual(
      events
        .map(({ at }) => at)
        .sort()
        .reverse(),
    )
    const paged = await pages('elections.events', contract.electionsEvents, 4)
    expect(paged.flatMap((page) => page.events)).toEqual(events)
    expect(paged.slice(0, -1).every((page) => page.events.length === 4)).toBe(true)
    expect(paged.length).toBe(Math.ceil(events.length / 4))
  })

  test('from and to cut it: from is inclusive, to is not', async () => {
    const all = await api.get('elections.events', contract.electionsEvents, of('/c/job/'))
    const times = [...new Set(all.events.map(({ at }) => at))].sort()
    const [from, to] = [times[1] as string, times.at(-1) as string]
    const { events } = await api.get('elections.events', contract.electionsEvents, { ...of('/c/job/'), from, to })
    expect(events).toEqual(all.events.filter(({ at }) => at >= from && at < to))
    expect(events.length).toBeGreaterThan(0)
    expect(events.length).toBeLessThan(all.events.length)
  })

  async function pages<T extends { nextCursor?: string | undefined }>(
    path: string,
    shape: ZodType<T>,
    limit: number,
  ): Promise<T[]> {
    const found: T[] = []
    let cursor: string | undefined
    do {
      const page = await api.get(path, shape, { ...of('/c/job/'), limit, ...(cursor ? { cursor } : {}) })
      found.push(page)
      cursor = page.nextCursor
    } while (cursor !== undefined && found.length < 50)
    return found
  }
})

describe('elections.renewals', () => {
  const lastSeconds = () => ({
    from: new Date(Date.now() - 5_000).toISOString(),
    to: new Date(Date.now() + 1_000).toISOString(),
  })

  test('has the probe of each member and the margin of the leader, in no more buckets than asked for', async () => {
    const { lease } = await enterCandidate(client, { prefix: '/c/margin', value: 'm', ttlSeconds: 6 })
    const renewing = keepAlive(client, lease, 1_000)
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    renewing.stop()
    for (const points of [1, 2, 600]) {
      const input = { ...of('/c/margin/'), ...lastSeconds(), points }
      const { series, bucketMs } = await api.get('elections.renewals', contract.electionsRenewals, input)
      const labels = series.map(({ source, member, identity }) => `${source} ${member ?? identity}`)
      expect(labels.sort()).toEqual(['margin m', 'probe etcd-1'])
      expect(bucketMs).toBeGreaterThan(0)
      for (const { source, buckets } of series) {
        expect(buckets.length).toBeGreaterThan(0)
        expect(buckets.length).toBeLessThanOrEqual(points)
        for (const { min, p50, max, count, from } of buckets) {
          expect(count).toBeGreaterThan(0)
          expect(min).toBeLessThanOrEqual(max)
          expect(p50).toBeGreaterThanOrEqual(min * 0.98)
          expect(Date.parse(from) % bucketMs).toBe(0)
          if (source === 'margin') expect(max).toBeLessThanOrEqual(100)
        }
      }
    }
  })
})

describe('a refusal names the thing and the way out', () => {
  async function refused(path: string, input: object | undefined) {
    const { status, text } = await api.ask(path, input)
    const { error } = contract.errorAnswer.parse(JSON.parse(text))
    expect(error.data.httpStatus).toBe(status)
    return { status, code: error.data.code, message: error.message }
  }

  test('for a cluster that is not configured', async () => {
    const message = 'no cluster "prod" is configured: there is test'
    const expected = { status: 404, code: 'NOT_FOUND', message }
    expect(await refused('clusters.health', { cluster: 'prod' })).toEqual(expected)
    expect(await refused('elections.list', { cluster: 'prod' })).toEqual(expected)
    expect(await refused('elections.get', { ...of('/c/job/'), cluster: 'prod' })).toEqual(expected)
  })

  test('for a reference that is none, and for one of nothing', async () => {
    for (const path of ['elections.get', 'elections.terms', 'elections.events']) {
      expect(await refused(path, { cluster: 'test', ref: '/c/job' })).toEqual({
        status: 400,
        code: 'BAD_REQUEST',
        message: '"/c/job" is not an election reference: expected q~ or k~ and base64url',
      })
      expect(await refused(path, of('/nothing/'))).toEqual({
        status: 404,
        code: 'NOT_FOUND',
        message: 'no election q~L25vdGhpbmcv in cluster "test": elections.list names those there are',
      })
    }
  })

  test('for a cursor that no answer contained (was: 500 where routes are compiled apart)', async () => {
    for (const path of ['elections.terms', 'elections.events']) {
      expect(await refused(path, { ...of('/c/rc01/'), cursor: 'page-2' })).toEqual({
        status: 400,
        code: 'BAD_REQUEST',
        message: '"page-2" is not a cursor that this query handed out: leave cursor out to begin with the newest',
      })
    }
  })

  test('for every wrong field at once, in words', async () => {
    const { message, status } = await refused('elections.terms', { ...of('/c/rc01/'), limit: 0, from: 'yesterday' })
    expect(status).toBe(400)
    expect(message).toBe(
      'from: must be a UTC time such as 2026-03-12T03:00:00Z; limit: must be a whole number from 1 to 1000',
    )
    expect((await refused('elections.get', { ref: 'q~eA' })).message).toMatch(/^cluster: .*expected string/)
  })

  test('for a range that is missing, backwards or too fine', async () => {
    const range = { from: '2026-03-12T03:00:00Z', to: '2026-03-12T04:00:00Z' }
    expect((await refused('elections.renewals', of('/c/rc01/'))).message).toMatch(
      /^from: must be a UTC time.*; to: must/,
    )
    const backwards = { ...of('/c/rc01/'), from: range.to, to: range.from }
    for (const path of ['elections.renewals', 'elections.terms', 'elections.events']) {
      expect(await refused(path, backwards)).toMatchObject({ status: 400, message: 'to: must not be before from' })
    }
    const fine = await refused('elections.renewals', { ...of('/c/rc01/'), ...range, points: 601 })
    expect(fine.message).toBe('points: must be a whole number from 1 to 600')
  })

  test('without a word of the server’s inside', async () => {
    const { text } = await api.ask('elections.get', { cluster: 'test', ref: 'x' })
    expect(text).not.toMatch(/stack|node_modules|\.ts/)
  })
})

test('a caller inside the server gets what a caller over HTTP gets', async () => {
  const inside = await api.caller.elections.terms({ ...of('/c/rc01/'), limit: 100 })
  const outside = await api.get('elections.terms', contract.electionsTerms, of('/c/rc01/'))
  expect(JSON.parse(JSON.stringify(inside))).toEqual(outside)
})

test('a time in which etcd did not answer is a gap beside the terms', async () => {
  const [member] = etcd.members
  await member?.stop()
  await eventually(() => api.runtime.watchers.get('test')?.elections.view.info.freshness !== 'live')
  const { elections } = await api.get('elections.list', contract.electionsList)
  expect(elections.find(({ prefix }) => prefix === '/c/rc01/')?.status).toBe('unknown')
  await member?.start()
  await eventually(() => api.runtime.watchers.get('test')?.elections.view.info.freshness === 'live', 20_000)
  const { gaps } = await api.get('elections.terms', contract.electionsTerms, of('/c/rc01/'))
  expect(gaps.map(({ from, to }) => Date.parse(to) - Date.parse(from) > 3_000)).toContain(true)
})
