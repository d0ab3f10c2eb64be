import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spawnElect } from '../../e2e/harness/candidate.ts'
import { leads, Scene, slow } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'
import type { OwnedProcess } from '../../e2e/harness/owned-process.ts'
import type { Phase } from '../../lib/election/actions.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { type Acting, startActing, writesOf } from './acting-for-test.ts'
import { ADA, ANN, BEN, newOperation, VIC } from './callers-for-test.ts'

let scene: Scene
let acting: Acting
const foreign: OwnedProcess[] = []

beforeAll(async () => {
  scene = await Scene.open()
  acting = await startActing({ endpoints: scene.etcd.endpoints, watch: ['jobs/'] })
})
afterAll(async () => {
  await acting.stop()
  await scene.stop()
})
afterEach(async () => {
  await Promise.all(foreign.splice(0).map((each) => each.kill()))
  await scene.clear()
})

const identities = async (election: string) => (await scene.order(election)).split('').join('')

/** Foreign candidates, one behind the other. */
async function elect(election: string, values: string): Promise<OwnedProcess[]> {
  const all: OwnedProcess[] = []
  for (const value of values) {
    all.push(spawnElect({ endpoints: scene.etcd.endpoints, election, value }))
    await eventually(`${value} queues`, async () => (await identities(election)).endsWith(value))
  }
  foreign.push(...all)
  return all
}

const seen = (election: string, count: number) =>
  acting.until(`${election}/`, (state) => state.candidates.length >= count)
const phase = (phases: readonly Phase[], name: Phase['name']) => phases.find((each) => each.name === name)
const writes = () => writesOf((args) => scene.etcd.etcdctl(args))

describe('ask', () => {
  it('a library leader drains, resigns for the target and says so', async () => {
    const election = scene.newElection()
    const [a, , c] = (await scene.line(election, 'abc', { work: slow(300) })) as TestCandidate[]
    await seen(election, 3)
    const preflight = await acting.preflight(`${election}/`)
    expect(preflight).toMatchObject({ defaultMethod: 'ask', refusal: null, leader: { identity: 'a' }, coolDown: null })
    expect(preflight.targets.map(({ identity, offered }) => [identity, offered])).toEqual([
      ['b', true],
      ['c', true],
    ])
    const target = await scene.targetOf(election, 2)
    const { id } = await acting.handoff(preflight, 'ask', { target })
    const done = await acting.follow(id, ({ phases }) => phase(phases, 'acknowledged')?.known === 'reported')
    expect(done.outcome).toMatchObject({ is: 'verified', words: expect.stringContaining('c leads with token') })
    expect(done.phases.map(({ name, known }) => `${name}: ${known}`)).toEqual([
      'requested: etcd',
      'draining: reported',
      'released: etcd',
      'elected: etcd',
      'acknowledged: reported',
    ])
    expect(phase(done.phases, 'acknowledged')?.evidence).toContain('handed off by Ann: a test')
    expect(c && leads(c)).toBe(true)
    expect(a?.terms[0]?.endedBy).toBe('handed off')
    const { ended } = await acting.until(`${election}/`, (state) => state.ended.at(-1)?.endedBy?.cause === 'handed off')
    expect(ended.at(-1)?.endedBy).toMatchObject({ by: 'Ann' })
    expect(await scene.keys('/tenure/handoff/')).toEqual([])
  })

  it('a leader that does not answer stays leader, and nothing is forced', async () => {
    const election = scene.newElection()
    const [a] = (await scene.line(election, 'ab', { work: slow(4_000), ttlSeconds: 30 })) as TestCandidate[]
    await seen(election, 2)
    const { id } = await acting.handoff(await acting.preflight(`${election}/`), 'ask', { deadlineMs: 2_000 })
    const { outcome, phases } = await acting.follow(id)
    expect(outcome).toMatchObject({ is: 'failed', words: 'a did not answer within 2 s and stays leader.' })
    expect(phase(phases, 'released')?.known).toBe('not yet')
    expect(await identities(election)).toBe('ab')
    expect(a?.terms).toHaveLength(1)
    expect((await acting.preflight(`${election}/`)).coolDown).toBeNull()
  })

  it('is not offered for a foreign leader, nor a target behind a foreign waiter', async () => {
    const election = scene.newElection()
    await scene.line(election, 'a')
    await elect(election, 'F')
    scene.enter({ election, identity: 'd' })
    await seen(election, 3)
    const { targets } = await acting.preflight(`${election}/`)
    expect(targets.map(({ identity, offered }) => [identity, offered])).toEqual([
      ['F', true],
      ['d', false],
    ])
    const refused = acting.handoff(await acting.preflight(`${election}/`), 'ask', {
      target: await scene.targetOf(election, 2),
    })
    await expect(refused).rejects.toMatchObject({ refusal: { code: 'target-not-offered' } })
    const other = scene.newElection()
    await elect(other, 'FG')
    await seen(other, 2)
    const preflight = await acting.preflight(`${other}/`)
    expect(preflight.methods.map(({ method, offered }) => [method, offered])).toEqual([
      ['ask', false],
      ['revoke-session', true],
      ['remove-key', true],
    ])
    await expect(acting.handoff(preflight, 'ask')).rejects.toMatchObject({ refusal: { code: 'method-not-offered' } })
  })
})

