import { isMet, type Row } from './row.ts'

function number(value: number | undefined): string {
  if (value === undefined) return '–'
  if (!Number.isFinite(value)) return 'not measured'
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)))
}

const ratio = ({ value, reference }: Row) => (reference ? `${number(value / reference)} ×` : '–')

export function jsonLine(row: Row): string {
  const { name, value, unit, reference, reach } = row
  return JSON.stringify({ name, value, unit, reference: reference ?? null, reach: reach.text, met: isMet(row) })
}

/** A table for the terminal: what, measured, reference in the same run, ratio, reach, met or not. */
export function table(rows: readonly Row[]): string {
  const head = ['what', 'measured', 'reference', 'ratio', 'reach', 'met']
  const body = rows.map((row) => [
    row.name,
    `${number(row.value)} ${row.unit}`,
    row.reference === undefined ? '–' : `${number(row.reference)} ${row.unit}`,
    ratio(row),
    row.reach.text,
    isMet(row) ? 'yes' : 'NO',
  ])
  const widths = head.map((title, column) =>
    Math.max(...[head, ...body].map((cells) => (cells[column] ?? title).length)),
  )
  const line = (cells: string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...body.map(line)].join('\n')
}
