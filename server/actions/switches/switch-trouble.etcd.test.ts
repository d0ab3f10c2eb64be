/** Engaging and releasing when something is in the way: space, permissions, answers that do not come, a log that is full. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asRoot, enableAuth, rootPassword } from '../../../e2e/harness/auth.ts'
import { leads, pause, Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { startProxy } from '../../../e2e/harness/proxy.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { leaseSegment } from '../../../lib/election/ids.ts'
import { isHeld, switchRecord } from '../../../lib/election/switches.ts'
import type { LeaseId } from '../../../lib/election/types.ts'
import { base64FromLatin1 } from '../../../lib/shared/bytes.ts'
import { FakeAudit } from '../../history/fake-audit.ts'
import { Acting, type ActingOptions, ANN, actionsOn, BEN, CID, inMs, newOperation } from './act-for-test.ts'
import type { EngageSwitch } from './engage-switch.ts'

const scopeOf = (scope: string) => ({ cluster: 'test', scopeBase64: base64FromLatin1(scope) })
const refusal = (code: string) => ({ refusal: { code } })
const recordIn = async (scene: Scene, scope: string) => {
  const [kv] = await scene.keys(`/tenure/switch/${scope}`)
  return kv === undefined ? null : switchRecord.parse(JSON.parse(Buffer.from(kv.value).toString()))
}

const troubleOf = (acting: Acting, scope: string) =>
  acting.view.info.switchTroubles?.find(({ scopeBase64 }) => scopeBase64 === base64FromLatin1(scope))

/** An etcd and a dashboard on it. */
function staged(options: Partial<ActingOptions> = {}, flags: readonly string[] = []) {
  const it = {} as { scene: Scene; acting: Acting }
  beforeAll(async () => {
    it.scene = await Scene.open({ flags })
    it.acting = await Acting.start({ endpoints: it.scene.etcd.endpoints, watch: ['jobs/'], ...options })
  })
  afterAll(async () => {
    await it.acting.stop()
    await it.scene.stop()
  })
  afterEach(() => it.scene.clear())
  return it
}

/** A foreign leader, known to the dashboard. */
async function foreign({ scene, acting }: { scene: Scene; acting: Acting }): Promise<string> {
  const election = scene.newElection()
  const { lease } = await scene.admin.grant(60, { deadlineMs: 2_000 })
  await scene.put(`${election}/${leaseSegment(lease)}`, 'go', lease)
  await eventually('it is known', () =>
    [...acting.view.elections.values()].some(({ prefix }) => prefix === `${election}/`),
  )
  return election
}

describe('with etcd out of space (RC-18)', () => {
  const at = staged({}, ['--quota-backend-bytes=4194304'])

  async function fill(): Promise<void> {
    for (let n = 0; n < 100; n += 1) {
      try {
        await at.scene.put(`/filler/${n}`, new Uint8Array(256 * 1024))
      } catch (error) {
        if ((error as { kind?: string }).kind === 'no-space') return
        throw error
      }
    }
    throw new Error('etcd did not run out of space')
  }

  it('nothing is engaged, and it says so, with what still works; the record can be deleted for those who need one', async () => {
    const { scene, acting } = at
    const election = scene.newElection()
    const scope = `${election}/`
    const arm = { ...scopeOf(scope), match: 'exact' as const, reason: 'new', operation: newOperation() }
    await acting.actions.armSwitch(ANN, arm)
    const [halts, runs] = [
      await scene.leader({ election, identity: 'halts', onMissingSwitch: 'halt' }),
      await scene.waiter({ election, identity: 'runs' }),
    ]
    await eventually('they are known', () =>
      [...acting.view.elections.values()].some(({ candidates }) => candidates.length === 2),
    )
    await fill()
    for (const mode of ['cooperative', 'enforced'] as const) {
      const { outcome } = await acting.engage(scope, { mode })
      expect(outcome).toMatchObject({
        is: 'failed',
        words: expect.stringMatching(/^NOT ENGAGED\. .*space.*still works: revoking/s),
      })
    }
    expect((await recordIn(scene, scope))?.state).toBe('released')
    expect((await scene.queue(election)).some(isHeld)).toBe(false)
    expect(leads(halts)).toBe(true)

    const forecast = await acting.actions.switchForecast({ ...scopeOf(scope), match: 'exact' })
    expect(forecast.outOfSpace).toEqual({ stops: ['halts'], of: 2 })
    const done = await acting.engage(scope, { withoutRecord: true })
    expect(done.outcome).toMatchObject({
      is: 'verified',
      words: expect.stringContaining('1 of 2 candidates stop: halts'),
    })
    await eventually('it stops', () => halts.candidate.state === 'stopped', 2_000)
    expect(await recordIn(scene, scope)).toBeNull()
    await eventually('the other one leads', () => leads(runs))
    await eventually('the watcher has seen it', () => acting.view.info.switches?.length === 0)
    expect(troubleOf(acting, scope)).toBeUndefined()
    await expect(acting.engage(scope, { withoutRecord: true })).rejects.toMatchObject(refusal('changed'))
  })
})

