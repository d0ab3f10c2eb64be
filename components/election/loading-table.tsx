'use client'
import type { Sort } from './list-order.ts'
import { Waiting } from './list-states.tsx'
import { TableHead } from './table-head.tsx'

// By column: where it is hidden, as in `ElectionRow`.
const CELLS = ['', '', '', '', 'max-xl:hidden', '', 'max-lg:hidden', '', 'max-xl:hidden', '', 'max-lg:hidden']
const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** The layout of the list with dashes: nothing is known yet. */
export function LoadingTable({ sort }: { sort: Sort }) {
  return (
    <>
      <table className="mx-5 block max-md:hidden">
        <caption className="sr-only">Elections, loading</caption>
        <TableHead onSort={() => {}} sort={sort} />
        <tbody className="block text-t3">
          {ROWS.map((row) => (
            <tr className="election-columns h-11 border-line border-b" key={row}>
              {CELLS.map((hidden, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                <td className={hidden} key={at}>
                  –
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div aria-hidden="true" className="text-t3 md:hidden">
        {ROWS.slice(0, 4).map((row) => (
          <div className="h-[104px] border-line border-t px-4 py-[9px]" key={row}>
            –
          </div>
        ))}
      </div>
      <Waiting />
    </>
  )
}
