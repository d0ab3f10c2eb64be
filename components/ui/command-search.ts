/** Which elections ⌘K offers: names that begin with the words first, then names that have them, then the rest. Pure. */
import { rankOf } from '../../lib/election/status.ts'
import { type Row, shownRows } from '../election/list-model.ts'

function closeness(row: Row, query: string): number {
  const name = row.name.toLowerCase()
  const last = name.slice(name.lastIndexOf('/') + 1)
  if (name === query || last === query) return 0
  if (name.startsWith(query) || last.startsWith(query)) return 1
  return name.includes(query) ? 2 : 3
}

export function foundElections(rows: readonly Row[], query: string, most: number): Row[] {
  const wanted = query.trim().toLowerCase()
  return shownRows(rows, 'all', wanted)
    .map((row) => ({ row, close: wanted === '' ? 0 : closeness(row, wanted) }))
    .sort(
      (a, b) =>
        a.close - b.close || rankOf(a.row.status) - rankOf(b.row.status) || (a.row.order < b.row.order ? -1 : 1),
    )
    .slice(0, most)
    .map(({ row }) => row)
}
