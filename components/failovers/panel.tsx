import { type ReactNode, useId } from 'react'

interface PanelProps {
  title: string
  note?: string
  /** At the right end of the heading. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** One block of the page. Hairlines divide them. */
export function Panel({ title, note, action, className = '', children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={`min-w-0 px-5 py-3 max-sm:px-4 ${className}`}>
      <div className="mb-2 flex min-h-7 items-center gap-2">
        <h2 className="shrink-0 font-semibold text-base" id={id}>
          {title}
        </h2>
        {note !== undefined && <span className="min-w-0 truncate text-sm text-t2">{note}</span>}
        {action !== undefined && <span className="ml-auto shrink-0 text-sm">{action}</span>}
      </div>
      {children}
    </section>
  )
}

/** A chart or the same as a table. */
export function AsTable({ on, onChange, what }: { on: boolean; onChange: (on: boolean) => void; what: string }) {
  return (
    <button
      aria-label={`${what} as a table`}
      aria-pressed={on}
      className="h-7 rounded-md border border-ctl px-2 text-sm text-t2 hover:text-t1 aria-pressed:bg-bone aria-pressed:text-onbone max-sm:h-10"
      onClick={() => onChange(!on)}
      type="button"
    >
      Table
    </button>
  )
}

/** Rows with their head first; it scrolls inside itself. */
export function RowsTable({ rows, label }: { rows: readonly (readonly string[])[]; label: string }) {
  const [head = [], ...body] = rows
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <section aria-label={label} className="max-h-[420px] overflow-auto" tabIndex={0}>
      <table className="w-full border-collapse text-left text-sm">
        <thead className="sticky top-0 bg-bg">
          <tr>
            {head.map((cell) => (
              <th className="whitespace-nowrap py-1 pr-4 font-medium text-t2" key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be the same, and none moves
            <tr className="border-line border-t" key={at}>
              {row.map((cell, column) => (
                <td className="whitespace-nowrap py-1 pr-4" key={head[column]}>
                  {cell === '' ? '–' : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
