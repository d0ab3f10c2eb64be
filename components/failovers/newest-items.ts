/** The newest changes, with the members of a mass event folded into one. */
import type { FailoverRow, FailoverSummaryShape } from '../live/failovers.ts'
import type { Mass } from './timeline-model.ts'

export type NewestItem = { type: 'row'; at: string; row: FailoverRow } | { type: 'mass'; at: string; mass: Mass }

export const NEWEST = 12

/** Newest first. Rows are the newest twelve: an event older than all of them is told only where there are fewer. */
export function newestItems({ newest, masses }: Pick<FailoverSummaryShape, 'newest' | 'masses'>): NewestItem[] {
  const rows = newest.map((row): NewestItem => ({ type: 'row', at: row.at, row }))
  const events = masses.events.map((mass): NewestItem => ({ type: 'mass', at: mass.from, mass }))
  return [...rows, ...events].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, NEWEST)
}
