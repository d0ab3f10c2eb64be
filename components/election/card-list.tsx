'use client'
import { useRef } from 'react'
import { ElectionCard } from './election-card.tsx'
import type { Row } from './list-model.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useRowsFeed } from './use-rows.ts'
import { useWindowed } from './use-windowed.ts'

const CARD_PX = 104

/** Cards differ in height: each is measured when it comes near the screen. */
export function CardList({ rows, showCluster }: { rows: readonly Row[]; showCluster: boolean }) {
  const list = useRef<HTMLUListElement>(null)
  const feed = useRowsFeed()
  const { items, totalPx, offsetPx, measure, scrollTo } = useWindowed(rows, list, CARD_PX)
  useRowKeys(rows, scrollTo)
  const card = (row: Row) => <ElectionCard fresh={feed.isFresh(row.id)} row={row} showCluster={showCluster} />
  return (
    <ul aria-label="Elections" className="border-line border-b" ref={list}>
      {items === null
        ? rows.map((row) => <li key={row.id}>{card(row)}</li>)
        : [
            <li aria-hidden="true" key="before" style={{ height: (items[0]?.start ?? offsetPx) - offsetPx }} />,
            ...items.map(({ index }) => {
              const row = rows[index]
              return (
                row && (
                  <li data-index={index} key={row.id} ref={measure}>
                    {card(row)}
                  </li>
                )
              )
            }),
            <li
              aria-hidden="true"
              key="after"
              style={{ height: Math.max(0, totalPx + offsetPx - (items.at(-1)?.end ?? offsetPx)) }}
            />,
          ]}
    </ul>
  )
}
