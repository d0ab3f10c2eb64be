import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spawnElect } from '../../e2e/harness/candidate.ts'
import { always, leadersOf, leads, pause, Scene, slow } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'
import { MeddlingClient } from '../../e2e/harness/meddling-client.ts'
import type { LeaseId, Revision } from '../election/types.ts'

let scene: Scene

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())
afterEach(() => scene.clear())

it('drains, resigns for whoever is next, says so meanwhile, and queues behind', async () => {
  const election = scene.newElection()
  const [a, b] = (await scene.line(election, 'abc', { work: slow(300) })) as [TestCandidate, TestCandidate]
  await scene.ask(election, { reason: 'maintenance', by: 'ann' })
  await eventually('a says that it drains', async () => (await scene.said(election, 'a'))?.state === 'draining')
  expect(() => a.terms[0]?.leadership.proveStillLeading()).not.toThrow()
  expect(await scene.order(election)).toBe('abc')
  await eventually('b leads', () => leads(b))
  expect(() => a.terms[0]?.leadership.proveStillLeading()).toThrow('handed off by ann: maintenance')
  expect(a.terms[0]?.endedBy).toBe('handed off')
  await eventually('a is behind', async () => (await scene.order(election)) === 'bca')
  await eventually('a says why', async () =>
    Boolean((await scene.said(election, 'a'))?.lastResign?.reason.includes('maintenance')),
  )
  await always('b stays', () => leads(b), 500)
})

it('hands over to a target that is next', async () => {
  const election = scene.newElection()
  const [, b] = await scene.line(election, 'abc')
  await scene.ask(election, { target: await scene.targetOf(election, 1) })
  await eventually('b leads', () => b !== undefined && leads(b), 2_000)
  await eventually('a is behind', async () => (await scene.order(election)) === 'bca')
})

it.each([2, 3, 4])('hands over to a target at place %i, for whom those before it yield', async (place) => {
  const election = scene.newElection()
  const all = await scene.line(election, 'abcde')
  const target = all[place]
  await scene.ask(election, { target: await scene.targetOf(election, place) })
  await eventually('the target leads', () => target !== undefined && leads(target), 3_000)
  expect(all.map(({ terms }) => terms.length)).toEqual(all.map((one, at) => Number(at === 0 || one === target)))
  await eventually('all the others are behind', async () => (await scene.order(election)).length === 5)
  expect((await scene.order(election))[0]).toBe('abcde'[place])
  await always('it stays so', () => leadersOf(all).length === 1, 500)
})

it('stays the leader when a foreign waiter stands before the target, until the request is over', async () => {
  const election = scene.newElection()
  const [a] = (await scene.line(election, 'ab')) as [TestCandidate]
  const foreign = spawnElect({ endpoints: scene.etcd.endpoints, election, value: 'f' })
  await eventually('the foreign one waits', async () => (await scene.order(election)) === 'abf')
  scene.enter({ election, identity: 'd' })
  await eventually('d waits', async () => (await scene.order(election)) === 'abfd')
  const asked = await scene.ask(election, { target: await scene.targetOf(election, 3), ttlSeconds: 2 })
  await eventually('b yielded', async () => (await scene.order(election)) === 'afdb')
  await eventually('the request is over', async () => (await scene.keys('/tenure/handoff/')).length === 0)
  expect(asked).toBeTruthy()
  await always('a leads', () => leads(a), 300)
  expect(a.states).not.toContain('draining')
  expect(a.terms).toHaveLength(1)
  await foreign.stop()
})

describe('a request that is not for this term', () => {
  it.each([
    ['an older token', { revision: '1' as Revision }],
    ['another epoch', { epoch: 1 }],
  ])('with %s is ignored', async (_name, token) => {
    const election = scene.newElection()
    const [a, b] = (await scene.line(election, 'ab')) as [TestCandidate, TestCandidate]
    const [head] = await scene.queue(election)
    const revision = head?.createRevision ?? ('0' as Revision)
    await scene.ask(election, { token: { epoch: 0, revision, ...token } })
    await always('a leads', () => leads(a), 1_200)
    expect([a.terms.length, b.terms.length]).toEqual([1, 0])
  })

  it('because it comes late never hits the successor', async () => {
    const election = scene.newElection()
    const [a, b] = (await scene.line(election, 'abc')) as [TestCandidate, TestCandidate]
    const token = a.terms[0]?.leadership.token
    await a.candidate.resign('a test')
    await eventually('b leads', () => leads(b))
    if (token !== undefined) await scene.ask(election, { token })
    await always('b leads', () => leads(b), 1_500)
    expect(b.terms).toHaveLength(1)
  })

  it('cannot be read asks for nothing', async () => {
    const election = scene.newElection()
    const [a] = (await scene.line(election, 'ab')) as [TestCandidate]
    await scene.put(`/tenure/handoff/${election}/`, Uint8Array.of(255, 0, 1))
    await always('a leads', () => leads(a), 1_200)
  })

  it('names a target of the future makes nobody yield again and again', async () => {
    const election = scene.newElection()
    const client = new MeddlingClient({ endpoints: scene.etcd.endpoints })
    const [a] = (await scene.line(election, 'abc', { client })) as [TestCandidate]
    const before = await scene.order(election)
    client.counts.clear()
    await scene.ask(election, {
      target: { createRevision: '9000000000000000000' as Revision, lease: '0'.repeat(16) as LeaseId },
    })
    await always('a leads', () => leads(a), 1_500)
    expect(client.counts.get('enter') ?? 0).toBe(0)
    expect(await scene.order(election)).toBe(before)
    await scene.clear()
    client.close()
  })
})

