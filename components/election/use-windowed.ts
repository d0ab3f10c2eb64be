'use client'
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'
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
  const offsetPx = useOffset(list)
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: useCallback(() => rowPx, [rowPx]),
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

/** How far below the top of the page the list begins; lines above it come and go. */
function useOffset(list: RefObject<HTMLElement | null>): number {
  const [offsetPx, setOffsetPx] = useState(0)
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const measure = () => setOffsetPx(Math.round(element.getBoundingClientRect().top + window.scrollY))
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [list])
  return offsetPx
}
