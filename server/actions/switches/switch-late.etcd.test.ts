/** Writes that a member holds up: sent again elsewhere, waited for, and corrected when they come after all. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { type NetworkProxy, startProxy } from '../../../e2e/harness/proxy.ts'
import { leaseSegment } from '../../../lib/election/ids.ts'
import type { CallOptions } from '../../../lib/election/ports.ts'
import { engaged, released } from '../../../lib/election/switch-changes.ts'
import { type SwitchRecord, switchRecord } from '../../../lib/election/switches.ts'
import type { Revision } from '../../../lib/election/types.ts'
import type { EtcdClient } from '../../../lib/etcd/client.ts'
import { base64FromLatin1, fromLatin1, utf8 } from '../../../lib/shared/bytes.ts'
import { FakeAudit } from '../../history/fake-audit.ts'
import type { Actions } from '../actions.ts'
import type { Reach } from '../reach.ts'
import { Acting, actionsOn, BEN, inMs, newOperation } from './act-for-test.ts'
import { scopeOf } from './switch-scope.ts'
import { RecordWriting } from './switch-store.ts'

let scene: Scene
let acting: Acting
let slow: NetworkProxy
let quick: NetworkProxy
let client: EtcdClient
let audit: FakeAudit
let actions: Actions
let scope = ''
let shut = false
beforeAll(async () => {
  scene = await Scene.open()
  acting = await Acting.start({ endpoints: scene.etcd.endpoints, watch: ['jobs/'], readOnly: true })
})
afterAll(async () => {
  await acting.stop()
  await scene.stop()
})

/** Its first write finds the member that answered the read before it silent. */
function shutsOnWrite(inner: EtcdClient): EtcdClient {
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'putIfUnchanged' && !shut) {
        return async (...given: Parameters<EtcdClient['putIfUnchanged']>) => {
          shut = true
          await slow.setMode('no-requests')
          return target.putIfUnchanged(...given)
        }
      }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
beforeEach(async () => {
  const election = scene.newElection()
  scope = `${election}/`
  const { lease } = await scene.admin.grant(60, { deadlineMs: 2_000 })
  await scene.put(`${scope}${leaseSegment(lease)}`, 'go', lease)
  await eventually('it is known', () => [...acting.view.elections.values()].some(({ prefix }) => prefix === scope))
  slow = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
  quick = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
  client = scene.client({}, [slow.endpoint, quick.endpoint])
  shut = false
  audit = new FakeAudit()
  actions = actionsOn(acting, { etcd: shutsOnWrite(client), audit })
})
afterEach(async () => {
  actions.stop()
  await slow.stop()
  await quick.stop()
  await scene.clear()
})

const asked = () => ({ cluster: 'test', scopeBase64: base64FromLatin1(scope) })
const record = async (): Promise<SwitchRecord | null> => {
  const [kv] = await scene.keys(`/tenure/switch/${scope}`)
  return kv === undefined ? null : switchRecord.parse(JSON.parse(Buffer.from(kv.value).toString()))
}
const engage = (operation: string) =>
  actions.engageSwitch(BEN, {
    ...asked(),
    match: 'exact',
    mode: 'cooperative',
    reason: 'bad data',
    until: inMs(3_600_000),
    typedName: acting.typed(scope, 'exact'),
    operation,
  })
const outcome = (operation: string) => actions.operation(operation)?.outcome?.is ?? 'unknown'

describe('a write that hangs on the way to one member', () => {
  it('is done by another member at once, and what hung changes nothing when it comes', async () => {
    const operation = newOperation()
    await engage(operation)
    await eventually('it is final', () => outcome(operation) !== 'unknown')
    expect(outcome(operation)).toBe('verified')
    const first = await record()
    await slow.setMode('pass')
    await client.range({ key: Uint8Array.of(0) }, { deadlineMs: 5_000, endpoint: slow.endpoint })
    expect(await record()).toEqual(first)
    expect(first?.log).toHaveLength(1)
  })
})

describe('a write that no member answered', () => {
  const writing = (nowMs = () => performance.now()) =>
    new RecordWriting(scopeOf({ etcd: client, metaPrefix: '/tenure/' } as unknown as Reach, asked().scopeBase64), {
      clock: { nowMs: () => Date.now(), monoMs: nowMs },
      signal: new AbortController().signal,
    })
  const put = (call: CallOptions) =>
    client.putIfUnchanged(fromLatin1(`/tenure/switch/${scope}`), utf8('x'), '0' as Revision, call)

  it('stays open while that member is silent, although another one answers', async () => {
    const it = writing()
    await client.range({ key: Uint8Array.of(0) }, { deadlineMs: 2_000, endpoint: slow.endpoint })
    await slow.setMode('no-requests')
    await expect(it.send(slow.endpoint, put)).rejects.toMatchObject({ kind: 'deadline' })
    client.avoid(slow.endpoint)
    expect(
      await it.verify({ operation: 'op-1', by: 'Ben', what: ['engaged'] }, () => ({
        is: 'verified',
        words: '',
        revision: null,
      })),
    ).toBeNull()
    await slow.setMode('pass')
    expect(await it.haveArrived()).toBe(true)
  })

  it('is given up after two minutes', async () => {
    let late = 0
    const it = writing(() => performance.now() + late)
    await slow.setMode('no-requests')
    await expect(it.send(slow.endpoint, put)).rejects.toMatchObject({ kind: 'deadline' })
    late = 121_000
    expect(await it.haveArrived()).toBe(true)
  })
})

describe('what was told as not executed and comes after all', () => {
  const until = inMs(3_600_000)
  const doing = (operation: string) => ({ at: inMs(0), by: 'Ben', operation, reason: 'bad data' })
  const told = (operation: string, verb: 'engage' | 'release') => {
    const common = { operation, verb, actor: BEN.actor, subject: { cluster: 'test', scopeBase64: asked().scopeBase64 } }
    const outcome = { is: 'failed' as const, words: 'NOT ENGAGED. Not executed.', revision: null }
    audit.add({ ...common, kind: 'intent', reason: 'bad data', asked: asked(), seen: {} })
    audit.add({ ...common, kind: 'outcome', reason: 'bad data', asked: asked(), seen: null, outcome })
  }
  const notes = () =>
    audit.entries.filter(({ kind }) => kind === 'note').map(({ operation, words }) => [operation, words])
  const write = (value: SwitchRecord) => scene.put(`/tenure/switch/${scope}`, JSON.stringify(value))

  it('is corrected in the audit log, once, while this server runs and after a restart', async () => {
    const [first, second] = [newOperation(), newOperation()]
    told(first, 'engage')
    told(second, 'release')
    actions.start()
    const stop = engaged(null, doing(first), { until, mode: 'cooperative', match: 'exact', nonce: 'n1' })
    await write(stop)
    await eventually('it is corrected', () => notes().length > 0)
    expect(notes()).toEqual([[first, expect.stringMatching(/^It was engaged after all at .* UTC/)]])
    actions.stop()
    await write(released(stop, doing(second), null))
    const again = actionsOn(acting, { etcd: client, audit })
    again.start()
    await eventually('both are corrected', () => notes().length > 1)
    expect(notes()[1]).toEqual([second, expect.stringMatching(/^It was released after all/)])
    again.stop()
    expect(notes()).toHaveLength(2)
  })
})
