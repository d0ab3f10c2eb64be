import { describe, expect, it } from 'vitest'
import { type LaneTerm, laneChanges, laneSegments, laneVacancies, observedParts } from './lane-geometry.ts'

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
  it('joins no lanes over unobserved time', () => {
    const terms = [
      term({ fromMs: 0, toMs: 300, end: 'unobserved' }),
      term({ fromMs: 500, toMs: 1_000, lane: 1, joined: false }),
    ]
    expect(laneChanges(terms, span, plot)[0]).toMatchObject({ to: null })
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

describe('laneVacancies', () => {
  it('shows an unplanned one three pixels wide, however short', () => {
    expect(laneVacancies([{ fromMs: 500, toMs: 500.1, loud: true }], span, plot)).toEqual([{ x: 498.5, width: 3 }])
    expect(laneVacancies([{ fromMs: 500, toMs: 500.1, loud: false }], span, plot)).toEqual([])
    expect(laneVacancies([{ fromMs: 500, toMs: 520, loud: false }], span, plot)).toEqual([{ x: 500, width: 20 }])
  })

  it('fills the plot when it began before it', () => {
    expect(laneVacancies([{ fromMs: -5_000, toMs: 1_000, loud: true }], span, plot)).toEqual([{ x: 0, width: 1_000 }])
  })
})
