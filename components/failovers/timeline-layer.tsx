'use client'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type TimelineSizes, TOP_PX } from './timeline.tsx'
import { type Item, isMassMark, itemAt, stepItem } from './timeline-model.ts'

interface LayerProps {
  items: readonly Item[]
  sizes: TimelineSizes
  chosen: Item | null
  onChoose: (item: Item | null) => void
  onOpen: (item: Item) => void
  /** What the chosen mark says, for screen readers. */
  spoken: string
}

/** The mark under a pointer, or stepped to by keys; Enter or a press opens it. Nothing is drawn over the data but its ring. */
export function TimelineLayer({ items, sizes, chosen, onChoose, onOpen, spoken }: LayerProps) {
  const area = useRef<HTMLDivElement>(null)
  const { plot, height, total, width } = sizes
  const under = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect()
    return box === undefined ? null : itemAt(items, event.clientX - box.left + plot.left, event.clientY - box.top)
  }
  const onKey = (event: KeyboardEvent) => {
    const next = keyed(event.key, items, chosen)
    if (next === undefined) return
    event.preventDefault()
    if (event.key === 'Enter') {
      if (chosen !== null) onOpen(chosen)
    } else onChoose(next)
  }
  const at = chosen === null ? items.length : items.indexOf(chosen) + 1
  return (
    <>
      {chosen !== null && <Ring item={chosen} total={total} width={width} />}
      <div
        aria-label="Changes of leader"
        aria-valuemax={items.length}
        aria-valuemin={0}
        aria-valuenow={at}
        aria-valuetext={spoken}
        className={`absolute touch-pan-y focus-visible:outline-offset-4 ${chosen === null ? '' : 'cursor-pointer'}`}
        onBlur={() => onChoose(null)}
        onKeyDown={onKey}
        onPointerDown={(event) => {
          const item = under(event)
          onChoose(item)
          if (item !== null && event.pointerType === 'mouse') onOpen(item)
        }}
        onPointerLeave={(event) => event.pointerType === 'mouse' && onChoose(null)}
        onPointerMove={(event) => event.pointerType === 'mouse' && onChoose(under(event))}
        ref={area}
        role="slider"
        style={{ left: plot.left, top: TOP_PX, width: Math.max(0, plot.right - plot.left), height: height + 22 }}
        tabIndex={0}
      />
    </>
  )
}

function keyed(key: string, items: readonly Item[], chosen: Item | null): Item | null | undefined {
  const name = chosen?.key ?? null
  if (key === 'ArrowLeft' || key === 'ArrowDown') return stepItem(items, name, -1)
  if (key === 'ArrowRight' || key === 'ArrowUp') return stepItem(items, name, 1)
  if (key === 'Home') return items[0] ?? null
  if (key === 'End') return items.at(-1) ?? null
  if (key === 'Enter') return chosen
  return key === 'Escape' ? null : undefined
}

function Ring({ item, width, total }: { item: Item; width: number; total: number }) {
  const radius = isMassMark(item) ? 26 : 10
  return (
    <svg
      data-screen-only=""
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 overflow-visible"
      height={total}
      width={width}
    >
      <circle cx={item.x} cy={item.y + TOP_PX} fill="none" r={radius} stroke="var(--bone)" strokeWidth="2" />
    </svg>
  )
}
