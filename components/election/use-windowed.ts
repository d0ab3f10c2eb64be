'use client'
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Row } from './list-model.ts'

/** Up to here every row is in the page, so that the browser's own search finds it. */
const ALL_UP_TO = 200

export interface Windowed {
  /** null: every row is rendered. */
  items: readonly VirtualItem[] | null
  totalPx: number
  offsetPx: number
  measure: (element: Element | null) => void
  scrollTo: (index: number) => void
}

/** Renders only what is near the screen once there are many rows. */
export function useWindowed(rows: readonly Row[], list: RefObject<HTMLElement | null>, rowPx: number): Windowed {
  const [offsetPx, setOffsetPx] = useState(0)
  useLayoutEffect(() => {
    const element = list.current
    if (element !== null) setOffsetPx(Math.round(element.getBoundingClientRect().top + window.scrollY))
  })
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    scrollMargin: offsetPx,
    scrollPaddingStart: 110,
    scrollPaddingEnd: 72,
  })
  return {
    items: rows.length > ALL_UP_TO ? virtualizer.getVirtualItems() : null,
    totalPx: virtualizer.getTotalSize(),
    offsetPx,
    measure: virtualizer.measureElement,
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  }
}
