/** What lets a held head go whose record is not there, and what never does. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Scene } from '../../../e2e/harness/election-scene.ts'
import { refOf } from '../../../lib/election/ids.ts'
import { engaged, released } from '../../../lib/election/switch-changes.ts'
import { heldValue, isHeld } from '../../../lib/election/switches.ts'
import type { ElectionState } from '../../../lib/election/types.ts'
import { base64FromLatin1 } from '../../../lib/shared/bytes.ts'
import { FakeAudit } from '../../history/fake-audit.ts'
import type { Reach } from '../reach.ts'
import { Recorder } from '../recorder.ts'
import { LettingGo } from './letting-go.ts'

let scene: Scene
let audit: FakeAudit
let letting: LettingGo
let state: ElectionState
let nowMs = 0
beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())
beforeEach(async () => {
  await scene.clear()
  nowMs = 0
  audit = new FakeAudit()
  letting = dashboard(audit)
  const prefix = `${scene.newElection()}/`
  const prefixBase64 = base64FromLatin1(prefix)
  state = { ref: refOf('queue', prefix), layout: 'queue', prefix, prefixBase64 } as unknown as ElectionState
})

function dashboard(audit: FakeAudit): LettingGo {
  const clock = { nowMs: () => Date.now(), monoMs: () => nowMs }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const { signal } = new AbortController()
  const reach = { name: 'test', etcd: scene.admin, metaPrefix: '/tenure/', view: { nameOf: () => 'job' } }
  const recorder = new Recorder({ audit, clock, log, signal })
  return new LettingGo(reach as unknown as Reach, { audit, recorder, clock, log, signal })
}

const doing = { at: '2026-03-12T03:00:00.000Z', by: 'Ben', operation: 'op-1', reason: 'bad data' }
const stop = (nonce: string, operation = 'other') =>
  engaged(null, { ...doing, operation }, { until: doing.at, mode: 'enforced', match: 'prefix', nonce })
const hold = (operation = 'op-1') =>
  scene.put(
    `${state.prefix}~halt`,
    heldValue({ nonce: 'n1', operation, by: 'Ben', layout: 'queue', lease: null, identity: '', library: false }),
  )
const write = (scope: string, record: object) => scene.put(`/tenure/switch/${scope}`, JSON.stringify(record))
const isHeadHeld = async () => (await scene.keys(state.prefix)).some(isHeld)
/** Two looks, a minute between. */
async function afterAWhile(it = letting): Promise<boolean> {
  await it.tend(state)
  nowMs += 60_000
  await it.tend(state)
  return isHeadHeld()
}
const about = { operation: 'op-1', verb: 'engage', reason: '', asked: {}, subject: { cluster: 'test' } } as const
const actor = { kind: 'person', name: 'Ben', address: '' } as const
const intend = () => audit.add({ ...about, actor, kind: 'intent', seen: {} })
const verified = () => {
  const outcome = { is: 'verified' as const, words: '', revision: null }
  audit.add({ ...about, actor, kind: 'outcome', seen: null, outcome })
}
const notes = () => audit.entries.filter(({ kind }) => kind === 'note').map(({ words }) => words)

it('a record that vanished does not, whatever else was released there before', async () => {
  intend()
  verified()
  await hold()
  await write('', released(stop('n9'), { ...doing, operation: 'r' }, null))
  expect(await afterAWhile()).toBe(true)
})

it('a dashboard that does not know the operation does not', async () => {
  await hold()
  expect(await afterAWhile(dashboard(new FakeAudit()))).toBe(true)
})

it('that it was meant here and came to no record does, on record', async () => {
  intend()
  await hold()
  expect(await afterAWhile()).toBe(false)
  expect(notes()).toEqual([
    expect.stringMatching(/^Let the held head of job go at revision \d+: Ben meant to stop it, and no/),
  ])
})

it('a release of another stop of its scope from here does, after a while', async () => {
  intend()
  verified()
  await hold()
  await letting.tend(state, true)
  expect(await isHeadHeld()).toBe(true)
  expect(await afterAWhile()).toBe(false)
  expect(notes()).toEqual([expect.stringMatching(/its record is gone, and a stop of its scope was released since/)])
})

it.each([
  ['op-1', /its stop was released by Ann\.$/],
  ['', /its stop was released by Ann\. It had been held by hand\.$/],
])('a release that was written by hand does at once, on record (%s)', async (operation, words) => {
  await hold(operation)
  await write(state.prefix, released(stop('n1'), { ...doing, by: 'Ann', operation: 'by-hand' }, null))
  await letting.tend(state)
  expect([await isHeadHeld(), notes()]).toEqual([false, [expect.stringMatching(words)]])
})
