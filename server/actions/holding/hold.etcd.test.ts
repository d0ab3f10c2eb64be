import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spawnElect } from '../../../e2e/harness/candidate.ts'
import { always, leadersOf, pause, Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import type { OwnedProcess } from '../../../e2e/harness/owned-process.ts'
import { isNewer, leaseSegment } from '../../../lib/election/ids.ts'
import type { KeyValue } from '../../../lib/election/ports.ts'
import { heldHeadOf } from '../../../lib/election/queue.ts'
import { isHeld, readHeld } from '../../../lib/election/switches.ts'
import type { ElectionState, LeaseId, Revision } from '../../../lib/election/types.ts'
import { Acting } from '../switches/act-for-test.ts'

let scene: Scene
let acting: Acting
const foreign: OwnedProcess[] = []
beforeAll(async () => {
  scene = await Scene.open()
  const layouts = [{ pattern: 'seats/*', layout: 'single-key' as const }]
  acting = await Acting.start({ endpoints: scene.etcd.endpoints, watch: ['jobs/', 'seats/'], layouts })
})
afterAll(async () => {
  await acting.stop()
  await scene.stop()
})
afterEach(async () => {
  await Promise.all(foreign.splice(0).map((each) => each.kill()))
  for (const prefix of ['jobs/', 'seats/']) for (const { key } of await scene.keys(prefix)) await scene.delete(key)
  await scene.clear()
})

const state = (prefix: string): ElectionState | undefined =>
  [...acting.view.elections.values()].find((each) => each.prefix === prefix)
const known = (prefix: string, count = 1) =>
  eventually('the dashboard knows them', () => (state(prefix)?.candidates.length ?? 0) >= count)
const isHeadHeld = (prefix: string) => heldHeadOf(state(prefix)?.candidates ?? []) !== null
const proof = (scope: string) => acting.proof(scope)
const isAlive = async (lease: LeaseId) => (await scene.admin.timeToLive(lease, { deadlineMs: 2_000 })).lease !== null

/** Real `etcdctl elect`, one behind the other, with what each printed once it was elected. */
async function elects(election: string, values: readonly string[]) {
  const all: { said: string[]; process: OwnedProcess }[] = []
  for (const value of values) {
    const said: string[] = []
    const { endpoints } = scene.etcd
    const before = (await scene.queue(election)).length
    const process = spawnElect({ endpoints, election, value, onLine: (line) => said.push(line) })
    foreign.push(process)
    all.push({ said, process })
    await eventually(`${value} has its place`, async () => (await scene.queue(election)).length === before + 1)
  }
  await eventually('the first one leads', () => all[0]?.said.length === 2)
  return all
}

/** A foreign candidate of a queue that is nothing but a key on a lease. */
async function enter(election: string, value: string, lease?: LeaseId): Promise<LeaseId> {
  const own = lease ?? (await scene.admin.grant(60, { deadlineMs: 2_000 })).lease
  await scene.put(`${election}/${leaseSegment(own)}`, value, own)
  return own
}

const enforced = { mode: 'enforced' as const }

describe('holding the head of a queue', () => {
  it('lets no waiter of etcdctl win, keeps their places, and elects exactly the next one on release', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const [, ...waiting] = await elects(election, ['one', 'two', 'three'])
    await known(scope, 3)
    const before = await scene.queue(election)
    const engaged = await acting.engage(scope, enforced)
    expect(engaged).toMatchObject({ outcome: { is: 'verified' }, warnings: [] })
    const lease = before[0]?.lease as LeaseId
    await eventually('the former leader’s session ended', async () => !(await isAlive(lease)))
    await always('nobody wins', () => waiting.every(({ said }) => said.length === 0), 1_000)
    const held = await scene.queue(election)
    expect(held.map(({ createRevision }) => createRevision)).toEqual(before.map(({ createRevision }) => createRevision))
    expect(held.map(isHeld)).toEqual([true, false, false])
    expect(await proof(scope)).toMatchObject({
      mode: 'enforced',
      elections: [
        { held: true, warnings: [], candidates: [{ identity: 'two' }, { identity: 'three' }, { identity: 'one' }] },
      ],
    })
    const ended = state(scope)
    expect(ended).toMatchObject({ term: null, failovers: [] })
    expect(ended?.ended.at(-1)?.endedBy).toMatchObject({ cause: 'kill switch', by: 'Ben' })

    const released = await acting.release(scope)
    expect(released).toMatchObject({ outcome: { is: 'verified' }, warnings: [] })
    await eventually('the next one wins', () => waiting[0]?.said.length === 2, 3_000)
    await always('nobody else does', () => waiting[1]?.said.length === 0, 500)
    const [head] = await scene.queue(election)
    expect([head?.createRevision, await isAlive(head?.lease as LeaseId)]).toEqual([before[1]?.createRevision, true])
    await eventually('a term begins', () => state(scope)?.term?.leader.identity === 'two')
  })

  it('holds an empty queue before anybody comes', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const lease = await enter(election, 'one')
    await known(scope)
    await scene.revoke(lease)
    await eventually('it is empty', () => state(scope)?.candidates.length === 0)
    await acting.engage(scope, enforced)
    await eventually('it is held', () => isHeadHeld(scope))
    const said: string[] = []
    foreign.push(
      spawnElect({ endpoints: scene.etcd.endpoints, election, value: 'new', onLine: (line) => said.push(line) }),
    )
    await eventually('it queues', async () => (await scene.queue(election)).length === 2)
    await always('it does not win', () => said.length === 0, 500)
    expect(state(scope)?.term).toBeNull()
    await acting.release(scope)
    await eventually('it wins', () => said.length === 2)
  })

  it('keeps a library leader’s session: it stops by the record and says so, and a foreign waiter does not win', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const leader = await scene.leader({ election, identity: 'lib' })
    const said: string[] = []
    foreign.push(
      spawnElect({ endpoints: scene.etcd.endpoints, election, value: 'go', onLine: (line) => said.push(line) }),
    )
    await known(scope, 2)
    await acting.engage(scope, enforced)
    const [[head], [record]] = [await scene.queue(election), await scene.keys('/tenure/switch/')]
    // Held first: whoever reads the record frees the seat for nobody.
    expect(head && isHeld(head)).toBe(true)
    expect(isNewer(record?.modRevision as Revision, head?.modRevision as Revision)).toBe(true)
    await eventually('its work was told', () => leadersOf([leader]).length === 0, 1_500)
    await eventually('it acknowledges', async () => (await proof(scope))?.acknowledged === 1)
    await always('the waiter does not win', () => said.length === 0, 1_000)
    expect(await proof(scope)).toMatchObject({ of: 2, elections: [{ held: true, warnings: [] }] })
    await acting.release(scope)
    await eventually('one leads', () => said.length === 2)
  })

  it('leaves a session alone that something else hangs on, and names it', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const lease = await enter(election, 'one')
    await enter(election, 'two')
    await scene.put('services/one', 'http://10.0.0.1', lease)
    await known(scope, 2)
    await acting.engage(scope, enforced)
    await eventually(
      'it is told',
      async () => (await proof(scope))?.elections[0]?.warnings.join().includes('services/one') === true,
    )
    expect(await isAlive(lease)).toBe(true)
    await acting.release(scope)
    await eventually('it is let go', async () => !isHeadHeld(scope))
  })

  it('leaves a session alone that a look-alike hangs on, and says so at once, on record', async () => {
    const election = scene.newElection()
    const lease = await enter(election, 'one')
    await scene.put(`jobs/svc/${BigInt(`0x${lease}`)}`, '10.0.0.1:80', lease)
    await known(`${election}/`)
    await eventually('the look-alike is known', () => state('jobs/svc/')?.confirmed === false)
    const { id } = await acting.engage('jobs/', { ...enforced, match: 'prefix' })
    const warnings = async () =>
      (await proof('jobs/'))?.elections.find(({ ref }) => ref === state(`${election}/`)?.ref)?.warnings.join() ?? ''
    await eventually(
      'it is told',
      async () => (await warnings()).includes('left alone, as it also has jobs/svc/'),
      3_000,
    )
    expect(await isAlive(lease)).toBe(true)
    expect(acting.audit({ operation: id, kind: 'note' }).map(({ words }) => words)).toContainEqual(
      expect.stringContaining('was left alone'),
    )
    await acting.release('jobs/')
  })

  it('ends a session that led two stopped elections, and only once both are held', async () => {
    const [one, two] = [scene.newElection(), scene.newElection()]
    const lease = await enter(one, 'x')
    await enter(two, 'x', lease)
    await enter(two, 'y')
    await known(`${two}/`, 2)
    await known(`${one}/`)
    await acting.engage('jobs/', { ...enforced, match: 'prefix' })
    await eventually('the session ended', async () => !(await isAlive(lease)))
    expect([isHeadHeld(`${one}/`), isHeadHeld(`${two}/`)]).toEqual([true, true])
    await acting.release('jobs/')
    await eventually('y leads', () => state(`${two}/`)?.term?.leader.identity === 'y')
  })

  it('holds each new head at once, on record, and none of them ends the stop', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const [a, b] = [await enter(election, 'a'), await enter(election, 'b')]
    await known(scope, 2)
    await acting.engage(scope, enforced)
    await eventually('it is held', () => isHeadHeld(scope))
    // The former leader resigns: it deletes the key by its create revision.
    await scene.delete(`${election}/${leaseSegment(a)}`)
    await eventually('the next one is held', async () => (await scene.queue(election)).map(isHeld).join() === 'true')
    await eventually('its session ended', async () => !(await isAlive(b)))
    // The former leader proclaims: its key is on a lease again.
    const c = (await scene.admin.grant(60, { deadlineMs: 2_000 })).lease
    await scene.put(`${election}/${leaseSegment(b)}`, 'b again', c)
    await eventually('it is held again', async () => (await scene.queue(election)).map(isHeld).join() === 'true')
    await eventually('that session ended as well', async () => !(await isAlive(c)))
    const terms = state(scope)?.ended.map(({ leader, endedBy }) => [leader.identity, endedBy?.cause])
    expect(terms).toEqual([
      ['a', 'kill switch'],
      ['b again', 'kill switch'],
    ])
    expect(state(scope)?.failovers).toEqual([])
  })

  it('is let go only when the last of two enforced stops is released', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    await enter(election, 'a')
    await enter(election, 'b')
    await known(scope, 2)
    await acting.engage(scope, enforced)
    await acting.engage('jobs/', { ...enforced, match: 'prefix' })
    await acting.release('jobs/')
    await always('it stays held', () => isHeadHeld(scope), 300)
    await acting.engage('jobs/', { ...enforced, match: 'prefix' })
    await acting.release(scope)
    await always('it stays held', () => isHeadHeld(scope), 300)
    await acting.release('jobs/')
    await eventually('b leads', () => state(scope)?.term?.leader.identity === 'b')
  })

  it('is told by the stop that is left when another one of two is released, and goes with it', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const lease = await enter(election, 'a')
    await enter(election, 'b')
    await known(scope, 2)
    await acting.engage(scope, enforced)
    await eventually('the session ended', async () => !(await isAlive(lease)))
    await acting.engage('jobs/', { ...enforced, match: 'prefix' })
    const wide = (await proof('jobs/'))?.nonce
    await acting.release(scope)
    const mark = async () => {
      const [head] = await scene.queue(election)
      return head === undefined ? null : readHeld(head)
    }
    await eventually('it is told by the wide one', async () => (await mark())?.nonce === wide)
    expect(await mark()).toMatchObject({ lease, identity: 'a' })
    await scene.delete(`/tenure/switch/${scope}`)
    await acting.release('jobs/')
    await eventually('b leads', () => state(scope)?.term?.leader.identity === 'b', 3_000)
  })

  it('becomes enforced when it was cooperative, with the author it had', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const [a] = await elects(election, ['a', 'b'])
    await known(scope, 2)
    await acting.engage(scope)
    await always('a leads on', () => a?.process.isRunning() === true && !isHeadHeld(scope), 300)
    await acting.engage(scope, { ...enforced, reason: 'it does not read the switch' })
    await eventually('it is held', () => isHeadHeld(scope))
    const [head] = await scene.queue(election)
    expect(head && readHeld(head)).toMatchObject({ nonce: (await proof(scope))?.nonce, identity: 'a' })
  })
})

