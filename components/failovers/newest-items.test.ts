import { expect, it } from 'vitest'
import { instant } from '../../lib/shared/clock.ts'
import type { FailoverRow } from '../live/failovers.ts'
import { newestItems } from './newest-items.ts'
import type { Mass } from './timeline-model.ts'

const row = (second: number) => ({ at: instant(second * 1_000) }) as FailoverRow
const mass = (second: number) => ({ from: instant(second * 1_000) }) as Mass
const items = (rows: number[], events: number[]) =>
  newestItems({
    newest: rows.map(row),
    masses: { count: events.length, failovers: 0, events: events.map(mass) },
  }).map(({ type, at }) => `${type} ${Date.parse(at) / 1_000}`)

it('has events between rows, by time', () => {
  expect(items([50, 30], [40, 20])).toEqual(['row 50', 'mass 40', 'row 30', 'mass 20'])
})

it('is no longer than twelve, the newest', () => {
  const rows = Array.from({ length: 12 }, (_, at) => 100 - at)
  expect(items(rows, [200, 10])).toEqual(['mass 200', ...rows.slice(0, 11).map((at) => `row ${at}`)])
})