describe('a record', () => {
  const at = staged()

  it('that vanishes is told, never taken for off; so is a stop that stands longer than it was meant to', async () => {
    const { scene, acting } = at
    const scope = `${await foreign(at)}/`
    await acting.engage(scope, { until: inMs(600) })
    await eventually('it is overdue', () => troubleOf(acting, scope)?.type === 'overdue')
    expect(troubleOf(acting, scope)?.words).toMatch(/meant to be released 0 s ago\. It stays engaged/)
    expect((await recordIn(scene, scope))?.state).toBe('engaged')
    await scene.delete(`/tenure/switch/${scope}`)
    await eventually('it is told', () => troubleOf(acting, scope)?.type === 'vanished')
    expect(troubleOf(acting, scope)?.words).toMatch(
      /engaged by Ben, vanished without a release by a user at \d\d:\d\d:\d\d UTC/,
    )
    await acting.engage(scope)
    await eventually('it stands again', () => troubleOf(acting, scope) === undefined)
    await acting.release(scope)
    await eventually(
      'it is released',
      () => acting.view.info.switches?.some(({ state }) => state === 'released') === true,
    )
    expect(troubleOf(acting, scope)).toBeUndefined()
  })

  it('that cannot be read is told, and engaging over it makes it readable', async () => {
    const { scene, acting } = at
    const scope = `${await foreign(at)}/`
    await scene.put(`/tenure/switch/${scope}`, 'off!')
    await eventually('it is told', () => troubleOf(acting, scope)?.type === 'unreadable')
    const { outcome } = await acting.engage(scope)
    expect(outcome?.words).toMatch(/could not be read was replaced.*stops everything below as well/)
    expect(await recordIn(scene, scope)).toMatchObject({ state: 'engaged', match: 'prefix', replaced: 'off!' })
    await eventually('it is readable', () => troubleOf(acting, scope) === undefined)
  })

  it('that vanishes lets go of no head that it held', async () => {
    const { scene, acting } = at
    const election = await foreign(at)
    const scope = `${election}/`
    await acting.engage(scope, { mode: 'enforced' })
    await eventually('it is held', async () => (await scene.queue(election)).some(isHeld))
    // One that was never seen could not be missed.
    await eventually('it is seen', () => acting.view.info.switches?.some((each) => each.scope === scope) === true)
    await scene.delete(`/tenure/switch/${scope}`)
    await eventually('it is told', () => troubleOf(acting, scope)?.type === 'vanished')
    await pause(500)
    expect((await scene.queue(election)).some(isHeld)).toBe(true)
    for (const { key } of await scene.queue(election)) await scene.delete(key)
  })

  it('that vanishes while nobody watches is told after the restart', async () => {
    const { scene, acting } = at
    const scope = `${await foreign(at)}/`
    await acting.engage(scope)
    await acting.runtime.stop()
    await scene.delete(`/tenure/switch/${scope}`)
    await acting.restart()
    await eventually('it is told', () => troubleOf(acting, scope)?.type === 'vanished')
    expect(troubleOf(acting, scope)?.words).toMatch(/engaged by Ben, vanished without a release by a user/)
  })

  it('of a restarted dashboard is told as before', async () => {
    const { acting } = at
    const scope = `${await foreign(at)}/`
    await acting.engage(scope)
    await acting.restart()
    expect(acting.view.info.switches?.find(({ scopeBase64 }) => scopeBase64 === base64FromLatin1(scope))).toMatchObject(
      {
        state: 'engaged',
        record: { by: 'Ben', reason: 'bad data' },
      },
    )
    await acting.release(scope)
  })
})

