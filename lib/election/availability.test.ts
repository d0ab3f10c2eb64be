import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instant } from '../shared/clock.ts'
import { availabilityOf, merged, mostWithin, type Watched, watchedOf } from './availability.ts'
import type { EndedBy, LeaseId, Revision, Term } from './types.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-03-12T00:00:00.000Z')
const at = (seconds: number) => instant(START_MS + seconds * 1_000)
const span = (from: number, to: number) => ({ fromMs: START_MS + from * 1_000, toMs: START_MS + to * 1_000 })
const LOST: EndedBy = { cause: 'lease lost', evidence: 'gone' }
const HANDED: EndedBy = { cause: 'handed off', by: 'ann', evidence: 'asked' }

function term(ordinal: number, from: number, to: number | null, endedBy: EndedBy | null = LOST): Term {
  return {
    ordinal,
    epoch: 0,
    token: String(ordinal * 10) as Revision,
    leader: { identity: 'w', key: 'k', keyBase64: 'aw==', lease: '01' as LeaseId },
    from: at(from),
    fromAtLeast: false,
    to: to === null ? null : at(to),
    gapMs: null,
    takeoverMs: null,
    silentMs: null,
    endedBy: to === null ? null : endedBy,
  }
}

type Pairs = readonly (readonly [number, number])[]
const judge = (terms: Term[], within = span(0, 100), gaps: Pairs = [], stops: Pairs = []) =>
  availabilityOf(
    watchedOf(
      terms,
      gaps.map(([from, to]) => ({ from: at(from), to: at(to), reason: 'cut off' })),
      stops.map(([from, to]) => ({ from: at(from), to: at(to) })),
    ),
    within,
  )

describe('availability of leadership', () => {
  it('is whole while one term goes on', () => {
    expect(judge([term(2, -50, null)])).toMatchObject({
      judgedMs: 100_000,
      ledMs: 100_000,
      ledShare: 1,
      leaderlessMsPerDay: 0,
      failovers: 0,
      betweenFailoversMs: null,
    })
  })

  it('counts the time between terms as leaderless, clipped to the span, whatever their order', () => {
    const terms = [term(4, 60, null), term(2, -20, -5), term(3, 5, 50, HANDED)]
    expect(judge(terms)).toMatchObject({ leaderlessMs: 15_000, ledMs: 85_000, ledShare: 0.85, failovers: 0 })
  })

  it('leaves unobserved time out of the share, and tells it', () => {
    const all = judge([term(2, -20, 40), term(3, 60, null)], span(0, 100), [[35, 55]])
    expect(all).toMatchObject({ unobservedMs: 20_000, judgedMs: 80_000, leaderlessMs: 5_000, ledMs: 75_000 })
    expect(all.ledShare).toBeCloseTo(75 / 80)
  })

  it('leaves stopped time out as well; what was stopped unobserved counts as unobserved', () => {
    const all = judge([term(2, -20, 40), term(3, 80, null)], span(0, 100), [[70, 90]], [[40, 75]])
    expect(all).toMatchObject({ unobservedMs: 20_000, stoppedMs: 30_000, judgedMs: 50_000, leaderlessMs: 0 })
  })

  it('knows nothing of the time before the first term that was ever seen', () => {
    expect(judge([term(1, 60, null)])).toMatchObject({ unobservedMs: 60_000, judgedMs: 40_000, ledShare: 1 })
    expect(judge([term(2, 60, null)])).toMatchObject({ unobservedMs: 0, leaderlessMs: 60_000, ledShare: 0.4 })
  })

  it('says nothing where nothing was seen: no share is not a share of zero', () => {
    expect(judge([])).toMatchObject({ judgedMs: 0, ledShare: null, leaderlessMsPerDay: null, unobservedMs: 100_000 })
    expect(judge([term(2, -50, null)], span(0, 100), [[-5, 200]]).ledShare).toBeNull()
  })

  it('is leaderless after the last term until somebody leads again', () => {
    expect(judge([term(2, -50, 25)])).toMatchObject({ leaderlessMs: 75_000, ledShare: 0.25 })
  })

  it('measures the time between failovers by what was judged; planned ends are none', () => {
    const terms = [term(2, -20, 10), term(3, 10, 20, HANDED), term(4, 20, 60), term(5, 60, null)]
    expect(judge(terms, span(0, 100), [[90, 100]])).toMatchObject({ failovers: 2, betweenFailoversMs: 45_000 })
    const stopped = judge([term(2, 0, 10, { ...LOST, duringStop: true }), term(3, 10, null)])
    expect(stopped.failovers).toBe(0)
  })

  it('shows flapping by the worst hour', () => {
    const minutes = [0, 20, 40, 59, 60, 100, 200].map((minute) => minute * 60_000)
    expect(mostWithin(minutes, HOUR_MS)).toBe(5)
    expect(mostWithin([], HOUR_MS)).toBe(0)
  })

  it('judges every moment of the span exactly once', () => {
    const period = fc
      .tuple(fc.integer({ min: -20, max: 120 }), fc.integer({ min: 0, max: 60 }))
      .map(([from, long]) => ({
        fromMs: from,
        toMs: from + long,
      }))
    const periods = fc.array(period, { maxLength: 6 })
    const watched: fc.Arbitrary<Watched> = fc.record({
      sinceMs: fc.oneof(fc.integer({ min: -20, max: 120 }), fc.constant(Infinity), fc.constant(-Infinity)),
      vacancies: periods,
      failoversMs: fc.constant([]),
      unobserved: periods,
      stopped: periods,
    })
    fc.assert(
      fc.property(watched, (given) => {
        const { ledMs, leaderlessMs, unobservedMs, stoppedMs } = availabilityOf(given, { fromMs: 0, toMs: 100 })
        const inside = (list: Watched['vacancies'], ms: number) => list.some((one) => ms >= one.fromMs && ms < one.toMs)
        const moments = Array.from({ length: 100 }, (_, ms) => {
          if (ms < given.sinceMs || inside(given.unobserved, ms)) return 'unobserved'
          if (inside(given.stopped, ms)) return 'stopped'
          return inside(given.vacancies, ms) ? 'leaderless' : 'led'
        })
        const counted = (kind: string) => moments.filter((each) => each === kind).length
        expect([ledMs, leaderlessMs, unobservedMs, stoppedMs]).toEqual(
          ['led', 'leaderless', 'unobserved', 'stopped'].map(counted),
        )
      }),
    )
  })

  it('joins periods that touch and clips them', () => {
    const periods = [
      { fromMs: 5, toMs: 9 },
      { fromMs: -3, toMs: 5 },
      { fromMs: 20, toMs: Infinity },
    ]
    expect(merged(periods, { fromMs: 0, toMs: 30 })).toEqual([
      { fromMs: 0, toMs: 9 },
      { fromMs: 20, toMs: 30 },
    ])
  })
})
