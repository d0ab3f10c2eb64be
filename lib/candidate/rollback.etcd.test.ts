import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { always, type Entrant, leadersOf, leads, pause, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'
import { restoreSnapshot } from '../../e2e/harness/restore.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { compareTokens } from '../election/epoch.ts'
import { StoreRolledBackError } from './index.ts'

let scene: Scene
const folder = makeTempFolder('rollback')

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(async () => {
  await scene.stop()
  folder.remove()
})
afterEach(() => scene.clear())

const epochOf = (epoch: number) => JSON.stringify({ v: 1, epoch, id: `e${epoch}`, highRevision: '1000' })
const raise = (epoch: number, metaPrefix = '/tenure/') => scene.put(`${metaPrefix}epoch`, epochOf(epoch))
const refusals: Error[] = []
const noting: Partial<Entrant> = {
  onTrouble: (error) => {
    if (error instanceof StoreRolledBackError) refusals.push(error)
  },
}

/** A snapshot, then `grow` revisions that it does not know of. */
async function snapshot(name: string, grow: number): Promise<string> {
  const file = join(folder.path, name)
  expect((await scene.etcd.etcdctl(['snapshot', 'save', file])).code).toBe(0)
  for (let n = 0; n < grow; n += 1) await scene.put('/filler', String(n))
  return file
}

const tokenOf = (one: TestCandidate | undefined, term = 0) => {
  const token = one?.terms.at(term)?.leadership.token
  if (token === undefined) throw new Error('no such term')
  return token
}

describe.each(['queue', 'single-key'] as const)('%s: a store restored from a backup (RC-09)', (layout) => {
  it('ends the term with its own error, nothing is led, and the next token compares higher', async () => {
    const election = scene.newElection()
    refusals.length = 0
    // A TTL that outlasts the restore: the term ends for what etcd says, not for its deadline.
    const options = { election, layout, ttlSeconds: 30, ...noting }
    const a = await scene.leader({ ...options, identity: 'a' })
    const b = await scene.waiter({ ...options, identity: 'b' })
    const file = await snapshot(`${layout}.db`, 40)
    // Both have seen the newer revisions.
    await scene.engage(layout === 'queue' ? `${election}/` : election)
    await eventually('both are stopped', () => [a, b].every(({ candidate }) => candidate.state === 'stopped'))
    await scene.release(layout === 'queue' ? `${election}/` : election)
    await eventually('one leads', () => leadersOf([a, b]).length === 1)
    const [before] = leadersOf([a, b])
    const old = tokenOf(before, -1)
    const termsBefore = a.terms.length + b.terms.length

    await restoreSnapshot(scene.etcd, file)
    await eventually('its term is over', () => before !== undefined && !leads(before), 12_000)
    expect(before?.terms.at(-1)?.leadership.signal.reason).toMatchObject({ why: 'store rolled back', token: old })
    await eventually('both refuse', () => refusals.length >= 2, 12_000)
    expect(refusals[0]?.message).toMatch(/etcd is at revision \d+, after \d+ had been seen: it was restored/)
    // Even when the revisions have grown past all that was seen, the tokens between belong to the lost store.
    for (let n = 0; n < 80; n += 1) await scene.put('/filler', String(n))
    await always('nobody leads', () => a.terms.length + b.terms.length === termsBefore, 3_000)

    await raise(1)
    await eventually('one leads again', () => leadersOf([a, b]).length === 1, 8_000)
    const [after] = leadersOf([a, b])
    expect(tokenOf(after, -1).epoch).toBe(1)
    expect(compareTokens(tokenOf(after, -1), old)).toBeGreaterThan(0)
    await always('and only one', () => leadersOf([a, b]).length === 1, 500)
  }, 60_000)
})

it('a restore that outlasts the lease is refused as well, and a raised epoch that came with it is adopted', async () => {
  const election = scene.newElection()
  refusals.length = 0
  const a = await scene.leader({ election, identity: 'a', ttlSeconds: 3, ...noting })
  const old = tokenOf(a)
  const file = await snapshot('long.db', 40)
  await pause(1_200)
  const [member] = scene.etcd.members
  await member?.stop()
  await pause(3_000)
  await restoreSnapshot(scene.etcd, file)
  await raise(3)
  await eventually('a leads again', () => leads(a), 15_000)
  expect(refusals.length).toBeGreaterThan(0)
  expect(tokenOf(a, -1).epoch).toBe(3)
  expect(compareTokens(tokenOf(a, -1), old)).toBeGreaterThan(0)
}, 60_000)

it('an epoch raised while it leads ends the term: the next token carries it', async () => {
  const election = scene.newElection()
  const [a, b] = (await scene.line(election, 'ab')) as [TestCandidate, TestCandidate]
  await raise(4)
  await eventually('the term is over', () => a.terms[0]?.endedBy === 'epoch raised', 1_000)
  await eventually('one leads', () => leadersOf([a, b]).length === 1)
  const [next] = leadersOf([a, b])
  expect(tokenOf(next, -1).epoch).toBe(4)
  expect(compareTokens(tokenOf(next, -1), tokenOf(a))).toBeGreaterThan(0)
})

it.each([
  ['no JSON', 'seven'],
  ['no text', Uint8Array.of(255, 254)],
  ['an unknown version', '{"v":2,"epoch":9}'],
  ['a negative epoch', '{"v":1,"epoch":-1,"id":"x","highRevision":"1"}'],
])(
  'an epoch key with %s stops the leader, holds newcomers, and they lead again once it is mended',
  async (_what, value) => {
    const election = scene.newElection()
    refusals.length = 0
    await raise(2)
    const a = await scene.leader({ election, identity: 'a', ...noting })
    await scene.put('/tenure/epoch', value)
    await eventually('the term is over', () => a.terms[0]?.endedBy === 'store rolled back', 1_000)
    await eventually('a says why', () => refusals[0]?.message.includes('the epoch key cannot be read') === true)
    const b = scene.enter({ election, identity: 'b', ...noting })
    await always('nobody leads', () => leadersOf([a, b]).length === 0, 1_000)
    // The same epoch as before: nothing went backwards.
    await raise(2)
    await eventually('one leads', () => leadersOf([a, b]).length === 1)
  },
)

it('an epoch that went down is not led in until it is above all that were seen', async () => {
  const election = scene.newElection()
  await raise(5)
  const a = await scene.leader({ election, identity: 'a' })
  await scene.delete('/tenure/epoch')
  await eventually('the term is over', () => a.terms[0]?.endedBy === 'store rolled back', 1_000)
  await raise(5)
  await always('5 was seen already', () => a.terms.length === 1, 2_500)
  await raise(6)
  await eventually('a leads', () => leads(a))
  expect(tokenOf(a, -1).epoch).toBe(6)
})

it('minEpoch: refuses below it and says what to write where, and leads from it on', async () => {
  const election = scene.newElection()
  refusals.length = 0
  const a = scene.enter({ election, identity: 'a', minEpoch: 2, metaPrefix: '/moved/', ...noting })
  await eventually('a refuses', () => refusals.length > 0)
  expect(refusals[0]?.message).toContain('etcd is in epoch 0, below minEpoch 2')
  expect(refusals[0]?.message).toContain(
    'put {"v":1,"epoch":2,"id":"<random>","highRevision":"<of the former cluster>"} into /moved/epoch',
  )
  await raise(1, '/moved/')
  await always('1 is below', () => a.terms.length === 0, 2_500)
  expect(await scene.queue(election)).toEqual([])
  await raise(2, '/moved/')
  await eventually('a leads', () => leads(a))
  expect(tokenOf(a).epoch).toBe(2)
  expect(refusals.length).toBeLessThan(4)
  await scene.delete('/moved/epoch')
})
