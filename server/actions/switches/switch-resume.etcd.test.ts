/** What a start makes of intents without an outcome, whatever the server had come to when it was killed. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { leaseSegment } from '../../../lib/election/ids.ts'
import { engaged, released } from '../../../lib/election/switch-changes.ts'
import { heldValue, isHeld } from '../../../lib/election/switches.ts'
import { base64FromLatin1 } from '../../../lib/shared/bytes.ts'
import { FakeAudit } from '../../history/fake-audit.ts'
import type { Actions } from '../actions.ts'
import { Acting, actionsOn, BEN, inMs, newOperation } from './act-for-test.ts'

/** These take as long as Tenure waits for whoever may still write. */
const LONG = process.env.TENURE_TEST_LONG === '1'

let scene: Scene
let acting: Acting
let audit: FakeAudit
let actions: Actions
let election = ''
let key = ''
let operation = ''
beforeAll(async () => {
  scene = await Scene.open()
  // It only watches: whoever acts is made by each test.
  acting = await Acting.start({ endpoints: scene.etcd.endpoints, watch: ['jobs/'], readOnly: true })
})
afterAll(async () => {
  await acting.stop()
  await scene.stop()
})
beforeEach(async () => {
  audit = new FakeAudit()
  operation = newOperation()
  election = scene.newElection()
  const { lease } = await scene.admin.grant(60, { deadlineMs: 2_000 })
  key = `${election}/${leaseSegment(lease)}`
  await scene.put(key, 'go', lease)
  await eventually('it is known', () =>
    [...acting.view.elections.values()].some(({ prefix }) => prefix === `${election}/`),
  )
  actions = actionsOn(acting, { etcd: scene.admin, audit })
})
afterEach(async () => {
  actions.stop()
  for (const { key } of await scene.keys('jobs/')) await scene.delete(key)
  await scene.clear()
})

const NONCE = 'n1'
function intend(until: string, mode: 'enforced' | 'cooperative' = 'enforced', modRevision = '0'): void {
  const scopeBase64 = base64FromLatin1(`${election}/`)
  audit.add({
    kind: 'intent',
    operation,
    verb: 'engage',
    actor: BEN.actor,
    subject: { cluster: 'test', scopeBase64 },
    reason: 'bad data',
    asked: { cluster: 'test', scopeBase64, match: 'exact', mode, until, matchesNothing: false },
    seen: { nonce: NONCE, standing: 'none', modRevision, revision: '1', elections: 1, leaders: [] },
  })
}
const hold = () =>
  scene.put(
    key,
    heldValue({ nonce: NONCE, operation, by: 'Ben', layout: 'queue', lease: null, identity: 'go', library: false }),
  )
const record = (until: string) => {
  const doing = { at: inMs(-60_000), by: 'Ben', operation, reason: 'bad data' }
  const engaging = { until, mode: 'enforced', match: 'exact', nonce: NONCE } as const
  return scene.put(`/tenure/switch/${election}/`, JSON.stringify(engaged(null, doing, engaging)))
}
const outcome = () => audit.entries.findLast(({ kind }) => kind === 'outcome')?.outcome
const isHeadHeld = async () => (await scene.queue(election)).some(isHeld)
const isRecorded = async () => (await scene.keys('/tenure/switch/')).length > 0

it('goes on with an enforced stop that had only been meant', async () => {
  intend(inMs(60_000))
  actions.start()
  await eventually('it is done', () => outcome()?.is === 'verified')
  expect([await isHeadHeld(), await isRecorded()]).toEqual([true, true])
})

it('goes on with one whose heads were held and whose record was not written', async () => {
  intend(inMs(60_000))
  await hold()
  actions.start()
  await eventually('it is done', () => outcome()?.is === 'verified')
  expect([await isHeadHeld(), await isRecorded()]).toEqual([true, true])
  expect(await scene.queue(election)).toHaveLength(1)
})

it('does not go on with one whose record was released by somebody else since, and lets go of what it held', async () => {
  intend(inMs(60_000), 'enforced', '1')
  await hold()
  const other = { at: inMs(0), by: 'Ann', operation: 'other', reason: 'repaired' }
  const engaging = { until: inMs(60_000), mode: 'enforced', match: 'exact', nonce: 'n2' } as const
  await scene.put(`/tenure/switch/${election}/`, JSON.stringify(released(engaged(null, other, engaging), other, null)))
  actions.start()
  await eventually('it has failed', () => outcome()?.is === 'failed')
  expect(outcome()?.words).toMatch(/^NOT ENGAGED\. Not executed: the server was restarted and the record was changed/)
  await eventually('it is let go', async () => !(await isHeadHeld()))
})

it('ends one whose time has passed meanwhile, and lets go of what was held for it', async () => {
  intend(inMs(-1_000))
  await hold()
  actions.start()
  await eventually('it has failed', () => outcome()?.is === 'failed')
  expect(outcome()?.words).toMatch(/^NOT ENGAGED\. The time/)
  await eventually('it is let go', async () => !(await isHeadHeld()))
  expect(await isRecorded()).toBe(false)
})

it('finds that one had been engaged, also when its time has passed since', async () => {
  intend(inMs(-1_000))
  await hold()
  await record(inMs(-1_000))
  actions.start()
  await eventually('it was done', () => outcome()?.is === 'verified')
  expect([await isHeadHeld(), await isRecorded()]).toEqual([true, true])
})

/** They wait for most of a minute each. */
function longForm(): void {
  it('finds that a cooperative one was not done, and does not do it now', async () => {
    intend(inMs(60_000), 'cooperative')
    actions.start()
    await eventually('it has failed', () => outcome()?.is === 'failed', 25_000)
    expect(outcome()?.words).toMatch(/^NOT ENGAGED\. Not executed/)
    expect(await isRecorded()).toBe(false)
  }, 40_000)

  it('never lets go of a head that was held by hand, for as long as nobody releases it', async () => {
    await scene.put(key, '{"tenure":"halt","nonce":"by-hand"}')
    actions.start()
    await new Promise((resolve) => setTimeout(resolve, 40_000))
    expect(await isHeadHeld()).toBe(true)
  }, 60_000)
}

if (LONG) longForm()