describe('withdrawn', () => {
  it('before it drains: the leader leads on as if nothing had been', async () => {
    const election = scene.newElection()
    const [a] = (await scene.line(election, 'a')) as [TestCandidate]
    await scene.put(`jobs/${election.split('/')[1]}/foreign`, 'f')
    await scene.put(`jobs/${election.split('/')[1]}/foreign-too`, 'g')
    const [, , behind] = await scene.queue(election)
    await scene.ask(election, {
      target: { createRevision: behind?.createRevision ?? ('0' as Revision), lease: '1'.padStart(16, '0') as LeaseId },
    })
    await pause(500)
    await scene.withdraw(election)
    await always('a leads', () => leads(a), 1_000)
    expect([a.terms.length, a.states.includes('draining')]).toEqual([1, false])
    for (const { key, lease } of await scene.queue(election)) if (lease === null) await scene.delete(key)
  })

  it.each([
    ['while it drains', 100],
    ['by its deadline, while it drains', null],
  ])('%s: the leader keeps the seat and its token, and its work begins again', async (_name, withdrawMs) => {
    const election = scene.newElection()
    const work = slow(withdrawMs === null ? 3_500 : 500)
    const [a, b] = (await scene.line(election, 'ab', { work, ttlSeconds: 6 })) as [TestCandidate, TestCandidate]
    await scene.ask(election, { ttlSeconds: 2 })
    await eventually('a drains', () => a.candidate.state === 'draining')
    if (withdrawMs !== null) {
      await pause(withdrawMs)
      await scene.withdraw(election)
    }
    await eventually('a leads again', () => a.terms.length === 2 && leads(a))
    expect(a.terms[1]?.leadership.token).toEqual(a.terms[0]?.leadership.token)
    expect(await scene.order(election)).toBe('ab')
    await always('it stays so', () => leads(a) && b.terms.length === 0, 800)
    await eventually('a says so', async () => (await scene.said(election, 'a'))?.state === 'leading')
  })

  it.each(['withdrawn', 'written anew'])(
    '%s at the last moment: the request that was read is not acted on',
    async (how) => {
      const election = scene.newElection()
      const client = new MeddlingClient({ endpoints: scene.etcd.endpoints })
      let isDone = false
      client.before = async (question) => {
        if (question !== 'release' || isDone) return
        isDone = true
        await scene.withdraw(election)
        if (how === 'written anew') await scene.ask(election, { token: { epoch: 7, revision: '7' as Revision } })
      }
      // No proof is made while the hook acts: the TTL leaves it the time.
      const [a] = (await scene.line(election, 'a', { client, ttlSeconds: 9 })) as [TestCandidate]
      const b = await scene.waiter({ election, identity: 'b' })
      await scene.ask(election)
      await eventually('a leads again', () => a.terms.length === 2 && leads(a))
      await always('it stays so', () => leads(a) && b.terms.length === 0, 800)
      await scene.clear()
      client.close()
    },
  )
})

it('hands a single key over', async () => {
  const election = scene.newElection()
  const a = await scene.leader({ election, identity: 'a', layout: 'single-key' })
  const b = await scene.waiter({ election, identity: 'b', layout: 'single-key' })
  const [key] = await scene.keys(election)
  const { lease } = await scene.admin.grant(30, { deadlineMs: 2_000 })
  const token = { epoch: 0, revision: key?.createRevision }
  const asked = { v: 1, id: '1', token, target: null, reason: 'a test', by: 'ops' }
  await scene.put(`/tenure/handoff/${election}`, JSON.stringify(asked), lease)
  await eventually('b leads', () => leads(b), 3_000)
  expect(a.terms[0]?.endedBy).toBe('handed off')
  await always('b stays', () => leads(b), 1_500)
})
