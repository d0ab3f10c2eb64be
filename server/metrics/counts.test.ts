/** What is counted while it happens: terms, time without a leader, failovers, gaps, rejections. */
import { describe, expect, it } from 'vitest'
import type { ElectionChange } from '../../lib/election/changes.ts'
import { at, heard, leaseOf, rev, said, shown } from '../../lib/election/claims-for-test.ts'
import { refOf } from '../../lib/election/ids.ts'
import { CAUSES, type EndedBy } from '../../lib/election/types.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { election } from '../history/fixtures.ts'
import { Scene } from './metrics-for-test.ts'
import { readValue } from './read-for-test.ts'
import { Tally } from './tally.ts'

const LOST: EndedBy = { cause: 'lease lost', evidence: 'gone' }
const cause = (token: number, endedBy = LOST): ElectionChange => ({ type: 'cause', token: rev(token), endedBy })

const terms = async (scene: Scene) => {
  const body = await scene.scrape()
  const counts = CAUSES.map((each) => [each, readValue(body, 'tenure_election_terms_total', { cause: each })] as const)
  return Object.fromEntries(counts.filter(([, count]) => count !== 0))
}

const value = async (scene: Scene, name: string, labels: Record<string, string> = {}) =>
  readValue(await scene.scrape(), name, labels)

function scene(...tokens: number[]): Scene {
  const made = new Scene()
  made.open('/e/job/', tokens)
  return made
}

describe('terms', () => {
  it('start at zero for every cause, so that the first one is seen to rise', async () => {
    const body = await scene(7).scrape()
    for (const each of CAUSES) expect(readValue(body, 'tenure_election_terms_total', { cause: each })).toBe(0)
  })

  it('one whose cause is still being established counts once it is known, under that cause', async () => {
    const made = scene(7, 9)
    made.apply(shown(1_000, [7]))
    expect(await terms(made)).toEqual({})
    made.apply(cause(7))
    expect(await terms(made)).toEqual({ 'lease lost': 1 })
    made.apply(cause(7, { cause: 'expired', evidence: 'proven' }))
    expect(await terms(made)).toEqual({ 'lease lost': 1 })
  })

  it('causes that come in another order count each once', async () => {
    const made = scene(7, 9, 11)
    made.apply(shown(1_000, [7]))
    made.apply(shown(2_000, [9]))
    made.apply(cause(9, { cause: 'handed off', by: 'u1', evidence: 'asked for' }))
    made.apply(cause(7))
    expect(await terms(made)).toEqual({ 'lease lost': 1, 'handed off': 1 })
  })

  it('what changed while nothing was seen is unobserved', async () => {
    const made = scene(7)
    const gap = { from: at(1_000), to: at(5_000), reason: 'events were lost' }
    made.apply({ type: 'relisted', at: at(5_000), revision: rev(500), keys: [], gap })
    expect(await terms(made)).toEqual({ unobserved: 1 })
  })

  it('a term that a held key gave back counts once', async () => {
    const made = scene(7)
    const state = [...made.view.elections.values()][0]
    const term = state?.term
    if (state === undefined || !term) throw new Error('nobody leads')
    const ended = { ...term, to: at(1_000), endedBy: { cause: 'kill switch', evidence: 'held' } as const }
    for (const fact of ['term-ended', 'term-started', 'term-ended'] as const) {
      made.history.record('prod-eu', state, [{ type: fact, at: at(1_000), revision: rev(200), term: ended }])
    }
    expect(await terms(made)).toEqual({ 'kill switch': 1 })
  })
})

describe('time without a leader', () => {
  const name = 'tenure_election_leaderless_seconds_total'

  it('counts while it goes on, and no second twice', async () => {
    const made = scene(7)
    made.nowMs = msOf(at(1_000))
    made.apply(shown(1_000, [7]))
    made.nowMs = msOf(at(4_000))
    expect(await value(made, name)).toBe(3)
    expect(await value(made, name)).toBe(3)
    made.nowMs = msOf(at(6_000))
    made.apply(shown(6_000, [], [21]))
    made.nowMs = msOf(at(9_000))
    expect(await value(made, name)).toBe(5)
  })

  it('counts between two scrapes, too', async () => {
    const made = scene(7)
    made.apply(shown(1_000, [7]))
    made.apply(shown(1_400, [], [21]))
    made.nowMs = msOf(at(15_000))
    expect(await value(made, name)).toBe(0.4)
  })

  it('none is made up while nothing is seen', async () => {
    const made = scene(7)
    made.apply(shown(1_000, [7]))
    made.nowMs = msOf(at(60_000))
    made.cluster({ freshness: 'stale', asOf: at(3_000) })
    expect(await value(made, name)).toBe(2)
    const gap = { from: at(3_000), to: at(61_000), reason: 'no answer' }
    made.apply({ type: 'relisted', at: at(61_000), revision: rev(900), keys: [], gap })
    made.cluster({ freshness: 'live', asOf: at(61_000) })
    made.nowMs = msOf(at(62_000))
    expect(await value(made, name)).toBe(3)
  })

  it('a free mutex lacks nothing', async () => {
    const made = new Scene()
    const ref = refOf('queue', '/e/job/')
    made.open('/e/job/', [])
    const state = made.view.elections.get(ref)
    if (state === undefined) throw new Error('not opened')
    made.view.elections.set(ref, { ...state, valuesEmpty: true, lastOrdinal: 3 })
    expect(await value(made, name)).toBeUndefined()
    expect(await value(made, 'tenure_election_info', { kind: 'mutex' })).toBe(1)
  })
})

