import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import {
  eventually,
  startCandidate,
  type TestCandidate,
  type TestOptions,
} from '../../e2e/harness/library-candidate.ts'
import { presence } from '../election/presence.ts'

let etcd: EtcdCluster
let started: TestCandidate[] = []
let nth = 0

beforeAll(async () => {
  etcd = await startEtcd()
})
afterAll(() => etcd.stop())
afterEach(async () => {
  await Promise.all(started.map((each) => each.stop()))
  started = []
})

const newElection = () => {
  nth += 1
  return `jobs/${nth}`
}

function enter(options: Partial<TestOptions> & { election: string; identity: string }): TestCandidate {
  const one = startCandidate({ endpoints: etcd.endpoints, ...options })
  started.push(one)
  return one
}

const leads = (one: TestCandidate) => one.candidate.state === 'leading'
const lines = async (args: string[]) => (await etcd.etcdctl(args)).stdout.trim().split('\n').filter(Boolean)
const keysOf = (prefix: string) => lines(['get', prefix, '--prefix', '--keys-only', '--sort-by=CREATE'])
const textOf = async (key: string) => (await lines(['get', key, '--print-value-only']))[0] ?? ''

describe.each(['queue', 'single-key'] as const)('%s', (layout) => {
  it('leads alone, hands over by resigning, and has no key or lease left in the end', async () => {
    const election = newElection()
    const a = enter({ election, identity: 'a', layout })
    await eventually('a leads', () => leads(a))
    const b = enter({ election, identity: 'b', layout })
    await eventually(
      'b has said that it waits',
      async () => (await keysOf(`/tenure/presence/${election}`)).length === 2,
    )

    await a.candidate.resign('a test')
    await eventually('b leads', () => leads(b))
    const [first, second] = [a.terms[0], b.terms[0]]
    expect(first?.endedBy).toBe('resigned')
    expect(BigInt(second?.leadership.token.revision ?? 0)).toBeGreaterThan(
      BigInt(first?.leadership.token.revision ?? 0),
    )
    expect(() => first?.leadership.proveStillLeading()).toThrow('a test')
    expect(() => second?.leadership.proveStillLeading()).not.toThrow()
    expect(await textOf((await keysOf(election))[0] ?? '')).toBe('b')

    expect(await Promise.all([a.stop(), b.stop()])).toEqual([null, null])
    expect(await keysOf(election)).toEqual([])
    expect((await etcd.etcdctl(['lease', 'list'])).stdout).toContain('found 0 leases')
  })

  it('stops the work of a leader whose key somebody deleted, and queues again', async () => {
    const election = newElection()
    const a = enter({ election, identity: 'a', layout })
    await eventually('a leads', () => leads(a))
    const [key = ''] = await keysOf(election)
    await etcd.etcdctl(['del', key])
    await eventually('the first term ended', () => a.terms[0]?.endedBy === 'key gone')
    await eventually('a leads anew', () => a.terms.length === 2 && leads(a))
    expect(a.states).toContain('lost')
  })

  it('stops the work of a leader whose lease somebody revoked', async () => {
    const election = newElection()
    const a = enter({ election, identity: 'a', layout })
    await eventually('a leads', () => leads(a))
    const b = enter({ election, identity: 'b', layout })
    await eventually(
      'b has said that it waits',
      async () => (await keysOf(`/tenure/presence/${election}`)).length === 2,
    )
    const [word = ''] = await lines(['get', `/tenure/presence/${election}`, '--prefix', '--keys-only', '--limit=1'])
    await etcd.etcdctl(['lease', 'revoke', word.slice(word.lastIndexOf('/') + 1)])
    await eventually('the first term ended', () => a.terms[0]?.endedBy !== null)
    await eventually('b leads', () => leads(b))
  })

  it('proclaims a new value and keeps its token', async () => {
    const election = newElection()
    const a = enter({ election, identity: 'a', layout })
    await eventually('a leads', () => leads(a))
    await a.terms[0]?.leadership.proclaim('a is ready')
    const [key = ''] = await keysOf(election)
    expect(await textOf(key)).toBe('a is ready')
    expect(a.terms[0]?.leadership.signal.aborted).toBe(false)
  })
})

