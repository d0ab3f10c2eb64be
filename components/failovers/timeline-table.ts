/** The timeline as rows for a file: what its marks stand for, and by name what was not seen. */
import type { Gap } from '../../lib/election/types.ts'
import type { ChartTable } from '../charts/chart-table.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'
import { pointRows } from './timeline-words.ts'

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** `gaps` of the whole cluster. The range is the summary's. */
export function timelineTable(summary: FailoverSummaryShape, gaps: readonly Gap[]): ChartTable {
  const [columns = [], ...marks] = pointRows(summary)
  const unseen = gaps
    .filter(({ from, to }) => from < summary.to && to >= summary.from)
    .map(({ from, to, reason }) => [from, to, 'whole cluster', reason, 'unobserved', ...columns.slice(5).map(() => '')])
  return { columns, rows: [...marks, ...unseen].sort(([a = ''], [b = '']) => byText(a, b)) }
}