describe('a release with a second person', () => {
  const at = staged({ secondPerson: true })

  it('waits, is found again after a restart, is refused to who asked, and executed by somebody else', async () => {
    const { scene } = at
    const scope = `${await foreign(at)}/`
    await at.acting.engage(scope)
    const nonce = (await recordIn(scene, scope))?.nonce ?? ''
    const confirm = (by = BEN) =>
      at.acting.actions.confirmRelease(by, {
        ...scopeOf(scope),
        nonce,
        typedName: at.acting.typed(scope, 'exact'),
        operation: newOperation(),
      })
    await expect(confirm()).rejects.toMatchObject(refusal('second-person'))
    const asked = await at.acting.release(scope)
    expect(asked.outcome?.words).toMatch(/^Waits for a second person/)
    expect((await recordIn(scene, scope))?.state).toBe('engaged')
    await at.acting.restart()
    const proof = await at.acting.proof(scope)
    expect(proof?.releaseAskedBy).toMatchObject({ name: 'Ann', reason: 'repaired', isYou: true })
    expect((await at.acting.proof(scope, CID))?.releaseAskedBy?.isYou).toBe(false)
    await expect(confirm(ANN)).rejects.toMatchObject(refusal('second-person'))
    const everybody = { role: 'admin' as const, actor: { kind: 'loopback' as const, name: 'somebody', address: '' } }
    await expect(confirm(everybody)).rejects.toMatchObject(refusal('second-person'))
    await at.acting.engage(scope, {}, CID)
    await expect(confirm()).rejects.toMatchObject(refusal('changed'))
    const stale = await at.acting.proof(scope)
    expect(stale?.releaseAskedBy).toBeNull()
    await at.acting.release(scope)
    expect((await confirm()).outcome?.is).toBe('verified')
    expect(await recordIn(scene, scope)).toMatchObject({
      state: 'released',
      released: { by: 'Ann', confirmedBy: 'Ben', reason: 'repaired' },
    })
    await expect(confirm()).rejects.toMatchObject(refusal('second-person'))
  })
})

describe('an audit log that cannot be written', () => {
  const at = staged()

  const actionsWith = (audit: FakeAudit) => actionsOn(at.acting, { etcd: at.scene.admin, audit })

  it('does not keep a stop from being engaged, and is completed from the record after a restart', async () => {
    const scope = `${await foreign(at)}/`
    const audit = new FakeAudit()
    const actions = actionsWith(audit)
    audit.refuse = 'disk full'
    const input: EngageSwitch = {
      ...scopeOf(scope),
      match: 'exact',
      mode: 'cooperative',
      reason: 'bad data',
      until: inMs(60_000),
      typedName: at.acting.typed(scope, 'exact'),
      operation: newOperation(),
    }
    const engaged = await actions.engageSwitch(BEN, input)
    expect(engaged).toMatchObject({ outcome: { is: 'verified' }, warnings: [expect.stringContaining('disk full')] })
    const release = {
      ...scopeOf(scope),
      nonce: (await recordIn(at.scene, scope))?.nonce ?? '',
      reason: 'x',
      typedName: input.typedName,
    }
    await expect(actions.releaseSwitch(ANN, { ...release, operation: newOperation() })).rejects.toMatchObject(
      refusal('not-recorded'),
    )
    actions.stop()
    await pause(50)
    audit.refuse = null
    expect(audit.entries).toEqual([])
    const again = actionsWith(audit)
    again.start()
    await eventually('the log is complete', () => audit.entries.length > 0)
    expect(audit.entries).toMatchObject([
      { kind: 'note', verb: 'engage', operation: input.operation, reason: 'bad data', actor: { name: 'Ben' } },
    ])
    again.stop()
  })
})

