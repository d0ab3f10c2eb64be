'use client'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import { type AuditGroup, heldBack } from './audit-groups.ts'

/** New rows come in by themselves only where they push nothing away that somebody reads or points at. */
function isInUse(box: HTMLElement | null, isReading: boolean): boolean {
  return isReading || window.scrollY > 0 || (box?.matches(':hover, :focus-within') ?? false)
}

interface Held {
  shown: readonly AuditGroup[]
  waiting: number
  apply: () => void
}

/** `question` names what is asked for: another one shows its answer at once. */
export function useHeldGroups(
  groups: readonly AuditGroup[],
  question: string,
  { box, isReading }: { box: RefObject<HTMLElement | null>; isReading: boolean },
): Held {
  const newest = groups[0]?.number ?? 0
  const [held, setHeld] = useState({ question, newest })
  const isOther = held.question !== question
  useEffect(() => {
    setHeld((before) => {
      const isNew = before.question !== question
      if (!isNew && (newest <= before.newest || (before.newest > 0 && isInUse(box.current, isReading)))) return before
      return { question, newest }
    })
  }, [question, newest, box, isReading])
  const upTo = isOther || held.newest === 0 ? newest : held.newest
  const { shown, waiting } = useMemo(() => heldBack(groups, upTo), [groups, upTo])
  return { shown, waiting, apply: () => setHeld({ question, newest }) }
}