describe('an election that is no plain queue', () => {
  it('is not held by the key of an election nested below it, and is once its own candidate is the oldest', async () => {
    const election = scene.newElection()
    const [outer, inner] = [`${election}/`, `${election}/inner/`]
    const nested = await enter(`${election}/inner`, 'inner')
    await enter(election, 'outer')
    await known(outer, 2)
    await known(inner)
    await acting.engage(outer, enforced)
    await always('nobody is held', () => !isHeadHeld(outer) && !isHeadHeld(inner), 300)
    await scene.revoke(nested)
    await eventually('its own one is held', () => isHeadHeld(outer))
    await acting.release(outer)
    await acting.engage(outer, { ...enforced, match: 'prefix' })
    await enter(`${election}/inner`, 'again')
    await eventually('both are held', () => isHeadHeld(inner))
    await acting.release(outer)
    await eventually('both are let go', async () => !(await scene.queue(election)).some(isHeld))
  })

  it('is held although its leader proclaims all the time', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const lease = await enter(election, 'v0')
    await enter(election, 'two')
    await known(scope, 2)
    let proclaims = 0
    const storm = (async () => {
      for (;;) {
        try {
          await enter(election, `v${proclaims}`, lease)
          proclaims += 1
          await pause(15)
        } catch {
          return
        }
      }
    })()
    const { outcome } = await acting.engage(scope, enforced)
    expect(outcome?.is).toBe('verified')
    // Its session ends, and with it its proclaiming.
    await storm
    await eventually('its head is held', async () => isHeld((await scene.queue(election))[0] as KeyValue))
    await eventually('and shown as such', () => isHeadHeld(scope))
    expect(proclaims).toBeGreaterThan(0)
    await eventually('all of it is the kill switch’s', () => {
      const { ended = [] } = state(scope) ?? {}
      return ended.length > 0 && ended.every(({ endedBy }) => endedBy?.cause === 'kill switch')
    })
  })
})