describe('revoke-session', () => {
  it('ends a foreign leader’s session, names the successor and the cause', async () => {
    const election = scene.newElection()
    await elect(election, 'BC')
    await seen(election, 2)
    const preflight = await acting.preflight(`${election}/`)
    expect(preflight).toMatchObject({ defaultMethod: 'revoke-session', overlapMs: 20_000, leaseKeys: { total: 0 } })
    const { id, outcome } = await acting.handoff(preflight, 'revoke-session')
    expect(outcome).toMatchObject({ is: 'verified', words: expect.stringContaining('C leads with token') })
    const ended = await acting.until(`${election}/`, (state) => state.ended.at(-1)?.endedBy?.cause === 'revoked')
    expect(ended.ended.at(-1)?.endedBy).toMatchObject({ by: 'Ann', evidence: 'its session was revoked by Ann: a test' })
    const [intent, result] = acting.audit(id)
    expect(intent).toMatchObject({ kind: 'intent', seen: { readAt: preflight.readAt, leader: { identity: 'B' } } })
    expect(JSON.stringify([intent, result])).not.toContain(preflight.token)
    expect(result).toMatchObject({ kind: 'outcome', outcome: { is: 'verified' } })
  })

  it('names every other key and election on the lease, and is refused when the list changed', async () => {
    const [election, other] = [scene.newElection(), scene.newElection()]
    await scene.line(election, 'a', { ttlSeconds: 30 })
    await elect(election, 'C')
    const [head] = await scene.queue(election)
    await scene.put(`${other}/${head?.lease?.replace(/^0+/, '')}`, 'a', head?.lease)
    await scene.put('locks/eu-1', 'held', head?.lease)
    await acting.until(`${other}/`, () => true)
    await seen(election, 2)
    const preflight = await acting.preflight(`${election}/`)
    const named = preflight.leaseKeys?.keys.map(({ key, election: of }) => [key.split('/')[0], of?.name ?? null])
    expect(named).toEqual(
      expect.arrayContaining([
        ['locks', null],
        ['jobs', other.split('/')[1]],
        ['', null],
      ]),
    )
    await scene.put('locks/eu-2', 'held', head?.lease)
    const before = await writes()
    const refused = acting.handoff(preflight, 'revoke-session')
    await expect(refused).rejects.toMatchObject({ refusal: { code: 'changed', expected: '4 keys', is: '5 keys' } })
    expect(await writes()).toBe(before)
  })
})

