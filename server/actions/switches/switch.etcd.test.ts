import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { leadersOf, leads, Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { engaged, released } from '../../../lib/election/switch-changes.ts'
import { switchRecord } from '../../../lib/election/switches.ts'
import { base64FromLatin1 } from '../../../lib/shared/bytes.ts'
import { Acting, ANN, BEN, CID, inMs, newOperation } from './act-for-test.ts'

let scene: Scene
let acting: Acting
beforeAll(async () => {
  scene = await Scene.open()
  acting = await Acting.start({ endpoints: scene.etcd.endpoints, watch: ['jobs/'] })
})
afterAll(async () => {
  await acting.stop()
  await scene.stop()
})
afterEach(() => scene.clear())

const scopeOf = (scope: string) => ({ cluster: 'test', scopeBase64: base64FromLatin1(scope) })
const proof = (scope: string) => acting.proof(scope)
const recordOf = async (scope: string) => {
  const [kv] = await scene.keys(`/tenure/switch/${scope}`)
  return kv === undefined ? null : switchRecord.parse(JSON.parse(Buffer.from(kv.value).toString()))
}
const known = (election: string) =>
  eventually('the dashboard knows it', () =>
    [...acting.view.elections.values()].some(({ prefix }) => prefix === `${election}/`),
  )
const refusal = (code: string) => ({ refusal: { code } })

async function line(identities: string) {
  const election = scene.newElection()
  const all = await scene.line(election, identities)
  await known(election)
  return { election, scope: `${election}/`, all }
}

describe('engaging', () => {
  it('stops everybody who can read it, proves it by name, and lets one lead after the release', async () => {
    const { scope, all } = await line('ab')
    const engaged = await acting.engage(scope)
    expect(engaged.outcome).toMatchObject({ is: 'verified', words: expect.stringContaining('Engaged') })
    await eventually('nobody leads', () => leadersOf(all).length === 0, 1_500)
    await eventually('both acknowledged', async () => (await proof(scope))?.acknowledged === 2)
    expect(await proof(scope)).toMatchObject({
      of: 2,
      mode: 'cooperative',
      elections: [{ held: false, candidates: [{ state: 'stopped' }, { state: 'stopped' }] }],
    })
    const done = await acting.release(scope)
    expect(done.outcome).toMatchObject({ is: 'verified', words: expect.stringContaining('Released') })
    expect(await recordOf(scope)).toMatchObject({
      state: 'released',
      reason: 'bad data',
      released: { by: 'Ann', reason: 'repaired' },
    })
    await eventually('one leads', () => leadersOf(all).length === 1)
    expect(await proof(scope)).toBeNull()
  })

  it('again keeps author, reason, time and nonce, and is added to the log', async () => {
    const { scope } = await line('a')
    await acting.engage(scope)
    const first = await recordOf(scope)
    const later = inMs(7_200_000)
    const again = await acting.engage(scope, { reason: 'upgrade', until: later }, CID)
    expect(again.outcome).toMatchObject({ is: 'verified', words: expect.stringContaining('already, by Ben') })
    const second = await recordOf(scope)
    expect(second).toEqual({ ...first, until: later, log: second?.log })
    expect(second?.log?.map(({ what, by, reason }) => [what, by, reason])).toEqual([
      ['engaged', 'Ben', 'bad data'],
      ['engaged again', 'Cid', 'upgrade'],
    ])
    await acting.release(scope)
  })

  it('is refused without the typed name, without a time, for too long, and for nobody', async () => {
    const { scope } = await line('a')
    const day = 24 * 3_600_000
    await expect(acting.engage(scope, { typedName: 'x' })).rejects.toMatchObject(refusal('name-not-typed'))
    await expect(acting.engage(scope, { until: inMs(-1_000) })).rejects.toMatchObject(refusal('until'))
    await expect(acting.engage(scope, { until: inMs(3 * day + 60_000) })).rejects.toMatchObject(refusal('until'))
    await expect(acting.engage('jobs/none/')).rejects.toMatchObject(refusal('scope-matches-nothing'))
    expect(await scene.keys('/tenure/switch/')).toEqual([])
    const ticked = await acting.engage('jobs/none/', { matchesNothing: true })
    expect(ticked.outcome?.is).toBe('verified')
  })

  it('the same operation twice is one engaging', async () => {
    const { scope } = await line('a')
    const operation = newOperation()
    const until = inMs(60_000)
    const both = await Promise.all([
      acting.engage(scope, { operation, until }),
      acting.engage(scope, { operation, until }),
    ])
    expect(both.map(({ id }) => id)).toEqual([operation, operation])
    expect((await acting.settled(operation)).outcome?.is).toBe('verified')
    expect((await recordOf(scope))?.log).toHaveLength(1)
  })

  it('is refused under an id that the record has for something else', async () => {
    const { scope } = await line('a')
    const operation = newOperation()
    const at = inMs(0)
    const doing = { at, by: 'Eve', operation, reason: 'mine' }
    const stop = engaged(null, doing, { until: at, mode: 'cooperative', match: 'exact', nonce: 'n1' })
    await scene.put(`/tenure/switch/${scope}`, JSON.stringify(released(stop, doing, null)))
    await expect(acting.engage(scope, { operation })).rejects.toMatchObject(refusal('operation-reused'))
    expect((await recordOf(scope))?.state).toBe('released')
  })

  it('one election is not enforced where everything below is stopped', async () => {
    const { scope } = await line('a')
    await acting.engage(scope, { match: 'prefix' })
    await expect(acting.engage(scope, { mode: 'enforced' }, CID)).rejects.toMatchObject(refusal('changed'))
    expect(await recordOf(scope)).toMatchObject({ match: 'prefix', mode: 'cooperative' })
  })

  it('a release is of the record that was seen, and says what is still engaged', async () => {
    const { election, scope } = await line('a')
    await acting.engage(scope, { match: 'prefix' })
    const modRevision = async () => (await scene.keys(`/tenure/switch/${scope}`))[0]?.modRevision
    const seen = await modRevision()
    const told = () => acting.view.info.switches?.find((each) => each.scopeBase64 === scopeOf(scope).scopeBase64)
    await eventually('it is told', () => told()?.modRevision === seen)
    await acting.engage(scope, { match: 'prefix' }, CID)
    const release = async (modRevision: string | undefined) =>
      acting.actions.releaseSwitch(ANN, {
        ...scopeOf(scope),
        nonce: (await recordOf(scope))?.nonce ?? '',
        modRevision,
        reason: 'repaired',
        typedName: scope,
        operation: newOperation(),
      })
    await expect(release(seen)).rejects.toMatchObject({ refusal: { code: 'changed', why: /engaged again by Cid/ } })
    const wide = election.slice(0, election.lastIndexOf('/') + 1)
    await acting.engage(wide, { match: 'prefix' })
    await eventually('it is told', () => told()?.match === 'prefix')
    const { outcome, id } = await release(await modRevision())
    expect(outcome?.words).toMatch(
      /^Released: .* and below\. jobs\/ and below is still engaged: nobody leads there yet\.$/,
    )
    expect(acting.audit({ operation: id })[0]?.subject.name).toBe(`${scope} and below`)
    await acting.release(wide)
  })

  it('of two people at once both are in the log, with one author', async () => {
    const { scope } = await line('a')
    const both = await Promise.all([acting.engage(scope), acting.engage(scope, { reason: 'too' }, CID)])
    expect(both.map(({ outcome }) => outcome?.is)).toEqual(['verified', 'verified'])
    const record = await recordOf(scope)
    expect(record?.log?.map(({ what }) => what)).toEqual(['engaged', 'engaged again'])
    expect(record?.by).toBe(record?.log?.[0]?.by)
  })
})

describe('the history of a stop (RC-19)', () => {
  const stateOf = (scope: string) => [...acting.view.elections.values()].find(({ prefix }) => prefix === scope)

  it('says that the kill switch ended the term, by whom, and counts no failover', async () => {
    const { scope } = await line('a')
    await acting.engage(scope)
    await eventually('it is explained', () => stateOf(scope)?.ended.at(-1)?.endedBy?.cause === 'kill switch')
    expect(stateOf(scope)?.ended.at(-1)?.endedBy).toMatchObject({
      by: 'Ben',
      evidence: expect.stringContaining('engaged by Ben'),
    })
    expect(stateOf(scope)?.failovers).toEqual([])
  })

  it('counts no failover when a leader that does not know the switch dies meanwhile, also after a restart', async () => {
    const election = scene.newElection()
    const scope = `${election}/`
    const { lease } = await scene.admin.grant(60, { deadlineMs: 2_000 })
    await scene.put(`${election}/${lease.replace(/^0+/, '')}`, 'go', lease)
    await known(election)
    await acting.engage(scope)
    await eventually(
      'the switch is known',
      () => acting.view.info.switches?.some(({ state }) => state === 'engaged') === true,
    )
    await scene.revoke(lease)
    await eventually('it is explained', () => stateOf(scope)?.ended.at(-1)?.endedBy?.cause === 'lease lost')
    expect(stateOf(scope)?.ended.at(-1)?.endedBy?.duringStop).toBe(true)
    await acting.restart()
    expect(stateOf(scope)?.ended.at(-1)?.endedBy).toMatchObject({ cause: 'lease lost', duringStop: true })
    expect(stateOf(scope)?.failovers).toEqual([])
  })
})

describe('a forecast', () => {
  it('says who leads, who can acknowledge, and what has to be typed', async () => {
    const { election, scope } = await line('ab')
    const forecast = await acting.actions.switchForecast({ ...scopeOf(scope), match: 'exact' })
    expect(forecast).toMatchObject({
      typedName: election.slice('jobs/'.length),
      standing: null,
      electionCount: 1,
      candidates: 2,
      acknowledging: 2,
      proposes: 'cooperative',
      outOfSpace: null,
      elections: [{ leader: { identity: 'a', acknowledges: true }, nextUp: { identity: 'b' }, foreignNext: null }],
    })
    expect((await acting.actions.switchForecast({ ...scopeOf(''), match: 'prefix' })).typedName).toBe('test')
    expect((await acting.actions.switchForecast({ ...scopeOf('jobs/'), match: 'prefix' })).typedName).toBe('jobs/')
  })

  it('and the proof count candidates of elections that nobody watches', async () => {
    const a = await scene.leader({ election: 'unwatched/job', identity: 'a' })
    const scope = { ...scopeOf('unwatched/'), match: 'prefix' as const }
    expect(await acting.actions.switchForecast(scope)).toMatchObject({
      electionCount: 1,
      candidates: 1,
      acknowledging: 1,
    })
    expect((await acting.engage('unwatched/', { match: 'prefix' })).outcome?.is).toBe('verified')
    await eventually('it stops', () => !leads(a), 1_500)
    await eventually('it acknowledges', async () => (await proof('unwatched/'))?.acknowledged === 1)
    expect(await proof('unwatched/')).toMatchObject({ of: 1, elections: [{ name: 'unwatched/job/', held: false }] })
  })

  it('names the foreign waiter that would lead, and proposes to enforce', async () => {
    const { election, scope } = await line('a')
    const { lease } = await scene.admin.grant(30, { deadlineMs: 2_000 })
    await scene.put(`${election}/${lease.replace(/^0+/, '')}`, 'go-worker', lease)
    await eventually('it waits', () =>
      [...acting.view.elections.values()].some(({ candidates }) => candidates[1]?.identity === 'go-worker'),
    )
    const forecast = await acting.actions.switchForecast({ ...scopeOf(scope), match: 'exact' })
    expect(forecast).toMatchObject({
      proposes: 'enforced',
      because: expect.stringContaining('go-worker would lead'),
      elections: [{ foreignNext: 'go-worker', candidates: 2, acknowledging: 1 }],
    })
    await scene.revoke(lease)
  })
})

describe('extending, releasing and arming', () => {
  it('extends to a later time only, and of that stop only', async () => {
    const { scope } = await line('a')
    await acting.engage(scope, { until: inMs(60_000) })
    const nonce = (await recordOf(scope))?.nonce ?? ''
    const extend = (until: string, more: object = {}) =>
      acting.actions.extendSwitch(BEN, {
        ...scopeOf(scope),
        nonce,
        until,
        reason: 'not yet',
        operation: newOperation(),
        ...more,
      })
    await expect(extend(inMs(30_000))).rejects.toMatchObject(refusal('until'))
    await expect(extend(inMs(120_000), { nonce: 'other' })).rejects.toMatchObject(refusal('changed'))
    const until = inMs(120_000)
    expect((await extend(until)).outcome?.is).toBe('verified')
    expect(await recordOf(scope)).toMatchObject({ until, nonce, by: 'Ben', reason: 'bad data' })
  })

  it('releases nothing by another nonce, name or role, and not twice', async () => {
    const { scope, all } = await line('a')
    await acting.engage(scope)
    const nonce = (await recordOf(scope))?.nonce ?? ''
    const release = (more: object = {}, by = ANN) =>
      acting.actions.releaseSwitch(by, {
        ...scopeOf(scope),
        nonce,
        reason: 'repaired',
        typedName: acting.typed(scope, 'exact'),
        operation: newOperation(),
        ...more,
      })
    await expect(release({ nonce: 'other' })).rejects.toMatchObject(refusal('changed'))
    await expect(release({ typedName: '' })).rejects.toMatchObject(refusal('name-not-typed'))
    await expect(release({}, BEN)).rejects.toMatchObject(refusal('role'))
    await eventually('nobody leads', () => leadersOf(all).length === 0, 1_500)
    expect((await release()).outcome?.is).toBe('verified')
    await expect(release()).rejects.toMatchObject(refusal('not-engaged'))
  })

  it('arms a scope once', async () => {
    const election = scene.newElection()
    const waiting = scene.enter({ election, identity: 'a', onMissingSwitch: 'halt' })
    await eventually('it is stopped', () => waiting.candidate.state === 'stopped')
    const arm = () =>
      acting.actions.armSwitch(ANN, {
        ...scopeOf(`${election}/`),
        match: 'exact',
        reason: 'new',
        operation: newOperation(),
      })
    expect((await arm()).outcome?.is).toBe('verified')
    await eventually('it leads', () => leads(waiting))
    await expect(arm()).rejects.toMatchObject(refusal('changed'))
  })
})
