/** What a handoff never hits: another leader, another person's sight, a seat that is held. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { BEN, newOperation, VIC } from '../callers-for-test.ts'
import { openStage, type Stage } from './stage-for-test.ts'

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
    await eventually('C is the head', async () => (await scene.order(election)) === 'CD')
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
    expect(await scene.order(election)).toBe('BC')
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
