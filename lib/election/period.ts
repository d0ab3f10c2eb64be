/** One stretch of an election's past in figures, to be set beside the stretch before it. */
import { msOf } from '../shared/clock.ts'
import { type Availability, availabilityOf, type Period, watchedOf } from './availability.ts'
import { Durations } from './durations.ts'
import type { Stop } from './stops.ts'
import { transitionKind, transitionParts, transitionTotalMs } from './transitions.ts'
import type { Gap, Term } from './types.ts'

export interface PeriodFigures extends Availability {
  /** Changes of leader that somebody meant. */
  planned: number
  /** Changes of which nobody can say why. */
  unobservedChanges: number
  /** Without a leader that acts, over failovers whose vacancy is known; null where there is none. */
  failoverP50Ms: number | null
  failoverP95Ms: number | null
  longestFailoverMs: number | null
}

interface Seen {
  /** All that overlap the period, and the one after it where it is known; in whatever order. */
  terms: readonly Term[]
  gaps: readonly Gap[]
  stops: readonly Pick<Stop, 'from' | 'to'>[]
}

export function periodFigures({ terms, gaps, stops }: Seen, span: Period): PeriodFigures {
  const ordered = terms.toSorted((a, b) => a.ordinal - b.ordinal)
  const failovers = new Durations()
  const counts = { planned: 0, unobserved: 0, failover: 0 }
  for (const [at, term] of ordered.entries()) {
    if (term.to === null || term.endedBy === null || !within(msOf(term.to), span)) continue
    const { cause, duringStop } = term.endedBy
    const kind = transitionKind(cause, duringStop === true)
    counts[kind] += 1
    const next = ordered[at + 1] ?? null
    const parts = transitionParts(
      kind,
      { silentMs: term.silentMs, refillMs: term.refillMs ?? null },
      { gapMs: next?.gapMs ?? null, takeoverMs: next?.takeoverMs ?? null },
    )
    const totalMs = kind === 'failover' ? transitionTotalMs(next === null ? null : msOf(next.from), parts) : null
    if (totalMs !== null) failovers.add(totalMs)
  }
  const availability = availabilityOf(watchedOf(ordered, gaps, stops), span)
  // A mutex is free when nobody wants it.
  const isMutex = ordered.length > 0 && ordered.every(({ leader }) => leader.identity === '')
  return {
    ...availability,
    ...(isMutex ? { leaderlessMs: 0, ledShare: null, leaderlessMsPerDay: null } : {}),
    planned: counts.planned,
    unobservedChanges: counts.unobserved,
    failoverP50Ms: failovers.quantile(0.5),
    failoverP95Ms: failovers.quantile(0.95),
    longestFailoverMs: failovers.quantile(1),
  }
}

const within = (ms: number, { fromMs, toMs }: Period) => ms >= fromMs && ms < toMs
