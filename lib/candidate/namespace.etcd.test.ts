import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spawnElect } from '../../e2e/harness/candidate.ts'
import { always, leadersOf, leads, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'
import { leaseSegment } from '../election/ids.ts'
import { latin1 } from '../shared/bytes.ts'

let scene: Scene

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())
afterEach(async () => {
  await scene.clear()
  for (const { key } of await scene.keys('jobs/')) await scene.delete(key)
})

const CALL = { deadlineMs: 2_000 }

it.each(['queue', 'single-key'] as const)(
  '%s: two candidates of the same identity take turns, one at a time',
  async (layout) => {
    const election = scene.newElection()
    const a = await scene.leader({ election, identity: 'same', layout })
    const b = await scene.waiter({ election, identity: 'same', layout })
    await always('only a leads', () => leads(a) && b.terms.length === 0, 1_500)
    await a.candidate.resign('a test')
    await eventually('b leads', () => leads(b))
    expect(leads(a)).toBe(false)
    const found = await scene.presences(election)
    expect(found.map(({ identity }) => identity)).toEqual(found.map(() => 'same'))
  },
)

describe.each([
  ['bytes that are no text', Uint8Array.of(106, 111, 98, 115, 47, 0, 255, 254, 47, 128)],
  ['only 0xff', Uint8Array.of(255, 255)],
  ['line breaks and quotes', 'jobs/"a"\n\\x00 b'],
  ['text of any script', 'jobs/läufer/走者'],
  ['a closing slash, which makes two as in Go', 'jobs/closing/'],
  ['a slash at the front', '/jobs/front'],
])('an election named by %s', (_what, election) => {
  it('is led, handed over, stopped by its own switch and acknowledged', async () => {
    const name = typeof election === 'string' ? latin1(Buffer.from(election)) : latin1(election)
    const a = await scene.leader({ election, identity: 'a' })
    const b = scene.enter({ election, identity: 'b' })
    await eventually('b queues', async () => (await scene.keys(`${name}/`)).length === 2)
    const [held] = await scene.keys(`${name}/`)
    expect(held?.lease && latin1(held.key)).toBe(`${name}/${leaseSegment(held?.lease ?? ('' as never))}`)
    await a.candidate.resign('a test')
    await eventually('b leads', () => leads(b))
    const nonce = await scene.engage(`${name}/`, { match: 'exact' })
    await eventually('all are stopped', () => [a, b].every(({ candidate }) => candidate.state === 'stopped'))
    await eventually('all say so', async () => {
      const said = await scene.keys(`/tenure/presence/${name}//`)
      return said.length === 2 && said.every(({ value }) => Buffer.from(value).toString().includes(nonce))
    })
    await scene.release(`${name}/`, { match: 'exact' })
    await eventually('one leads', () => leadersOf([a, b]).length === 1)
  })
})

it('jobs and jobs/ are two queues: the second blocks the first', async () => {
  const inner = await scene.leader({ election: 'jobs/twice/', identity: 'inner' })
  const outer = scene.enter({ election: 'jobs/twice', identity: 'outer' })
  await eventually('outer has a place', async () => (await scene.keys('jobs/twice/')).length === 2)
  await always('outer waits behind the key of inner', () => leads(inner) && outer.terms.length === 0, 1_500)
  await inner.stop()
  await eventually('outer leads', () => leads(outer))
})

it('a nested election blocks the outer one while its keys are older, and observers call that vacant', async () => {
  const inner = await scene.leader({ election: 'jobs/nest/inner', identity: 'inner' })
  const outer = scene.enter({ election: 'jobs/nest', identity: 'outer' })
  await eventually('outer has a place', async () => (await scene.keys('jobs/nest/')).length === 2)
  const seen: string[] = []
  const stop = new AbortController()
  const reading = (async () => {
    for await (const now of outer.candidate.observe({ signal: stop.signal }))
      seen.push(now.type === 'led' ? Buffer.from(now.value).toString() : now.type)
  })()
  await always('outer waits', () => outer.terms.length === 0, 1_200)
  // A key that comes to the inner one later does not disturb an outer leader.
  await inner.stop()
  await eventually('outer leads', () => leads(outer))
  const late = await scene.leader({ election: 'jobs/nest/inner', identity: 'late' })
  await always('both lead', () => leads(outer) && leads(late), 500)
  await eventually('seen', () => seen.at(-1) === 'outer')
  expect(seen).toEqual(['vacant', 'outer'])
  stop.abort()
  await reading
})