describe('remove-key', () => {
  it('RC-17 (1): a foreign leader that does not notice is warned of until its lease ends, also after a restart', async () => {
    const election = scene.newElection()
    const [b] = await elect(election, 'BC')
    await seen(election, 2)
    const preflight = await acting.preflight(`${election}/`, 'remove-key')
    expect(preflight.methods.find(({ method }) => method === 'remove-key')?.why).toContain('probably not notice')
    const { id, outcome } = await acting.handoff(preflight, 'remove-key')
    expect(outcome).toMatchObject({ is: 'verified', words: expect.stringContaining('C leads') })
    const lease = preflight.leader.lease ?? ''
    const warned = ({ warnings }: { warnings: readonly string[] }) => warnings.some((text) => text.includes(lease))
    expect((await acting.follow(id, warned)).warnings[0]).toMatch(/B may still act. Restart that process./)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await scene.admin.renew(lease as LeaseId, { deadlineMs: 2_000 })
    const renewed = await acting.follow(id, ({ warnings }) => warnings[0]?.includes('is still renewed') === true)
    expect(renewed.warnings[0]).toContain(lease)
    expect(b?.isRunning()).toBe(true)
    await acting.restart()
    const ref = preflight.ref as never
    await acting.follow(id, warned)
    expect(acting.runtime.actions.handoffs('test', ref)[0]).toMatchObject({ id, outcome: { is: 'verified' } })
    await b?.kill()
    await scene.revoke(lease as LeaseId)
    await acting.follow(id, ({ warnings }) => warnings.length === 0)
  })

  it('is bound to the mod revision: a key that was written again is not removed', async () => {
    const election = scene.newElection()
    await elect(election, 'BC')
    await seen(election, 2)
    const preflight = await acting.preflight(`${election}/`, 'remove-key')
    const [head] = await scene.queue(election)
    if (head) await scene.put(head.key, 'B', head.lease)
    const before = await writes()
    await expect(acting.handoff(preflight, 'remove-key')).rejects.toMatchObject({ refusal: { code: 'changed' } })
    expect(await writes()).toBe(before)
    const unbound = acting.handoff(await acting.preflight(`${election}/`), 'remove-key')
    await expect(unbound).rejects.toMatchObject({ refusal: { code: 'token' } })
  })

  it('RC-17 (2): a library leader stops within a second and queues behind', async () => {
    const election = scene.newElection()
    const [b, c] = (await scene.line(election, 'BC')) as TestCandidate[]
    await seen(election, 2)
    const { id } = await acting.handoff(await acting.preflight(`${election}/`, 'remove-key'), 'remove-key')
    await eventually('B stopped', () => b?.terms[0]?.leadership.signal.aborted === true, 1_000)
    await eventually('C leads', () => c !== undefined && leads(c))
    expect(c?.terms[0]?.leadership.token.revision).not.toBe(b?.terms[0]?.leadership.token.revision)
    await eventually('B is behind', async () => (await identities(election)) === 'CB')
    await acting.follow(
      id,
      (now) => phase(now.phases, 'acknowledged')?.known === 'reported' && now.warnings.length === 0,
    )
  })

  it('RC-17 (3): a lone candidate that wins again is re-elected, with a new term', async () => {
    const election = scene.newElection()
    await scene.line(election, 'a')
    await seen(election, 1)
    const preflight = await acting.preflight(`${election}/`, 'handoff', ADA)
    expect(preflight.checks.find(({ id }) => id === 'standby')?.is).toBe('fail')
    const ask = (caller = ADA) => acting.handoff(preflight, 'ask', { caller, overridesNoStandby: true })
    const refused = acting.handoff(await acting.preflight(`${election}/`), 'ask', { overridesNoStandby: true })
    await expect(refused).rejects.toMatchObject({ refusal: { code: 'no-standby' } })
    const { id } = await ask()
    const { outcome } = await acting.follow(id)
    expect(outcome).toMatchObject({
      is: 'verified',
      words: expect.stringMatching(/^a was re-elected: same identity, new term, token/),
    })
  })
})

