'use client'
import { count } from '../../lib/shared/format.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { ChartTable } from './chart-table.ts'

interface TableDialogProps {
  title: string
  /** The range. */
  about: string
  table: ChartTable
  onClose: () => void
}

/** More than anybody reads; a file has all of them. */
const MOST_ROWS = 1_000

/** The values of a chart to be read one by one, as they were when it was opened. */
export function ChartTableDialog({ title, about, table: { columns, rows }, onClose }: TableDialogProps) {
  const shown = rows.slice(-MOST_ROWS)
  const isCut = shown.length < rows.length
  return (
    <Dialog className="max-w-[1060px]" onOpenChange={(open) => !open && onClose()} open title={`${title} as a table`}>
      <p className="words px-6 pt-3 text-sm text-t2 max-sm:px-4">
        {about}, UTC.{' '}
        {isCut
          ? `The newest ${count(shown.length, 'row')} of ${rows.length.toLocaleString('en-US')}; the CSV has all.`
          : `${count(rows.length, 'row')}.`}{' '}
        A dash is a value that was not measured.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
      <section aria-label={`${title}, rows`} className="mt-2 min-h-0 overflow-auto px-6 pb-5 max-sm:px-4" tabIndex={0}>
        <table className="w-full border-collapse text-left text-sm">
          <thead>
            <tr className="text-t3 text-xs">
              {columns.map((column) => (
                <th
                  className="sticky top-0 bg-s1 whitespace-nowrap py-1.5 pr-4 align-bottom font-medium"
                  key={column}
                  scope="col"
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((cells, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows as they were when the table was opened
              <tr className="border-line border-t" key={at}>
                {cells.map((cell, column) => (
                  <td
                    className={`py-1 pr-4 align-top ${typeof cell === 'number' ? 'text-right' : isTime(cell) ? 'words whitespace-nowrap' : 'words min-w-16'}`}
                    key={columns[column]}
                  >
                    {cell === null || cell === '' ? '–' : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="py-3 text-t2">Nothing was measured or seen in this time.</p>}
      </section>
    </Dialog>
  )
}

const isTime = (cell: string | null) => cell !== null && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell)
