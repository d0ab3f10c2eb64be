import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { leads, slow } from '../../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../../e2e/harness/library-candidate.ts'
import { refOf } from '../../../lib/election/ids.ts'
import type { LeaseId } from '../../../lib/election/types.ts'
import { ADA, ANN, newOperation } from '../callers-for-test.ts'
import { openStage, phase, type Stage } from './stage-for-test.ts'

let stage: Stage
let scene: Stage['scene']
let acting: Stage['acting']

beforeAll(async () => {
  stage = await openStage()
  ;({ scene, acting } = stage)
})
afterAll(() => stage.stop())
afterEach(() => stage.clear())

const elect: Stage['elect'] = (...given) => stage.elect(...given)
const seen: Stage['seen'] = (...given) => stage.seen(...given)
const writes = () => stage.writes()

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
    expect(await scene.order(election)).toBe('ab')
    expect(a?.terms).toHaveLength(1)
    expect((await acting.preflight(`${election}/`)).coolDown).toBeNull()
  })

  it('a single key is handed over to whoever says that it waits; before it is confirmed, nothing is', async () => {
    const election = `${scene.newElection()}/leader`
    const a = await scene.leader({ election, identity: 'a', layout: 'single-key' })
    const b = await scene.waiter({ election, identity: 'b', layout: 'single-key' })
    await acting.until(election, ({ term }) => term !== null, 'single-key')
    const { actions } = acting.runtime
    const about = { cluster: 'test', ref: refOf('single-key', election) }
    const before = await writes()
    const early = await actions.preflight(ANN, { ...about, action: 'handoff' })
    expect(early.refusal?.code).toBe('unconfirmed')
    await expect(acting.handoff(early, 'ask')).rejects.toMatchObject({ refusal: { code: 'unconfirmed' } })
    expect(await writes()).toBe(before)
    await actions.confirmElection(ADA, { ...about, operation: newOperation(), reason: 'it is one' })
    const preflight = await actions.preflight(ANN, { ...about, action: 'handoff' })
    expect(preflight).toMatchObject({ refusal: null, targets: [], defaultMethod: 'ask' })
    const { id } = await acting.handoff(preflight, 'ask')
    expect((await acting.follow(id)).outcome).toMatchObject({ is: 'verified' })
    await eventually('b leads', () => leads(b))
    expect(a.terms[0]?.endedBy).toBe('handed off')
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
    expect(result?.outcome?.words).toMatch(/Revision [\d,]+, read directly before the revoke, showed the same/)
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
    await eventually('B is behind', async () => (await scene.order(election)) === 'CB')
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
