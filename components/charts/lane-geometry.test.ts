import { describe, expect, it } from 'vitest'
import { type LaneTerm, laneChanges, laneSegments, observedParts } from './lane-geometry.ts'

const span = { fromMs: 0, toMs: 1_000 }
const plot = { left: 0, right: 1_000 }

function term(overrides: Partial<LaneTerm> & Pick<LaneTerm, 'fromMs' | 'toMs'>): LaneTerm {
  const key = `${overrides.fromMs}`
  return {
    key,
    lane: 0,
    label: '#1',
    longLabel: '#1 · token 100',
    openStart: false,
    end: null,
    joined: true,
    ...overrides,
  }
}

describe('observedParts', () => {
  it('cuts out what was not seen', () => {
    const gaps = [
      { fromMs: 0, toMs: 10 },
      { fromMs: 40, toMs: 60 },
      { fromMs: 50, toMs: 70 },
      { fromMs: 95, toMs: 200 },
    ]
    expect(observedParts({ fromMs: 5, toMs: 100 }, gaps)).toEqual([
      { fromMs: 10, toMs: 40 },
      { fromMs: 70, toMs: 95 },
    ])
  })
})

describe('laneSegments', () => {
  it('breaks a term at a gap instead of drawing through it', () => {
    const segments = laneSegments([term({ fromMs: 100, toMs: 900 })], [{ fromMs: 400, toMs: 500 }], span, plot)
    expect(segments.map(({ x, width }) => [x, width])).toEqual([
      [100, 300],
      [500, 400],
    ])
  })

  it('stays inside the plot and labels only where the label fits', () => {
    const terms = [
      term({ fromMs: -500, toMs: 300 }),
      term({ fromMs: 300, toMs: 340 }),
      term({ fromMs: 340, toMs: 345 }),
    ]
    const segments = laneSegments(terms, [], span, plot)
    expect(segments[0]).toMatchObject({ x: 0, width: 300, label: '#1 · token 100', openStart: true })
    expect(segments.map(({ label }) => label)).toEqual(['#1 · token 100', '#1', ''])
  })

  it('draws a day of a thousand short terms as few segments', () => {
    const terms = Array.from({ length: 4_000 }, (_, at) => term({ fromMs: at / 4, toMs: (at + 1) / 4, lane: at % 2 }))
    expect(laneSegments(terms, [], span, plot).length).toBeLessThan(10)
  })
})

describe('laneChanges', () => {
  it('hatches a seat that was free, at least three pixels wide after a failover', () => {
    const terms = [term({ fromMs: 0, toMs: 500, end: 'failover' }), term({ fromMs: 500.1, toMs: 1_000, lane: 1 })]
    expect(laneChanges(terms, span, plot)).toMatchObject([{ kind: 'failover', from: 0, to: 1, vacancy: { width: 3 } }])
  })

  it('hatches no seat in a handover without a visible vacancy', () => {
    const terms = [term({ fromMs: 0, toMs: 500, end: 'handoff' }), term({ fromMs: 500.1, toMs: 1_000, lane: 1 })]
    expect(laneChanges(terms, span, plot)[0]?.vacancy).toBeNull()
  })

  it('hatches to the right edge while nobody leads', () => {
    expect(laneChanges([term({ fromMs: 0, toMs: 600, end: 'unobserved' })], span, plot)[0]?.vacancy).toEqual({
      x: 600,
      width: 400,
    })
  })

  it('joins no lanes over unobserved time', () => {
    const terms = [
      term({ fromMs: 0, toMs: 300, end: 'unobserved' }),
      term({ fromMs: 500, toMs: 1_000, lane: 1, joined: false }),
    ]
    expect(laneChanges(terms, span, plot)[0]).toMatchObject({ to: null, vacancy: null })
  })

  it('keeps the loudest of marks that would cover each other', () => {
    const terms = [
      term({ fromMs: 0, toMs: 100, end: 'handoff' }),
      term({ fromMs: 100, toMs: 102, end: 'failover' }),
      term({ fromMs: 102, toMs: 104, end: 'handoff' }),
      term({ fromMs: 104, toMs: 1_000 }),
    ]
    expect(laneChanges(terms, span, plot).map(({ kind }) => kind)).toEqual(['failover'])
  })
})