it('a key without a lease at the head blocks until somebody deletes it; a held head is not passed', async () => {
  const election = scene.newElection()
  await scene.put(`${election}/by-hand`, 'nobody')
  const a = scene.enter({ election, identity: 'a' })
  await always('a waits', () => a.terms.length === 0, 1_200)
  await scene.delete(`${election}/by-hand`)
  await eventually('a leads', () => leads(a))

  // An enforced stop puts the leader's own key again without its lease.
  const b = await scene.waiter({ election, identity: 'b' })
  const [head] = await scene.queue(election)
  await scene.put(head?.key ?? '', '{"tenure":"halt","nonce":"n"}')
  await eventually('a has lost', () => a.terms[0]?.endedBy === 'key gone', 1_000)
  await eventually('a queues again', async () => (await scene.queue(election)).length === 3)
  await always('nobody leads', () => leadersOf([a, b]).length === 0, 1_200)
  await scene.delete(head?.key ?? '')
  await eventually('b leads', () => leads(b))
  await always('only b leads', () => leads(b) && !leads(a), 500)
})

describe('a single key', () => {
  const enter = (election: string) => scene.enter({ election, identity: 'a', layout: 'single-key' })

  it('that a foreigner holds without a lease is never taken, and is taken once it is gone', async () => {
    const election = scene.newElection()
    await scene.put(election, 'foreign')
    const a = enter(election)
    await always('a waits', () => a.terms.length === 0, 1_500)
    expect(Buffer.from((await scene.keys(election))[0]?.value ?? '').toString()).toBe('foreign')
    await scene.delete(election)
    await eventually('a leads', () => leads(a))
  })

  it('that is deleted and put again by a foreigner ends the term; the new one is left alone', async () => {
    const election = scene.newElection()
    const a = await scene.leader({ election, identity: 'a', layout: 'single-key' })
    await scene.delete(election)
    await scene.put(election, 'foreign')
    await eventually('a has lost', () => a.terms[0]?.endedBy === 'key gone', 1_000)
    const [foreign] = await scene.keys(election)
    await eventually('it does not lead', () => !leads(a), 1_000)
    await always('a waits', () => !leads(a), 1_200)
    const [now] = await scene.keys(election)
    // Whoever was first after the delete has it; nobody's key was overwritten or removed.
    expect(now?.createRevision).toBe(foreign?.createRevision)
  })

  it('that a foreigner overwrites in place, keeping its create revision, ends the term', async () => {
    const election = scene.newElection()
    const a = await scene.leader({ election, identity: 'a', layout: 'single-key' })
    const { lease } = await scene.admin.grant(60, CALL)
    await scene.put(election, 'foreign', lease)
    await eventually('a has lost', () => a.terms[0]?.endedBy === 'key gone', 1_000)
    await always('a waits', () => !leads(a), 1_200)
    await scene.revoke(lease)
    await eventually('a leads', () => leads(a), 3_000)
  })

  it('is taken within a moment after a long wait: the back-off counts lost races, not looks', async () => {
    const pairs: [TestCandidate, TestCandidate][] = []
    for (let n = 0; n < 5; n += 1) {
      const entrant = { election: scene.newElection(), layout: 'single-key', ttlSeconds: 3 } as const
      pairs.push([await scene.leader({ ...entrant, identity: 'a' }), await scene.waiter({ ...entrant, identity: 'b' })])
    }
    // A waiter looks again at every third renewal.
    await always('a leads', () => pairs.every(([a]) => leads(a)), 13_000)
    const resignedMs = performance.now()
    await Promise.all(pairs.map(([a]) => a.candidate.resign('a test')))
    await eventually('all b lead', () => pairs.every(([, b]) => leads(b)), 3_000)
    expect(performance.now() - resignedMs).toBeLessThan(900)
  }, 40_000)
})

it('queues with etcdctl in both directions', async () => {
  const election = scene.newElection()
  const a = await scene.leader({ election, identity: 'a' })
  const foreign = spawnElect({ endpoints: scene.etcd.endpoints, election, value: 'f' })
  await eventually('it waits', async () => (await scene.order(election)) === 'af')
  const b = (await scene.waiter({ election, identity: 'b' })) as TestCandidate
  await a.candidate.resign('a test')
  await always('nobody of ours leads', () => leadersOf([a, b]).length === 0, 800)
  await foreign.stop()
  await eventually('b leads', () => leads(b))
})
