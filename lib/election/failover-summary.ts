/** All changes of leader of a range, over all elections of a cluster, in what fits on one page. */
import type { Period } from './availability.ts'
import {
  type ElectionFigures,
  type ElectionPrefix,
  electionFiguresOf,
  leastLed,
  mostFailovers,
  type Observed,
} from './election-figures.ts'
import {
  type CauseFigures,
  causesOf,
  type DurationBin,
  distributionOf,
  type FailoverObjective,
  type Quantiles,
  quantilesOf,
  type Totals,
  totalsOf,
} from './failover-figures.ts'
import { pointsOf, type TransitionPoint } from './failover-points.ts'
import { type MassEvent, massesOf } from './mass-events.ts'
import type { Cause, ElectionRef } from './types.ts'

export interface SummaryQuestion {
  objective: FailoverObjective
  /** All of them when absent. What elections were led does not depend on it. */
  causes?: readonly Cause[]
  /** So many elections are told of each order. */
  elections: number
  /** Of these it is no fault that nobody leads: mutexes, and what may be no election at all. */
  unjudged?: readonly ElectionRef[]
}

export interface FailoverSummary {
  totals: Totals
  quantiles: Quantiles
  distribution: DurationBin[]
  causes: CauseFigures[]
  /** Oldest first; without the members of mass events. */
  points: TransitionPoint[]
  masses: {
    count: number
    /** Of all of them. */
    failovers: number
    /** Newest first, at most 100. */
    events: MassEvent[]
  }
  elections: {
    /** That somebody led in the range, and that are judged. */
    count: number
    /** Most failovers first, without those that had none. */
    most: ElectionFigures[]
    /** Least led first. */
    leastLed: ElectionFigures[]
  }
  /** Prefixes of the elections that are named in here. */
  prefixes: ElectionPrefix[]
}

const MOST_MASSES = 100

export function failoverSummaryOf(
  observed: Observed,
  { objective, causes, elections, unjudged = [] }: SummaryQuestion,
  span: Period,
): FailoverSummary {
  const asked =
    causes === undefined ? observed.transitions : observed.transitions.filter(({ cause }) => causes.includes(cause))
  const failovers = asked.filter(({ kind }) => kind === 'failover')
  const quantiles = quantilesOf(failovers, objective)
  const { events, members } = massesOf(failovers)
  const points = pointsOf(
    asked.filter((each) => !members.has(each)),
    span,
  )
  const figures = electionFiguresOf(observed, span)
  const skipped = new Set(unjudged)
  const judged = figures.filter(({ ref }) => !skipped.has(ref))
  const most = mostFailovers(figures, elections)
  const least = leastLed(judged).slice(0, elections)
  const named = new Set([...points, ...most, ...least].map(({ ref }) => ref))
  return {
    totals: totalsOf(asked),
    quantiles,
    // The objective and 95 % of them lie well inside.
    distribution: distributionOf(failovers, members, Math.max(objective.withinMs * 1.6, (quantiles.p95Ms ?? 0) * 1.2)),
    causes: causesOf(asked, members),
    points,
    masses: { count: events.length, failovers: members.size, events: events.slice(-MOST_MASSES).reverse() },
    elections: { count: judged.length, most, leastLed: least },
    prefixes: observed.elections
      .filter(({ ref }) => named.has(ref))
      .map(({ ref, prefix, prefixBase64 }) => ({ ref, prefix, prefixBase64 })),
  }
}
