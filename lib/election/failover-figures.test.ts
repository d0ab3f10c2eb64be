import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Durations } from './durations.ts'
import { causesOf, distributionOf, quantilesOf, totalsOf } from './failover-figures.ts'
import { massesOf } from './mass-events.ts'
import { isPartly, transitionKind, transitionParts, unknownParts } from './transitions.ts'
import { handed, lost, START_MS } from './transitions-for-test.ts'
import { CAUSES } from './types.ts'

const OBJECTIVE = { percent: 95, withinMs: 12_000 }
const NONE = new Set<never>()

describe('one change of leader', () => {
  it('is a failover as the terms judge it: not while it was stopped, and not when nobody saw it', () => {
    const kinds = (duringStop: boolean) => CAUSES.filter((cause) => transitionKind(cause, duringStop) === 'failover')
    expect(kinds(false)).toEqual(['lease lost', 'expired', 'store rolled back'])
    expect(kinds(true)).toEqual([])
    expect(transitionKind('unobserved', true)).toBe('unobserved')
  })

  it('has what a refill added as a part of its own', () => {
    const ended = { silentMs: 17_000, refillMs: 9_000 }
    expect(transitionParts('failover', ended, { gapMs: 40, takeoverMs: null })).toEqual({
      detectMs: 8_000,
      refillMs: 9_000,
      vacancyMs: 40,
      takeoverMs: null,
    })
    expect(transitionParts('planned', ended, { gapMs: 40, takeoverMs: 5 }).detectMs).toBeNull()
  })

  it('says which part nobody knows; a sum without its vacancy is none', () => {
    const blind = lost(0, { detectMs: null, takeoverMs: null })
    expect([blind.totalMs, unknownParts(blind), isPartly(blind)]).toEqual([200, ['detect', 'takeover'], true])
    const unseen = lost(0, { vacancyMs: null })
    expect([unseen.totalMs, unknownParts(unseen)]).toEqual([null, ['vacancy']])
    const open = lost(0, { nextMs: null, vacancyMs: null, takeoverMs: null })
    expect([open.totalMs, unknownParts(open), isPartly(open)]).toEqual([null, [], false])
    expect(isPartly(handed(0))).toBe(false)
  })
})

describe('figures', () => {
  it('keep planned and unobserved changes apart from failovers', () => {
    const all = [lost(0), lost(1, { nextMs: null }), handed(2), lost(3, { cause: 'unobserved', kind: 'unobserved' })]
    expect(totalsOf(all)).toEqual({ failovers: 2, planned: 1, unobserved: 1, open: 1 })
  })

  it('measure what ended, and say how many lack a part', () => {
    const all = [
      lost(0),
      lost(1, { detectMs: 13_000 }),
      lost(2, { detectMs: null }),
      lost(3, { nextMs: null }),
      lost(4, { vacancyMs: null }),
    ]
    expect(quantilesOf(all, OBJECTIVE)).toEqual({
      measured: 3,
      partly: 1,
      p50Ms: 9_000,
      p95Ms: 14_000,
      withinObjective: 2,
    })
    expect(quantilesOf([], OBJECTIVE)).toMatchObject({ measured: 0, p50Ms: null, p95Ms: null })
  })

  it('give medians of what is known', () => {
    const all = [lost(0, { detectMs: 4_000 }), lost(1, { detectMs: null }), lost(2), handed(3), handed(4)]
    const [failovers, handoffs] = causesOf(all, new Set([all[0] as never]))
    expect(failovers).toMatchObject({ cause: 'lease lost', kind: 'failover', count: 3, mass: 1 })
    expect(failovers?.parts).toEqual({ detectMs: 4_000, refillMs: null, vacancyMs: 200, takeoverMs: 800 })
    expect(handoffs).toMatchObject({ cause: 'handed off', count: 2, totalMs: 1_000 })
    expect(handoffs?.parts.detectMs).toBeNull()
  })

  it('tell losses during a stop apart from failovers of the same cause', () => {
    const all = [lost(0), lost(1, { kind: 'planned' })]
    expect(causesOf(all, NONE).map(({ kind, count }) => [kind, count])).toEqual([
      ['failover', 1],
      ['planned', 1],
    ])
  })

  it('spread over bins, the longest in one without an end', () => {
    const all = [lost(0), lost(1), lost(2, { detectMs: 90_000 }), lost(3, { nextMs: null })]
    const bins = distributionOf(all, new Set([all[1] as never]), 20_000)
    expect(bins.filter(({ count }) => count > 0)).toEqual([
      { fromMs: 9_000, toMs: 10_000, count: 2, mass: 1 },
      { fromMs: 25_000, toMs: null, count: 1, mass: 0 },
    ])
  })

  it('have exact quantiles, however long', () => {
    const some = fc.array(fc.oneof(fc.nat({ max: 70_000 }), fc.nat({ max: 400 })), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(some, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
        const durations = new Durations()
        for (const value of values) durations.add(value)
        const sorted = values.toSorted((a, b) => a - b)
        expect(durations.quantile(share)).toBe(sorted[Math.max(1, Math.ceil(values.length * share)) - 1])
        expect(durations.within(30_000)).toBe(values.filter((value) => value <= 30_000).length)
        expect(durations.within(66_000)).toBe(values.filter((value) => value <= 66_000).length)
      }),
    )
  })
})

describe('mass events', () => {
  const names = ['a', 'b', 'c', 'd', 'e']

  it('are five elections within three seconds of the first, and keep their members', () => {
    const inside = names.map((name, at) => lost(10 + at * 0.75, { name }))
    const { events, members } = massesOf([lost(5), ...inside, lost(13.001, { name: 'f' })])
    expect(events).toEqual([
      {
        fromMs: START_MS + 10_000,
        toMs: START_MS + 13_000,
        elections: 5,
        failovers: 5,
        open: 0,
        leastMs: 9_000,
        medianMs: 9_000,
        mostMs: 9_000,
      },
    ])
    expect([...members]).toEqual(inside)
  })

  it('are not one election that flaps', () => {
    expect(massesOf([0, 0.5, 1, 1.5, 2].map((at) => lost(at))).events).toEqual([])
    expect(massesOf(names.slice(1).map((name) => lost(0, { name }))).events).toEqual([])
  })

  it('say how long they took at least and at most, of those that ended', () => {
    const group = names.map((name, at) =>
      lost(0, { name, detectMs: at * 1_000, ...(at === 4 ? { nextMs: null } : {}) }),
    )
    expect(massesOf(group).events).toMatchObject([{ open: 1, leastMs: 1_000, medianMs: 2_000, mostMs: 4_000 }])
  })
})
