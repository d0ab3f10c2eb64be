import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { always, leadersOf, leads, pause, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually, untilAborted } from '../../e2e/harness/library-candidate.ts'
import { startProxy } from '../../e2e/harness/proxy.ts'

let scene: Scene

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())
afterEach(() => scene.clear())

const stopped = (election: string, nonce: string) => async () => {
  const said = await scene.presences(election)
  return said.length > 0 && said.every(({ state, switchNonces }) => state === 'stopped' && switchNonces[0] === nonce)
}

describe.each([
  ['this election', (election: string) => ({ scope: `${election}/`, match: 'exact' as const })],
  ['a prefix', () => ({ scope: 'jobs/', match: 'prefix' as const })],
  ['a prefix without its slash', () => ({ scope: 'jobs', match: 'prefix' as const })],
  ['everything', () => ({ scope: '', match: 'prefix' as const })],
])('engaged for %s', (_name, scoped) => {
  it('stops the leader and the waiters, keeps newcomers out, and lets exactly one lead after the release', async () => {
    const election = scene.newElection()
    const { scope, match } = scoped(election)
    const a = await scene.leader({ election, identity: 'a' })
    const b = await scene.waiter({ election, identity: 'b' })
    const [held] = await scene.queue(election)
    const engagedMs = performance.now()
    const nonce = await scene.engage(scope, { match, reason: 'bad data' })
    await eventually('the work of a was told', () => a.terms[0]?.leadership.signal.aborted === true, 1_000)
    expect(performance.now() - engagedMs).toBeLessThan(1_000)
    expect(() => a.terms[0]?.leadership.proveStillLeading()).toThrow('bad data')

    await eventually('the queue is empty', async () => (await scene.queue(election)).length === 0, 1_500)
    const c = scene.enter({ election, identity: 'c' })
    await eventually('all three say so', async () => (await scene.presences(election)).length === 3)
    await eventually('with the nonce', stopped(election, nonce), 1_500)
    expect((await scene.said(election, 'a'))?.lastResign?.reason).toContain('bad data')
    expect((await scene.keys('/tenure/presence/')).some(({ lease }) => lease === held?.lease)).toBe(true)
    await always('nobody leads or queues', () => leadersOf([a, b, c]).length === 0, 1_000)
    expect(await scene.queue(election)).toEqual([])

    await scene.release(scope, { match })
    await eventually('one leads', () => leadersOf([a, b, c]).length === 1, 2_000)
    await eventually('the others queue', async () => (await scene.queue(election)).length === 3, 2_000)
    await always('exactly one leads', () => leadersOf([a, b, c]).length === 1, 500)
  })
})

it('leaves an election alone that only begins alike', async () => {
  const a = await scene.leader({ election: 'jobs/nightly', identity: 'a' })
  await scene.engage('jobs/night')
  await scene.engage('jobs/', { match: 'exact' })
  await always('a leads', () => leads(a), 1_200)
})

describe.each([
  ['is no text', Uint8Array.of(0, 255, 254, 128)],
  ['is no JSON', 'off!'],
  ['is empty', ''],
  ['is of an unknown version', '{"v":2,"state":"released"}'],
  ['lacks a field', '{"v":1,"state":"released"}'],
  ['has an unknown state', JSON.stringify({ v: 1, state: 'paused' })],
])('a record that %s', (_name, value) => {
  it('stops the leader and keeps newcomers out', async () => {
    const election = scene.newElection()
    const a = await scene.leader({ election, identity: 'a' })
    await scene.put(`/tenure/switch/${election}/`, value)
    await eventually('a is stopped', () => a.candidate.state === 'stopped', 1_500)
    expect(a.terms[0]?.endedBy).toBe('kill switch')
    const b = scene.enter({ election, identity: 'b' })
    await eventually('b is stopped', () => b.candidate.state === 'stopped')
    expect(b.terms).toEqual([])
    await scene.release(`${election}/`)
    await eventually('one leads', () => leadersOf([a, b]).length === 1)
  })
})

it('stays stopped until the last of two records is released, and acknowledges both', async () => {
  const election = scene.newElection()
  const a = await scene.leader({ election, identity: 'a' })
  const first = await scene.engage(`${election}/`, { match: 'exact', by: 'ann' })
  await eventually('acknowledged', stopped(election, first))
  const second = await scene.engage('jobs/', { by: 'bob' })
  const nonces = async () => (await scene.presences(election))[0]?.switchNonces.toSorted()
  await eventually('both are', async () => String(await nonces()) === String([first, second].toSorted()))
  const third = await scene.engage(`${election}/`, { match: 'exact', by: 'cid' })
  await eventually('engaged anew', async () => String(await nonces()) === String([third, second].toSorted()))
  await scene.release(`${election}/`, { match: 'exact' })
  await eventually('one is left', async () => String(await nonces()) === second)
  await always('a does not lead', () => !leads(a), 300)
  await scene.release('jobs/')
  await eventually('a leads', () => leads(a))
})