it('writes nothing while it leads and waits: renewals are no writes', async () => {
  const election = newElection()
  const a = enter({ election, identity: 'a', ttlSeconds: 2 })
  await eventually('a leads', () => leads(a))
  const b = enter({ election, identity: 'b', ttlSeconds: 2 })
  await eventually('b waits', async () => (await keysOf(`/tenure/presence/${election}`)).length === 2)
  const revision = async () => /"revision":(\d+)/.exec((await etcd.etcdctl(['get', 'none', '-w', 'json'])).stdout)?.[1]
  const before = await revision()
  await new Promise((resolve) => setTimeout(resolve, 4_000))
  expect(await revision()).toBe(before)
  expect([leads(a), b.candidate.state]).toEqual([true, 'waiting'])
})

it('puts a waiter whose lease is gone at the end of the queue again, within one TTL (RC-20)', async () => {
  const election = newElection()
  const a = enter({ election, identity: 'a' })
  await eventually('a leads', () => leads(a))
  const b = enter({ election, identity: 'b' })
  await eventually('b waits', async () => (await keysOf(election)).length === 2)
  const [, key = ''] = await keysOf(election)
  await etcd.etcdctl(['lease', 'revoke', key.slice(key.lastIndexOf('/') + 1)])
  await eventually('b queued again', async () => ((await keysOf(election))[1] ?? key) !== key, 3_000)
  expect(b.terms).toEqual([])
  await a.candidate.resign('a test')
  await eventually('b leads', () => leads(b))
})

it('gives the seat up when its work returns, and throws what its work threw', async () => {
  const election = newElection()
  let calls = 0
  const a = enter({
    election,
    identity: 'a',
    work: async () => {
      calls += 1
      if (calls === 3) throw new Error('disk full')
    },
  })
  expect((await a.ended)?.message).toBe('disk full')
  expect(calls).toBe(3)
  expect(await keysOf(election)).toEqual([])
})

it('leaves the lease to expire when the work does not end, so that nobody leads beside it', async () => {
  const election = newElection()
  let release = () => {}
  const a = enter({
    election,
    identity: 'a',
    drainMs: 200,
    work: () =>
      new Promise<void>((resolve) => {
        release = resolve
      }),
  })
  await eventually('a leads', () => leads(a))
  const error = await a.stop()
  expect(error?.message).toContain('did not end within 200 ms')
  expect(await keysOf(election)).toHaveLength(1)
  release()
})

it('says of itself in etcd who it is, what it does and why it resigned', async () => {
  const election = newElection()
  const a = enter({ election, identity: 'a' })
  await eventually('a leads', () => leads(a))
  await a.candidate.resign('rolling restart')
  await eventually('a leads again', () => a.terms.length === 2)
  const [key = ''] = await keysOf(`/tenure/presence/${election}`)
  await eventually('it has said so', async () => (await textOf(key)).includes('"leading"'))
  const said = presence.parse(JSON.parse(await textOf(key)))
  expect(said).toMatchObject({
    identity: 'a',
    state: 'leading',
    token: a.terms[1]?.leadership.token,
    lastResign: { reason: 'rolling restart', token: a.terms[0]?.leadership.token },
  })
})

it('observes who leads, and that nobody does', async () => {
  const election = newElection()
  const watcher = enter({ election, identity: 'watcher', ttlSeconds: 3 })
  await eventually('watcher leads', () => leads(watcher))
  const seen: string[] = []
  const stop = new AbortController()
  const reading = (async () => {
    for await (const now of watcher.candidate.observe({ signal: stop.signal }))
      seen.push(now.type === 'led' ? Buffer.from(now.value).toString() : now.type)
  })()
  await eventually('seen', () => seen.length === 1)
  await watcher.stop()
  await eventually('vacant', () => seen.at(-1) === 'unknown' || seen.at(-1) === 'vacant')
  stop.abort()
  await reading
  expect(seen[0]).toBe('watcher')
})
