'use client'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'
import type { Frozen } from './detail-frozen.ts'
import { QueueRow, type QueueRowData } from './detail-queue-row.tsx'

const ROW_PX = 29
const HEADS = [
  { text: 'Identity', look: '' },
  { text: 'Lease', look: 'w-[116px] max-sm:hidden' },
  { text: 'Lease left', look: 'w-[98px]' },
  { text: 'Since', look: 'w-[62px]' },
]

/** Head and frame of the queue; `rows` counts all of them, drawn or not. */
export function QueueTable({ rows, children }: { rows: number; children: ReactNode }) {
  return (
    <table
      aria-label="Candidates"
      aria-rowcount={rows + 1}
      className="w-full table-fixed border-collapse text-left text-sm"
    >
      <thead className="sticky top-0 z-10 bg-s1">
        <tr aria-rowindex={1}>
          <th className={`pb-1 ${rows > 99 ? 'w-[48px]' : 'w-[22px]'}`} scope="col">
            <span className="sr-only">Position</span>
          </th>
          {HEADS.map(({ text, look }) => (
            <th className={`pr-1.5 pb-1 font-medium text-t3 text-xs ${look}`} key={text} scope="col">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A queue of thousands: only the rows in sight are drawn. */
export function LongQueue({ rows, frozen }: { rows: readonly QueueRowData[]; frozen: Frozen | null }) {
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keys
    <section aria-label="All candidates" className="max-h-[420px] overflow-y-auto" ref={box} tabIndex={0}>
      <QueueTable rows={rows.length}>
        <Spacer height={first} />
        {items.map((item) => {
          const row = rows[item.index]
          return row && <QueueRow frozen={frozen} index={item.index + 2} key={row.candidate.keyBase64} row={row} />
        })}
        <Spacer height={after} />
      </QueueTable>
    </section>
  )
}

function Spacer({ height }: { height: number }) {
  return (
    <tr>
      <td className="p-0" colSpan={5} style={{ height }} />
    </tr>
  )
}
