import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { always, leads, pause, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'

let scene: Scene

beforeAll(async () => {
  scene = await Scene.open({ flags: ['--quota-backend-bytes=4194304'] })
})
afterAll(() => scene.stop())
afterEach(async () => {
  await freeSpace()
  await scene.clear()
})

/** Writes until etcd refuses. */
async function fill(): Promise<void> {
  const value = new Uint8Array(256 * 1024)
  for (let n = 0; n < 100; n += 1) {
    try {
      await scene.put(`/filler/${n}`, value)
    } catch (error) {
      if ((error as { kind?: string }).kind === 'no-space') return
      throw error
    }
  }
  throw new Error('etcd did not run out of space')
}

async function freeSpace(): Promise<void> {
  for (const { key } of await scene.keys('/filler/')) await scene.delete(key)
  const { header } = await scene.admin.range({ key: Uint8Array.of(1) }, { deadlineMs: 2_000 })
  for (const args of [['compact', header.revision], ['defrag'], ['alarm', 'disarm']]) {
    const { code, stderr } = await scene.etcd.etcdctl(args)
    if (code !== 0 && !stderr.includes('compacted')) throw new Error(stderr)
  }
}

const said = (one: TestCandidate, text: string) => one.troubles.some((trouble) => trouble.includes(text))
const FULL = 'database space exceeded'

it('leaders lead on, waiters wait, newcomers say why they do not, and take part once there is space (RC-18)', async () => {
  const election = scene.newElection()
  const [a, b] = (await scene.line(election, 'ab')) as [TestCandidate, TestCandidate]
  await fill()
  const c = scene.enter({ election, identity: 'c' })
  await always('a leads', () => leads(a) && b.terms.length === 0, 5_000)
  await eventually('c says why', () => said(c, FULL))
  expect([c.terms.length, await scene.order(election)]).toEqual([0, 'ab'])
  expect(c.troubles.length).toBeLessThan(20)
  await freeSpace()
  await eventually('c queues', async () => (await scene.order(election)) === 'abc')
})

it('a resign still works, its last word left out: the waiter leads, and the former leader says why it cannot queue', async () => {
  const election = scene.newElection()
  const [a, b] = (await scene.line(election, 'ab')) as [TestCandidate, TestCandidate]
  await fill()
  await a.candidate.resign('a test')
  await eventually('b leads', () => leads(b), 1_500)
  expect(a.terms[0]?.endedBy).toBe('resigned')
  await eventually('a says why', () => said(a, FULL))
  await always('b leads, a does not', () => leads(b) && a.terms.length === 1, 3_500)
  await freeSpace()
  await eventually('a is behind', async () => (await scene.order(election)) === 'ba')
})

it('a switch that cannot be engaged stops nobody, a deleted record stops who halts, and is acknowledged late', async () => {
  const election = scene.newElection()
  await scene.release(`${election}/`)
  const a = await scene.leader({ election, identity: 'a', onMissingSwitch: 'halt', ttlSeconds: 3 })
  const runs = await scene.leader({ election: scene.newElection(), identity: 'runs' })
  await fill()
  await expect(scene.engage('jobs/')).rejects.toThrow(FULL)
  await always('both lead', () => leads(a) && leads(runs), 1_500)
  await scene.delete(`/tenure/switch/${election}/`)
  await eventually('a is stopped', () => a.candidate.state === 'stopped', 1_500)
  expect(await scene.queue(election)).toEqual([])
  expect((await scene.said(election, 'a'))?.state).not.toBe('stopped')
  await pause(500)
  await freeSpace()
  await eventually('a says so', async () => (await scene.said(election, 'a'))?.state === 'stopped', 5_000)
  expect(leads(runs)).toBe(true)
})

it('a work that fails is told to the caller, and its seat is free', async () => {
  const election = scene.newElection()
  let fail = () => {}
  const failing = new Promise<void>((_, reject) => {
    fail = () => reject(new Error('disk full'))
  })
  const a = await scene.leader({ election, identity: 'a', work: () => failing })
  const b = await scene.waiter({ election, identity: 'b' })
  await fill()
  fail()
  expect((await a.ended)?.message).toBe('disk full')
  await eventually('b leads', () => leads(b), 1_500)
})

it('a single key that was given up stays free until there is space', async () => {
  const election = scene.newElection()
  const a = await scene.leader({ election, identity: 'a', layout: 'single-key' })
  await fill()
  await a.candidate.resign('a test')
  await eventually('a says why', () => said(a, FULL))
  expect(await scene.keys(election)).toEqual([])
  await freeSpace()
  await eventually('a leads', () => leads(a))
})
