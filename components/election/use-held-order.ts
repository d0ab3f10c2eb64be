'use client'
/** Keeps rows still while somebody points at them or has the focus among them. */
import { type FocusEvent, useCallback, useEffect, useState } from 'react'
import type { Row } from './list-model.ts'
import { inOrderOf, movedCount } from './list-order.ts'

interface Held {
  /** What was asked for; another question is never answered with a held order. */
  question: string
  ids: readonly string[]
}

export interface HeldOrder {
  rows: readonly Row[]
  /** Rows that would move, come or go. */
  moved: number
  apply: () => void
  holders: {
    onPointerEnter: () => void
    onPointerLeave: () => void
    onFocus: () => void
    onBlur: (event: FocusEvent) => void
  }
}

/** `wanted` is the right order now, `known` every row by which a held one may still be shown. */
export function useHeldOrder(wanted: readonly Row[], known: readonly Row[], question: string): HeldOrder {
  const [pointing, setPointing] = useState(false)
  const [focused, setFocused] = useState(false)
  const [held, setHeld] = useState<Held | null>(null)
  const inside = pointing || focused
  const isHeld = inside && held?.question === question
  const ids = held?.ids

  useEffect(() => {
    if (!inside) setHeld(null)
    else if (!isHeld) setHeld({ question, ids: wanted.map(({ id }) => id) })
  }, [inside, isHeld, question, wanted])

  const rows = isHeld && ids !== undefined ? heldRows(ids, wanted, known) : wanted
  const onBlur = useCallback((event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
  }, [])
  return {
    rows,
    moved: isHeld ? differences(rows, wanted) : 0,
    apply: () => setHeld(null),
    holders: {
      onPointerEnter: () => setPointing(true),
      onPointerLeave: () => setPointing(false),
      onFocus: () => setFocused(true),
      onBlur,
    },
  }
}

function heldRows(ids: readonly string[], wanted: readonly Row[], known: readonly Row[]): readonly Row[] {
  const heldIds = new Set(ids)
  const wantedIds = new Set(wanted.map(({ id }) => id))
  const byId = known.filter(({ id }) => heldIds.has(id) && !wantedIds.has(id))
  return inOrderOf(ids, [...wanted, ...byId])
}

function differences(rows: readonly Row[], wanted: readonly Row[]): number {
  return movedCount(rows, wanted) + Math.max(0, rows.length - wanted.length)
}
