'use client'
import type { Instant } from '../../lib/shared/clock.ts'
import { usePastAt } from '../live/use-live.ts'
import { type Leased, type Remaining, remainingOf } from './remaining.ts'

/** What is left of a lease now; of the past nobody knows, for look-ups are not kept. */
export function useRemaining(leased: Leased, now: Instant | null): Remaining {
  const isPast = usePastAt() !== null
  const left = remainingOf(leased, now)
  return isPast && left.kind === 'unmeasured' ? { ...left, text: 'not kept' } : left
}
