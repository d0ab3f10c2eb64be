'use client'
import { useRef } from 'react'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import type { Row } from './list-model.ts'

const FRAMES = 5

function linkOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
}

/** A row that was not rendered yet appears a frame or two after the list has scrolled to it. */
function focusSoon(id: string, frames = FRAMES): void {
  const link = linkOf(id)
  if (link !== null) link.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusSoon(id, frames - 1))
}

/** False where no row has the focus. */
function leave(): boolean {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !focused.hasAttribute('data-row')) return false
  focused.blur()
  return true
}

/** j and k move the focus from row to row, Esc leaves it; Enter opens, being a link's own key. */
export function useRowKeys(rows: readonly Row[], scrollTo: (index: number) => void): void {
  const last = useRef<string | null>(null)
  const move = (by: 1 | -1) => {
    const focused = document.activeElement?.getAttribute('data-row') ?? last.current
    const from = rows.findIndex(({ id }) => id === focused)
    const to = Math.min(rows.length - 1, Math.max(0, from < 0 ? 0 : from + by))
    const row = rows[to]
    if (row === undefined) return
    last.current = row.id
    const link = linkOf(row.id)
    if (link === null) scrollTo(to)
    else link.closest('tr, li')?.scrollIntoView({ block: 'nearest' })
    focusSoon(row.id)
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Escape: leave,
  })
}