describe('an etcd that answers late or not at all', () => {
  it('is told as unknown, then as what it was, and nothing is written twice', async () => {
    const scene = await Scene.open()
    const proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
    const acting = await Acting.start({ endpoints: [proxy.endpoint], watch: ['jobs/'] })
    const at = { scene, acting }
    for (const mode of ['no-answers', 'black-hole'] as const) {
      const scope = `${await foreign(at)}/`
      const engaging = acting.engage(scope)
      await eventually('its intent is stored', () => acting.audit({ kind: 'intent' }).length > 0)
      await proxy.setMode(mode)
      const { id, outcome } = await engaging
      await pause(3_000)
      await proxy.setMode('pass')
      const settled = await acting.settled(id, 30_000)
      const record = await recordIn(scene, scope)
      expect([mode, settled.outcome?.is]).toEqual([mode, record?.state === 'engaged' ? 'verified' : 'failed'])
      if (settled.outcome?.is === 'failed') expect(settled.outcome.words).toMatch(/^NOT ENGAGED/)
      if (record !== null) expect(record.log).toHaveLength(1)
      expect(outcome?.is ?? 'unknown').not.toBe('failed')
      const view = () => acting.runtime.watchers.get('test')?.elections.view.info.freshness
      await eventually('it is live again', () => view() === 'live', 30_000)
      if (record !== null) await acting.release(scope)
    }
    await acting.stop()
    await proxy.stop()
    await scene.stop()
  }, 90_000)
})

describe('an account that may not', () => {
  let scene: Scene
  const folder = makeTempFolder('denied')
  const file = (name: string, password: string) => {
    const path = join(folder.path, name)
    writeFileSync(path, password)
    return path
  }
  beforeAll(async () => {
    scene = await Scene.open()
    await enableAuth(scene.etcd, [])
    scene.admin = scene.client({ user: 'root', passwordFile: file('root', rootPassword) })
  })
  afterAll(async () => {
    await scene.stop()
    folder.remove()
  })
  afterEach(() => scene.clear())

  /** A dashboard whose account may do this and no more. */
  async function board(name: string, grants: Record<string, 'read' | 'readwrite'>): Promise<Acting> {
    const root = async (...args: string[]) => {
      const { code, stderr } = await scene.etcd.etcdctl([...asRoot, ...args])
      if (code !== 0) throw new Error(stderr)
    }
    await root('role', 'add', name)
    for (const [prefix, right] of Object.entries(grants)) {
      await root('role', 'grant-permission', name, '--prefix=true', right, prefix)
    }
    await root('user', 'add', `${name}:secret`)
    await root('user', 'grant-role', name, name)
    const user = { name, passwordFile: file(name, 'secret') }
    return Acting.start({ endpoints: scene.etcd.endpoints, watch: ['jobs/'], user })
  }

  it('write the switch is told so in etcd’s words; a head that was held for it is let go', async () => {
    const acting = await board('no-switch', { '/tenure/': 'read', 'jobs/': 'readwrite' })
    const election = await foreign({ scene, acting })
    const { outcome } = await acting.engage(`${election}/`, { mode: 'enforced' })
    expect(outcome).toMatchObject({
      is: 'failed',
      words: expect.stringMatching(/^NOT ENGAGED\. etcd refused it: .*permission denied.*\/tenure\/switch\//),
    })
    await eventually('it is let go', async () => !(await scene.queue(election)).some(isHeld))
    await acting.stop()
  })

  it('write the elections engages all the same, and names what it could not hold', async () => {
    const narrow = { '/tenure/switch/': 'readwrite', '/tenure/presence/': 'read', 'jobs/': 'read' } as const
    const acting = await board('no-elections', narrow)
    const election = await foreign({ scene, acting })
    const { outcome, warnings } = await acting.engage(`${election}/`, { mode: 'enforced' })
    expect([outcome?.is, warnings]).toEqual([
      'verified',
      [expect.stringMatching(/head of .* could not be held so far: .*permission denied/)],
    ])
    const proof = () => acting.proof(`${election}/`)
    await eventually(
      'it is told there',
      async () => (await proof())?.elections[0]?.warnings.join().includes('permission denied') === true,
    )
    await acting.stop()
  })

  it('do more than the least role does all of it', async () => {
    const least = { '/tenure/switch/': 'readwrite', '/tenure/presence/': 'read', 'jobs/': 'readwrite' } as const
    const acting = await board('least', least)
    const election = await foreign({ scene, acting })
    const [head] = await scene.queue(election)
    const engaged = await acting.engage(`${election}/`, { mode: 'enforced' })
    expect([engaged.outcome?.is, engaged.warnings]).toEqual(['verified', []])
    await eventually('the session ended', async () => {
      const { lease } = await scene.admin.timeToLive(head?.lease as LeaseId, { deadlineMs: 2_000 })
      return lease === null
    })
    expect((await acting.release(`${election}/`)).warnings).toEqual([])
    expect(await scene.queue(election)).toEqual([])
    await acting.stop()
  })
})