describe('the newest failover', () => {
  const name = 'tenure_election_last_failover_seconds'

  it('is told by the parts that are known', async () => {
    const made = scene(7, 9)
    made.apply({
      type: 'lease',
      lease: leaseOf(7),
      sample: { grantedMs: 10_000, remainingMs: 4_000, asOf: at(20_000) },
    })
    made.apply(shown(24_000, [7, 9]))
    made.apply(cause(7))
    expect(await value(made, name, { part: 'detect' })).toBe(10)
    expect(await value(made, name, { part: 'vacancy' })).toBeUndefined()
    made.apply(shown(24_500, [], [31]))
    expect(await value(made, name, { part: 'vacancy' })).toBe(0.5)
    expect(await value(made, name, { part: 'takeover' })).toBeUndefined()
    expect(await value(made, name, { part: 'refill' })).toBe(0)
  })

  it('stands when others who led resigned since', async () => {
    const made = scene(7, 9)
    made.apply(shown(1_000, [7]))
    made.apply(cause(7))
    expect(await value(made, name, { part: 'vacancy' })).toBe(0)
    const hours = 3 * 3_600_000
    made.apply(shown(hours, [9], [41]))
    made.apply(cause(9, { cause: 'resigned or removed', evidence: 'alive' }))
    made.apply(shown(2 * hours, [41], [42]))
    expect(await value(made, name, { part: 'vacancy' })).toBe(0)
  })
})

describe('gaps', () => {
  const name = 'tenure_cluster_visibility_gap_seconds_total'

  it('one that is extended counts its length once', async () => {
    const made = scene(7)
    made.history.recordGap('prod-eu', { from: at(1_000), to: at(2_000), reason: 'x' })
    made.history.recordGap('prod-eu', { from: at(1_000), to: at(4_000), reason: 'x' })
    made.history.recordGap('prod-eu', { from: at(9_000), to: at(9_500), reason: 'x' })
    expect(await value(made, name)).toBe(3.5)
  })

  it('one that goes on counts, and never less than it was', async () => {
    const made = scene(7)
    made.nowMs = msOf(at(10_000))
    made.cluster({ freshness: 'stale', asOf: at(2_000) })
    expect(await value(made, name)).toBe(8)
    made.history.recordGap('prod-eu', { from: at(3_000), to: at(10_000), reason: 'x' })
    made.cluster({ freshness: 'live', asOf: at(10_000) })
    expect(await value(made, name)).toBe(8)
  })

  it('the time before the start is not counted', async () => {
    const made = scene(7)
    made.history.recordGap('prod-eu', { from: at(-60_000), to: at(2_000), reason: 'x' })
    expect(await value(made, name)).toBe(2)
  })
})

describe('rejections', () => {
  const name = 'tenure_election_fencing_rejections_total'
  const report = (ms: number, instance: string, rejections: number): ElectionChange => ({
    type: 'claims',
    put: [{ ...said(ms, { instance }), rejections }],
  })

  it('what was refused before the start is not counted again', async () => {
    const made = scene(7)
    made.apply(report(1_000, 'a', 40))
    expect(await value(made, name)).toBe(0)
    made.apply(report(2_000, 'a', 43))
    expect(await value(made, name)).toBe(3)
  })

  it('nor is it when the first scrape comes late', async () => {
    const made = scene(7)
    made.apply(report(1_000, 'a', 40))
    made.nowMs = msOf(at(600_000))
    expect(await value(made, name)).toBe(0)
    made.apply(report(600_000, 'b', 2))
    expect(await value(made, name)).toBe(2)
  })

  it('go on when an instance ends and another begins', async () => {
    const made = scene(7)
    made.apply(report(1_000, 'a', 0))
    expect(await value(made, name)).toBe(0)
    made.apply(report(2_000, 'a', 2))
    expect(await value(made, name)).toBe(2)
    made.nowMs = msOf(at(120_000))
    made.apply({ type: 'claims', gone: ['a'] })
    made.apply(report(120_000, 'b', 5))
    expect(await value(made, name)).toBe(7)
    made.apply({ type: 'claims', gone: ['b'] })
    expect(await value(made, name)).toBe(7)
  })

  it('claims are of those that say so now', async () => {
    const made = scene(7)
    made.apply(heard(0, { instance: 'a', token: 7 }))
    made.apply(heard(0, { instance: 'b', token: 7 }))
    expect(await value(made, 'tenure_election_claims')).toBe(2)
    expect(await value(made, 'tenure_election_dual_claimants')).toBe(2)
    made.nowMs = msOf(at(6_001))
    expect(await value(made, 'tenure_election_claims')).toBe(0)
  })
})

describe('memory', () => {
  it('elections that come and go are not kept when nobody scrapes', () => {
    const tally = new Tally({ clock: { nowMs: () => 0 }, onRtt: () => {}, isKnown: () => false })
    for (let number = 0; number < 20_000; number += 1) tally.of('prod-eu', election(`e${number}`).ref)
    expect(tally.kept).toBeLessThanOrEqual(1_000)
  })
})
