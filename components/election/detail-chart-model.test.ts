import { describe, expect, it } from 'vitest'
import { msOf } from '../../lib/shared/clock.ts'
import { changeKind, chartModel } from './detail-chart-model.ts'
import { later, open, put, step } from './detail-fixtures.ts'
import { mergeTerms } from './detail-merge.ts'
import { leaderAt, termReadout, worstMargin } from './detail-readout.ts'
import { spoken } from './detail-sentence.ts'

const a = put({ identity: 'a', create: 1 })
const b = put({ identity: 'b', create: 2 })

function model(options: { live?: boolean; frozenAt?: number } = {}) {
  const state = step(open({ keys: [a, b], live: options.live ?? true }), { at: 30, revision: 11, deletes: [a] }).state
  const frozen = options.frozenAt === undefined ? null : { at: later(options.frozenAt), why: 'no word' }
  return chartModel({ state, terms: mergeTerms(state, []), gaps: [], frozen, endMs: msOf(later(60)) })
}

describe('chartModel', () => {
  it('puts each leader in a lane of its own and joins neighbouring terms', () => {
    const { terms, lanes, events } = model()
    expect(lanes.map(({ label }) => label)).toEqual(['a', 'b'])
    expect(terms.map(({ lane, joined, end }) => [lane, joined, end])).toEqual([
      [0, false, 'unobserved'],
      [1, true, null],
    ])
    expect(events).toEqual([msOf(later(0)), msOf(later(30))])
  })

  it('hatches the time before the first look, unless the election was seen to begin', () => {
    expect(model({ live: false }).gaps).toMatchObject([{ toMs: msOf(later(0)) }])
    expect(model({ live: true }).gaps).toEqual([])
  })

  it('counts the seat as vacant while nobody ever led, and a mutex never', () => {
    const from = (state: ReturnType<typeof open>) =>
      chartModel({ state, terms: mergeTerms(state, []), gaps: [], frozen: null, endMs: msOf(later(60)) }).vacancies
    expect(from(open())).toEqual([{ fromMs: msOf(later(0)), toMs: msOf(later(60)), loud: true }])
    const lock = put({ identity: '', create: 1 })
    expect(from(step(open({ keys: [lock] }), { at: 30, revision: 11, deletes: [lock] }).state)).toEqual([])
  })

  it('takes a seat that a kill switch keeps free for stopped, not for vacant (RC-19)', () => {
    const scope = { scope: '', scopeBase64: '', match: 'prefix' as const, nonce: 'n1', by: 'ann', reason: 'upgrade' }
    const held = { ...scope, from: later(40), to: null, ended: null, endedBy: null }
    const over = { ...scope, from: later(10), to: later(20), ended: 'released' as const, endedBy: 'ben' }
    const state = step(open({ keys: [a] }), { at: 30, revision: 11, deletes: [a] }).state
    const given = { state, terms: mergeTerms(state, []), gaps: [], frozen: null, endMs: msOf(later(60)) }
    const { vacancies, stops, events } = chartModel({ ...given, stops: [over, held] })
    expect(vacancies).toEqual([{ fromMs: msOf(later(30)), toMs: msOf(later(40)), loud: true }])
    expect(stops).toMatchObject([
      { toMs: msOf(later(20)), open: false },
      { toMs: msOf(later(60)), open: true },
    ])
    expect(events).toEqual([0, 10, 20, 30, 40].map((s) => msOf(later(s))))
    const model = chartModel({ ...given, stops: [held] })
    expect(spoken(termReadout(model, msOf(later(50)), 0))).toContain('stopped by ann: upgrade')
  })

  it('hatches from the newest proof on while the view is stale', () => {
    const { gaps } = model({ frozenAt: 45 })
    expect(gaps).toEqual([{ fromMs: msOf(later(45)), toMs: msOf(later(60)), reason: 'no word' }])
  })

  it('tells two candidates of one identity apart by lane and lease', () => {
    const one = put({ identity: 'localhost', create: 1, lease: '268c281fa4cb41a3' })
    const two = put({ identity: 'localhost', create: 2, lease: '268c281fa4cb41a4' })
    const state = open({ keys: [one, two] })
    const { lanes } = chartModel({ state, terms: mergeTerms(state, []), gaps: [], frozen: null, endMs: msOf(later(9)) })
    expect(lanes.map(({ label }) => label)).toEqual(['localhost …41a3', 'localhost …41a4'])
  })

  it('keeps the lanes of a long queue few, leaders first', () => {
    const keys = Array.from({ length: 40 }, (_, n) =>
      put({ identity: `w${String(n).padStart(2, '0')}`, create: n + 1 }),
    )
    const state = open({ keys })
    const { lanes, laneOf } = chartModel({
      state,
      terms: mergeTerms(state, []),
      gaps: [],
      frozen: null,
      endMs: msOf(later(9)),
    })
    expect(lanes.map(({ label }) => label)).toEqual(['w00', 'w01', 'w02', '37 others'])
    expect(laneOf({ identity: 'w30', key: '', keyBase64: '', lease: null })).toBe(3)
  })

  it('gives a mark to every cause and never calls an unknown one a failover', () => {
    const kind = (
      cause: Parameters<typeof changeKind>[0] extends infer E
        ? NonNullable<E> extends { cause: infer C }
          ? C
          : never
        : never,
    ) => changeKind({ cause, evidence: '' })
    expect(kind('expired')).toBe('failover')
    expect(kind('lease lost')).toBe('failover')
    expect(kind('store rolled back')).toBe('failover')
    expect(kind('handed off')).toBe('handoff')
    expect(kind('resigned or removed')).toBe('resigned')
    expect(kind('revoked')).toBe('revoke')
    expect(kind('kill switch')).toBe('kill')
    expect(kind('unobserved')).toBe('unobserved')
  })
})

describe('readouts', () => {
  it('read who led, what changed, and that nothing was seen', () => {
    const words = (ms: number) => spoken(termReadout(model({ frozenAt: 45 }), ms, msOf(later(60))))
    expect(words(msOf(later(10)))).toContain('a leads #1')
    expect(words(msOf(later(30)))).toContain('#1 a → #2 b')
    expect(words(msOf(later(50)))).toContain('unobserved: no word')
    expect(leaderAt(model(), msOf(later(40)))).toBe('b')
  })

  it('takes the least margin since a moment and none where none was measured', () => {
    const bucket = (at: number, min: number) => ({
      from: later(at),
      count: 1,
      p50: min,
      p95: min,
      p99: min,
      min,
      max: 90,
    })
    const series = [{ source: 'margin' as const, buckets: [bucket(0, 10), bucket(20, 61), bucket(30, 58)] }]
    expect(worstMargin(series, msOf(later(10)))).toBe(58)
    expect(worstMargin(series, msOf(later(40)))).toBeNull()
  })
})
