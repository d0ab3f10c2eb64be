import { expect, it } from 'vitest'
import { failoverSentence } from './failover-sentence.ts'

type Told = Parameters<typeof failoverSentence>[0]
const TOLD: Told = {
  from: '2026-03-11T03:12:00.000Z',
  to: '2026-03-12T03:12:00.000Z',
  observedSince: '2026-01-01T00:00:00.000Z',
  totals: { failovers: 40, planned: 16, unobserved: 0, open: 1 },
  quantiles: { measured: 39, partly: 0, p50Ms: 9_000, p95Ms: 14_900, withinObjective: 32 },
  masses: { count: 1, failovers: 14, events: [] },
  objective: { percent: 95, withinMs: 12_000 },
}
const say = (part: Partial<Told> = {}, filtered = false) =>
  failoverSentence({ ...TOLD, ...part }, '24 h', filtered)
    .map(({ text }) => text)
    .join('')

it('says how many, how long, whether that is what was promised, and what goes on', () => {
  expect(say()).toBe(
    '40 failovers in 24 h, 14 of them one event. p50 9.0 s; p95 14.9 s, 2.9 s over the 12 s objective. 1 has not ended.',
  )
  const parts = failoverSentence(TOLD, '24 h', false)
  expect(parts.filter(({ tone }) => tone === 'warn').map(({ text }) => text)).toEqual(['2.9 s over the 12 s objective'])
})

it('warns of nothing while the objective is kept', () => {
  const quantiles = { ...TOLD.quantiles, p95Ms: 11_000, withinObjective: 38 }
  const masses = { count: 0, failovers: 0, events: [] }
  expect(say({ quantiles, masses, totals: { ...TOLD.totals, open: 0 } })).toBe(
    '40 failovers in 24 h. p50 9.0 s; p95 11.0 s, within the 12 s objective.',
  )
})

it('judges by the share where the objective is not of 95 %', () => {
  expect(say({ objective: { percent: 99, withinMs: 12_000 } })).toContain('82 % within the 12 s objective of 99 %.')
})

it('does not tell a time that nobody knows', () => {
  const quantiles = { measured: 0, partly: 0, p50Ms: null, p95Ms: null, withinObjective: 0 }
  expect(say({ quantiles })).toBe('40 failovers in 24 h, 14 of them one event. None could be timed. 1 has not ended.')
})

it('is content where nothing was lost', () => {
  const totals = { failovers: 0, planned: 16, unobserved: 1, open: 0 }
  expect(say({ totals })).toBe('No failover in 24 h. 16 other changes of leader, 1 unobserved one.')
  expect(say({ totals: { ...totals, planned: 0, unobserved: 0 } }, true)).toBe(
    'No failover that matches in 24 h. No leader changed otherwise.',
  )
})

it('time before Tenure watched is not told as if nothing had happened', () => {
  const totals = { failovers: 0, planned: 0, unobserved: 0, open: 0 }
  expect(say({ totals, observedSince: '2026-03-12T03:00:00.000Z' })).toBe(
    'No failover in 24 h. No leader changed otherwise. Not observed before 03:00 UTC, Thu 12 Mar.',
  )
  expect(say({ totals, observedSince: '2026-04-01T00:00:00.000Z' })).toBe(
    'Not observed: 24 h. Tenure began to watch at 00:00 UTC, Wed 1 Apr.',
  )
  expect(say({ totals, observedSince: null })).toBe('Not observed: 24 h. Nothing is on record yet.')
})
