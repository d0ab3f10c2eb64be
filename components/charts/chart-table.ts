/** What a chart draws, as rows: for reading, and for a file. */

import { instant } from '../../lib/shared/clock.ts'
import { csvLine } from '../../lib/shared/csv.ts'
import type { Period } from './lane-geometry.ts'
import type { Span } from './time-axis.ts'

/** null: not known, or not measured. */
export type ChartCell = string | number | null

export interface ChartTable {
  /** With their units; times are UTC. */
  columns: readonly string[]
  /** By time. */
  rows: readonly (readonly ChartCell[])[]
}

/** A row and when it begins. */
export interface TimedRow {
  fromMs: number
  cells: readonly ChartCell[]
}

export const at = (ms: number): string => instant(ms)

export const isShown = ({ fromMs, toMs }: Period, span: Span) => toMs >= span.fromMs && fromMs < span.toMs

export function tableOf(columns: readonly string[], rows: readonly TimedRow[]): ChartTable {
  return { columns, rows: rows.toSorted((a, b) => a.fromMs - b.fromMs).map(({ cells }) => cells) }
}

export function tableCsv({ columns, rows }: ChartTable): string {
  return [columns, ...rows].map((cells) => csvLine(cells)).join('')
}