describe('a head that somebody holds by hand', () => {
  it('stays held, before and after its record is written, and is let go with the release on the page', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const lease = await enter(election, 'a')
    await enter(election, 'b')
    await known(scope, 2)
    await scene.put(`${election}/${leaseSegment(lease)}`, '{"tenure":"halt","nonce":"by-hand"}')
    await eventually('it is shown', () => isHeadHeld(scope))
    const nonce = await scene.engage(scope, { match: 'exact', nonce: 'by-hand', operation: 'by-hand' })
    await always('it stays held', () => isHeadHeld(scope), 500)
    expect(await proof(scope)).toMatchObject({ nonce, mode: 'cooperative', elections: [{ held: true }] })
    await acting.release(scope)
    await eventually('b leads', () => state(scope)?.term?.leader.identity === 'b')
  })
})

describe('several dashboards', () => {
  it('hold and let go one head together, and one that is read-only writes nothing', async () => {
    const options = { endpoints: scene.etcd.endpoints, watch: ['jobs/', 'seats/'] }
    const other = await Acting.start(options)
    const election = scene.newElection()
    const scope = `${election}/`
    const entered = [await enter(election, 'a'), await enter(election, 'b'), await enter(election, 'c')]
    await known(scope, 3)
    await Promise.all([acting.engage(scope, enforced), other.engage(scope, enforced)])
    for (const lease of entered) {
      await eventually('it is held', async () => isHeld((await scene.queue(election))[0] as KeyValue))
      await scene.delete(`${election}/${leaseSegment(lease)}`)
    }
    await eventually('the empty seat is held', async () => (await scene.queue(election)).map(isHeld).join() === 'true')
    await enter(election, 'd')
    await eventually('d waits behind it', async () => (await scene.queue(election)).map(isHeld).join() === 'true,false')
    await acting.release(scope)
    await eventually('d leads', () => state(scope)?.term?.leader.identity === 'd')
    await other.stop()

    const reader = await Acting.start({ ...options, readOnly: true })
    await expect(reader.engage(scope, enforced)).rejects.toMatchObject({ refusal: { code: 'read-only' } })
    await reader.stop()
  })
})

describe('holding a single key', () => {
  it('keeps the seat from everybody, with and without a holder, until the release', async () => {
    const { lease } = await scene.admin.grant(60, { deadlineMs: 2_000 })
    await scene.put('seats/one', 'pg-1', lease)
    await known('seats/one')
    const waiter = await scene.waiter({ election: 'seats/one', identity: 'lib', layout: 'single-key' })
    await acting.engage('seats/one', enforced)
    await eventually('it is held', () => isHeadHeld('seats/one'))
    await eventually('the session ended', async () => !(await isAlive(lease)))
    await eventually('the library says so', async () => (await proof('seats/one'))?.acknowledged === 1)
    await scene.delete('seats/one')
    await eventually('it is held again', async () => (await scene.keys('seats/one')).map(isHeld).join() === 'true')
    expect(state('seats/one')?.term).toBeNull()
    expect(waiter.terms).toEqual([])
    await acting.release('seats/one')
    await eventually('the waiter leads', () => leadersOf([waiter]).length === 1)
  })
})
