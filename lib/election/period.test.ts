import { expect, test } from 'vitest'
import { instant } from '../shared/clock.ts'
import { periodFigures } from './period.ts'
import type { EndedBy, Leader, Revision, Term } from './types.ts'

const S = 1_000
const leader: Leader = { identity: 'a', key: '/a', keyBase64: 'L2E=', lease: null }
const LOST: EndedBy = { cause: 'lease lost', evidence: 'gone' }
const RESIGNED: EndedBy = { cause: 'resigned or removed', evidence: 'alive' }
const term = (ordinal: number, fromS: number, toS: number | null, part: Partial<Term> = {}): Term => ({
  ordinal,
  epoch: 0,
  token: String(ordinal) as Revision,
  leader,
  from: instant(fromS * S),
  fromAtLeast: false,
  to: toS === null ? null : instant(toS * S),
  gapMs: null,
  takeoverMs: null,
  silentMs: null,
  endedBy: toS === null ? null : RESIGNED,
  ...part,
})
const span = { fromMs: 0, toMs: 100 * S }

test('a period counts its changes by kind, and how long failovers took in all their known parts', () => {
  const terms = [
    term(4, 62, null, { gapMs: 2_000 }),
    term(3, 41, 60, { gapMs: 1_000, takeoverMs: 500, endedBy: { ...LOST, duringStop: true } }),
    term(2, 20, 40, { endedBy: LOST, silentMs: 9_000, refillMs: 1_000 }),
    term(1, 0, 20),
  ]
  expect(periodFigures({ terms, gaps: [], stops: [] }, span)).toMatchObject({
    failovers: 1,
    planned: 2,
    unobservedChanges: 0,
    leaderlessMs: 3_000,
    ledShare: 0.97,
    failoverP50Ms: 8_000 + 1_000 + 1_000 + 500,
    failoverP95Ms: 10_500,
    longestFailoverMs: 10_500,
  })
})

test('what ended before the period or after it is none of its changes; time that was not observed is not judged', () => {
  const terms = [term(3, 130, null), term(2, -10, 120, { endedBy: LOST }), term(1, -60, -20, { endedBy: LOST })]
  const gaps = [{ from: instant(0), to: instant(40 * S), reason: 'watch lost' }]
  expect(periodFigures({ terms, gaps, stops: [] }, span)).toMatchObject({
    failovers: 0,
    planned: 0,
    judgedMs: 60_000,
    ledShare: 1,
    unobservedMs: 40_000,
    failoverP95Ms: null,
  })
})

test('a failover that has not ended has no length yet', () => {
  const figures = periodFigures(
    { terms: [term(1, 0, 90, { endedBy: LOST, silentMs: 5_000 })], gaps: [], stops: [] },
    span,
  )
  expect(figures).toMatchObject({ failovers: 1, failoverP95Ms: null, leaderlessMs: 10_000 })
})

test('a mutex may be free: that is no time without a leader', () => {
  const mutex = { ...leader, identity: '' }
  const figures = periodFigures({ terms: [term(1, 0, 2, { leader: mutex })], gaps: [], stops: [] }, span)
  expect(figures).toMatchObject({ leaderlessMs: 0, ledShare: null, leaderlessMsPerDay: null, ledMs: 2_000 })
})