describe('RC-15', () => {
  it('two clicks, a stale tab and a replay: one leader goes, nothing else is written', async () => {
    const election = scene.newElection()
    await elect(election, 'BCD')
    await seen(election, 3)
    const [mine, stale] = [
      await acting.preflight(`${election}/`),
      await acting.preflight(`${election}/`, 'handoff', BEN),
    ]
    const operation = newOperation()
    const first = acting.handoff(mine, 'revoke-session', { operation })
    const [once, twice] = await Promise.all([first, acting.handoff(mine, 'revoke-session', { operation })])
    expect([twice.id, twice.at]).toEqual([once.id, once.at])
    await eventually('C is the head', async () => (await identities(election)) === 'CD')
    const before = await writes()
    const again = acting.handoff(mine, 'revoke-session', { acknowledgedOperation: operation })
    await expect(again).rejects.toMatchObject({ refusal: { code: 'changed' } })
    const [head] = await scene.queue(election)
    await expect(acting.handoff(stale, 'revoke-session', { caller: BEN })).rejects.toMatchObject({
      refusal: {
        code: 'changed',
        why: `The leader changed to C (rev ${head?.createRevision}).`,
        expected: `B (rev ${mine.leader.createRevision})`,
        is: `C (rev ${head?.createRevision})`,
      },
    })
    expect(await acting.handoff(mine, 'revoke-session', { operation })).toMatchObject({
      id: operation,
      outcome: once.outcome,
    })
    expect(await writes()).toBe(before)
    const kinds = acting
      .audit()
      .filter(({ subject }) => subject.ref === mine.ref)
      .map(({ kind, actor }) => `${kind} ${actor.name}`)
    expect(kinds).toEqual(['intent Ann', 'outcome Ann', 'refusal Ann', 'refusal Ben'])
  })

  it('a second handoff within two minutes needs the first acknowledged', async () => {
    const election = scene.newElection()
    await elect(election, 'BCD')
    await seen(election, 3)
    const { id } = await acting.handoff(await acting.preflight(`${election}/`), 'revoke-session')
    await acting.until(`${election}/`, ({ candidates }) => candidates.length === 2)
    const preflight = await acting.preflight(`${election}/`, 'handoff', BEN)
    expect(preflight.coolDown).toMatchObject({ operation: id, by: 'Ann' })
    const before = await writes()
    const unread = acting.handoff(preflight, 'revoke-session', { caller: BEN })
    await expect(unread).rejects.toMatchObject({ refusal: { code: 'cool-down', expected: id } })
    expect(await writes()).toBe(before)
    const again = await acting.preflight(`${election}/`, 'handoff', BEN)
    const read = await acting.handoff(again, 'revoke-session', { caller: BEN, acknowledgedOperation: id })
    expect(read.outcome?.is).toBe('verified')
  })

  it('a token is good for whoever asked, for its election and its action alone', async () => {
    const election = scene.newElection()
    await elect(election, 'BC')
    await seen(election, 2)
    const preflight = await acting.preflight(`${election}/`)
    const token = { refusal: { code: 'token' } }
    await expect(acting.handoff(preflight, 'revoke-session', { caller: BEN })).rejects.toMatchObject(token)
    await expect(acting.handoff({ ...preflight, token: 'x' }, 'revoke-session')).rejects.toMatchObject(token)
    const viewer = acting.handoff(preflight, 'revoke-session', { caller: VIC })
    await expect(viewer).rejects.toMatchObject({ refusal: { code: 'role' } })
    expect(await identities(election)).toBe('BC')
    expect(ANN.role).toBe('operator')
  })
})

it('a seat that an enforced stop holds is never freed by a handoff', async () => {
  const election = scene.newElection()
  await elect(election, 'BC')
  const [head] = await scene.queue(election)
  if (head) await scene.put(head.key, JSON.stringify({ tenure: 'halt', nonce: 'n1' }))
  await acting.until(`${election}/`, ({ candidates }) => candidates[0]?.lease === null)
  const preflight = await acting.preflight(`${election}/`, 'remove-key')
  expect(preflight.methods.map(({ offered }) => offered)).toEqual([false, false, false])
  const refused = acting.handoff(preflight, 'remove-key')
  await expect(refused).rejects.toMatchObject({ refusal: { code: 'method-not-offered' } })
  if (head) await scene.delete(head.key)
})