describe('a candidate that etcd cannot reach when it is engaged', () => {
  it('goes on only to its deadline as the leader, and does not start as a waiter', async () => {
    const election = scene.newElection()
    const proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
    const a = await scene.leader({ election, identity: 'a', endpoints: [proxy.endpoint], ttlSeconds: 4 })
    const b = await scene.waiter({ election, identity: 'b', endpoints: [proxy.endpoint], ttlSeconds: 4 })
    await pause(300)
    await proxy.setMode('black-hole')
    const cutMs = performance.now()
    await scene.engage('')
    await always('no answer is no order', () => leads(a), 1_000)
    await eventually('its deadline has passed', () => !leads(a), 3_000)
    expect(performance.now() - cutMs).toBeLessThan(2_667 + 200)
    expect(a.terms[0]?.endedBy).toBe('not renewed')
    await eventually('its key has expired', async () => (await scene.queue(election)).length === 0, 10_000)
    await always('nobody starts', () => leadersOf([a, b]).length === 0, 1_000)
    await proxy.setMode('pass')
    await eventually('both are stopped', () => [a, b].every(({ candidate }) => candidate.state === 'stopped'))
    expect([a.terms.length, b.terms.length]).toEqual([1, 0])
    await scene.clear()
    await proxy.stop()
  })

  it.each([
    ['a moment', 1_200],
    ['longer than its lease', 5_000],
  ])('that is stopped and cut off for %s before it gave its seat up leads after the release', async (_name, cutMs) => {
    const election = scene.newElection()
    const proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
    const work = async ({ signal }: { signal: AbortSignal }) => {
      await untilAborted(signal)
      if (a.terms.length === 1) await proxy.setMode('refuse')
    }
    const a = scene.enter({ election, identity: 'a', endpoints: [proxy.endpoint], work })
    await eventually('a leads', () => leads(a))
    await scene.engage(`${election}/`)
    await eventually('cut off', () => proxy.mode === 'refuse', 1_500)
    await pause(cutMs)
    await scene.release(`${election}/`)
    await proxy.setMode('pass')
    await eventually('a leads again', () => a.terms.length === 2 && leads(a))
    await scene.clear()
    await proxy.stop()
  })
})

it('says that it is stopped only once a work that ignores the signal has ended, and frees the seat after 1 s', async () => {
  const election = scene.newElection()
  let end = () => {}
  const hanging = new Promise<void>((resolve) => {
    end = resolve
  })
  const a = await scene.leader({ election, identity: 'a', work: () => hanging })
  const engagedMs = performance.now()
  const nonce = await scene.engage(`${election}/`)
  await eventually('the key is gone', async () => (await scene.queue(election)).length === 0, 3_000)
  expect(performance.now() - engagedMs).toBeGreaterThan(950)
  expect(performance.now() - engagedMs).toBeLessThan(1_500)
  const said = await scene.said(election, 'a')
  expect(said).toMatchObject({ state: 'draining', switchNonces: [] })
  expect(a.candidate.health()).toBe(false)
  await scene.release(`${election}/`)
  await pause(1_000)
  expect(a.terms).toHaveLength(1)
  expect(await scene.queue(election)).toEqual([])
  const again = await scene.engage(`${election}/`)
  end()
  await eventually('acknowledged', stopped(election, again))
  expect(nonce).not.toBe(again)
})

it('works the same under another metaPrefix, and hears nothing of the default one', async () => {
  const election = scene.newElection()
  const metaPrefix = '/ops/tenure/'
  const a = await scene.leader({ election, identity: 'a', metaPrefix })
  await scene.engage('')
  await always('a leads', () => leads(a), 1_200)
  const nonce = await scene.engage(`${election}/`, { metaPrefix })
  await eventually('a is stopped', () => a.candidate.state === 'stopped', 1_500)
  await eventually('it says so there', async () => {
    const [said] = await scene.presences(election, metaPrefix)
    return said?.switchNonces[0] === nonce && said.metaPrefix === metaPrefix
  })
  await scene.release(`${election}/`, { metaPrefix })
  await eventually('a leads', () => leads(a))
})

it('stops a holder of a single key, and lets exactly one of three take it after the release', async () => {
  const election = scene.newElection()
  const a = await scene.leader({ election, identity: 'a', layout: 'single-key' })
  const others = [await scene.waiter({ election, identity: 'b', layout: 'single-key' })]
  others.push(scene.enter({ election, identity: 'c', layout: 'single-key' }))
  const nonce = await scene.engage(election, { match: 'exact' })
  await eventually('all are stopped', stopped(election, nonce), 5_000)
  expect(await scene.keys(election)).toEqual([])
  await scene.release(election, { match: 'exact' })
  await eventually('one leads', () => leadersOf([a, ...others]).length === 1)
  await always('exactly one leads', () => leadersOf([a, ...others]).length === 1, 1_000)
})
