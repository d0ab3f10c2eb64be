import { expect, test } from 'vitest'
import { term } from './incident-for-test.ts'
import { periodFigures } from './period.ts'
import { periodRows, shareWords } from './period-rows.ts'

test('a share is never rounded up to what was not reached', () => {
  expect([1, 0.999999, 0.9995, 0.98765, 0, null].map(shareWords)).toEqual([
    '100 %',
    '99.999 %',
    '99.950 %',
    '98.7 %',
    '0.0 %',
    '–',
  ])
})

test('what is nothing in both ranges is left out; what falls short of the objective says so', () => {
  const span = { fromMs: 0, toMs: 100_000 }
  const led = periodFigures(
    { terms: [term(1, 0, null, { from: '1970-01-01T00:00:00.000Z' })], gaps: [], stops: [] },
    span,
  )
  const rows = periodRows(led, null, 99.9)
  expect(rows.map(({ name }) => name)).toEqual([
    'Led',
    'Without a leader',
    'Failovers',
    'Between failovers',
    'Failover, p95',
    'Other changes',
  ])
  expect(rows[0]).toEqual({ name: 'Led', now: '100 %', before: '–' })
  const half = { ...led, ledShare: 0.5, leaderlessMs: 50_000, failovers: 2, longestFailoverMs: 30_000 }
  expect(periodRows(half, led, 99.9)[0]).toEqual({ name: 'Led', now: '50.0 %', before: '100 %', isShort: true })
  expect(periodRows(half, led, 99.9).map(({ name }) => name)).toContain('Failover, longest')
})
