/** From change to change through the past: what halts a step, and what it halts at. Pure. */
import { type Instant, later } from '../shared/clock.ts'
import type { Fact } from './changes.ts'
import type { Stop } from './stops.ts'
import type { ElectionRef, Gap } from './types.ts'

export type MomentChange =
  | { type: 'election'; ref: ElectionRef; event: Fact }
  | { type: 'gap-began' | 'gap-ended'; gap: Gap }
  | { type: 'stop-began' | 'stop-ended'; stop: Stop }

/** All that is on record of one moment, at most 100. */
export interface Moment {
  at: Instant
  changes: MomentChange[]
}

export type Direction = 'previous' | 'next'

/** Events that a step halts at: the others change neither who leads nor who waits. An explanation stands at its term's end. */
export const STEPS: readonly Fact['type'][] = [
  'term-started',
  'term-ended',
  'candidate-joined',
  'candidate-left',
  'term-explained',
]

export function momentOf(change: MomentChange): Instant {
  switch (change.type) {
    case 'election':
      return change.event.at
    case 'gap-began':
      return change.gap.from
    case 'gap-ended':
      return change.gap.to
    case 'stop-began':
      return change.stop.from
    case 'stop-ended':
      return change.stop.to ?? change.stop.from
  }
}

export function edgesOf(gaps: readonly Gap[], stops: readonly Stop[]): MomentChange[] {
  return [
    ...gaps.flatMap((gap): MomentChange[] => [
      { type: 'gap-began', gap },
      { type: 'gap-ended', gap },
    ]),
    ...stops.flatMap((stop): MomentChange[] => [
      { type: 'stop-began', stop },
      ...(stop.to === null ? [] : [{ type: 'stop-ended' as const, stop }]),
    ]),
  ]
}

/** Of `changes` those at the time nearest to `at` on that side; null when none is. */
export function nearest(changes: readonly MomentChange[], at: Instant, direction: Direction): Moment | null {
  const isNext = direction === 'next'
  const times = changes.map(momentOf).filter((moment) => (isNext ? moment > at : moment < at))
  const found = times.reduce<Instant | null>((best, moment) => {
    if (best === null) return moment
    return later(best, moment) === (isNext ? best : moment) ? moment : best
  }, null)
  return found === null ? null : { at: found, changes: changes.filter((change) => momentOf(change) === found) }
}
