import { expect, it } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { timelineTable } from './timeline-table.ts'

const at = (second: number) => instant(second * 1_000)
const point = {
  at: at(50),
  election: 0,
  cause: 'lease lost',
  kind: 'failover',
  count: 1,
  leastMs: 9_000,
  mostMs: 9_000,
}
const summary = {
  from: at(0),
  to: at(100),
  points: [point],
  masses: { count: 0, failovers: 0, events: [] },
  elections: [{ name: 'jobs' }],
} as unknown as FailoverSummaryShape

it('has a row for what was not seen in the range, in its place', () => {
  const gap = (from: number, to: number) => ({ from: at(from), to: at(to), reason: 'cut off' })
  const { columns, rows } = timelineTable(summary, [gap(-20, -10), gap(60, 70), gap(-5, 5), gap(100, 110)])
  expect(rows.map((row) => [row[0], row[2], row[3], row[4]])).toEqual([
    [at(-5), 'whole cluster', 'cut off', 'unobserved'],
    [at(50), 'jobs', 'lease lost', 'failover'],
    [at(60), 'whole cluster', 'cut off', 'unobserved'],
  ])
  for (const row of rows) expect(row).toHaveLength(columns.length)
})
