'use client'
import { useRef } from 'react'
import { ElectionRow } from './election-row.tsx'
import type { Row } from './list-model.ts'
import type { Sort, SortKey } from './list-order.ts'
import { TableHead } from './table-head.tsx'
import { useRowKeys } from './use-row-keys.ts'
import { useRowsFeed } from './use-rows.ts'
import { useWindowed } from './use-windowed.ts'

const ROW_PX = 44

interface ElectionTableProps {
  rows: readonly Row[]
  sort: Sort
  onSort: (key: SortKey) => void
  showCluster: boolean
}

export function ElectionTable({ rows, sort, onSort, showCluster }: ElectionTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const feed = useRowsFeed()
  const { items, totalPx, offsetPx, scrollTo } = useWindowed(rows, body, ROW_PX)
  useRowKeys(rows, scrollTo)
  const row = (index: number) => {
    const shown = rows[index]
    return (
      shown && (
        <ElectionRow
          fresh={feed.isFresh(shown.id)}
          index={index + 2}
          key={shown.id}
          row={shown}
          showCluster={showCluster}
        />
      )
    )
  }
  const room = items === null ? undefined : { height: totalPx, paddingTop: (items[0]?.start ?? offsetPx) - offsetPx }
  return (
    <table aria-rowcount={rows.length + 1} className="mx-5 block">
      <caption className="sr-only">Elections</caption>
      <TableHead onSort={onSort} sort={sort} />
      <tbody className="block" ref={body} style={room}>
        {items === null ? rows.map((_, index) => row(index)) : items.map(({ index }) => row(index))}
      </tbody>
    </table>
  )
}
