/**
 * How much of a time an election was led. Time that was not observed, and time in which a kill switch
 * held it stopped, is neither led nor leaderless: it is left out of the share, and told.
 */
import { msOf } from '../shared/clock.ts'
import { FLAPPING_WINDOW_MS } from './status.ts'
import { isFailover } from './terms.ts'
import type { Gap, Term } from './types.ts'

const DAY_MS = 24 * 3_600_000

/** Milliseconds since 1970; the end is exclusive, and `Infinity` where it has none. */
export interface Period {
  fromMs: number
  toMs: number
}

/** What is known of one election; periods may overlap each other and the span. */
export interface Watched {
  /** Nothing is known of the time before; `Infinity` where no term was ever seen. */
  sinceMs: number
  /** Nobody led. */
  vacancies: readonly Period[]
  /** Ascending. */
  failoversMs: readonly number[]
  unobserved: readonly Period[]
  stopped: readonly Period[]
}

export interface Availability {
  /** What is judged: led and leaderless together. */
  judgedMs: number
  ledMs: number
  leaderlessMs: number
  /** Left out: changes may have been missed. */
  unobservedMs: number
  /** Left out: a kill switch held it, and that was observed. */
  stoppedMs: number
  /** 0–1; null when nothing could be judged. */
  ledShare: number | null
  /** Without a leader, in 24 h of judged time; null when nothing could be judged. */
  leaderlessMsPerDay: number | null
  failovers: number
  /** Judged time for each failover; null when there was none. */
  betweenFailoversMs: number | null
  /** The most failovers within any hour: five or more are flapping (`FLAPPING_FAILOVERS`). */
  mostInAnHour: number
}

export function availabilityOf(watched: Watched, span: Period): Availability {
  const unobserved = merged([...watched.unobserved, { fromMs: -Infinity, toMs: watched.sinceMs }], span)
  const leftOut = merged([...unobserved, ...watched.stopped], span)
  const unobservedMs = lengthMs(unobserved)
  const judgedMs = Math.max(0, span.toMs - span.fromMs) - lengthMs(leftOut)
  // Whatever of the vacancies adds to what is left out is leaderless time that was seen.
  const leaderlessMs = lengthMs(merged([...leftOut, ...watched.vacancies], span)) - lengthMs(leftOut)
  const failoversMs = watched.failoversMs.filter((ms) => ms >= span.fromMs && ms < span.toMs)
  const ledMs = judgedMs - leaderlessMs
  return {
    judgedMs,
    ledMs,
    leaderlessMs,
    unobservedMs,
    stoppedMs: lengthMs(leftOut) - unobservedMs,
    ledShare: judgedMs > 0 ? ledMs / judgedMs : null,
    leaderlessMsPerDay: judgedMs > 0 ? (leaderlessMs / judgedMs) * DAY_MS : null,
    failovers: failoversMs.length,
    betweenFailoversMs: failoversMs.length > 0 ? judgedMs / failoversMs.length : null,
    mostInAnHour: mostWithin(failoversMs, FLAPPING_WINDOW_MS),
  }
}

/**
 * What terms of an election say, in whatever order. They are all that overlap the span: time before
 * the oldest of them counts as leaderless unless it is the first term that was ever seen.
 */
export function watchedOf(
  terms: readonly Term[],
  gaps: readonly Gap[],
  stops: readonly { from: string; to: string | null }[],
): Watched {
  const ordered = terms.toSorted((a, b) => a.ordinal - b.ordinal)
  const first = ordered[0]
  const ends = ordered.map(({ to }, at) => ({
    fromMs: endOf(to),
    toMs: startOf(ordered[at + 1]),
  }))
  const before = { fromMs: -Infinity, toMs: startOf(first) }
  return {
    sinceMs: first === undefined ? Infinity : first.ordinal === 1 ? msOf(first.from) : -Infinity,
    vacancies: [before, ...ends].filter(({ fromMs, toMs }) => fromMs < toMs),
    failoversMs: ordered.flatMap(({ to, endedBy }) => (to !== null && isFailover(endedBy) ? [msOf(to)] : [])),
    unobserved: gaps.map(({ from, to }) => ({ fromMs: msOf(from), toMs: msOf(to) })),
    stopped: stops.map(({ from, to }) => ({ fromMs: msOf(from), toMs: endOf(to) })),
  }
}

const endOf = (to: string | null) => (to === null ? Infinity : msOf(to))
const startOf = (term: Term | undefined) => (term === undefined ? Infinity : msOf(term.from))

/** The parts of the span that any of them covers: ascending, none touching the next. */
export function merged(periods: readonly Period[], span: Period): Period[] {
  const clipped = periods
    .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) }))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
    .sort((a, b) => a.fromMs - b.fromMs)
  const joined: Period[] = []
  for (const period of clipped) {
    const last = joined.at(-1)
    if (last === undefined || period.fromMs > last.toMs) joined.push(period)
    else last.toMs = Math.max(last.toMs, period.toMs)
  }
  return joined
}

export function lengthMs(periods: readonly Period[]): number {
  return periods.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
}

/** The most of the ascending times that lie within any window of this length. */
export function mostWithin(timesMs: readonly number[], windowMs: number): number {
  let most = 0
  let first = 0
  for (const [at, ms] of timesMs.entries()) {
    while (ms - (timesMs[first] ?? ms) > windowMs) first += 1
    most = Math.max(most, at - first + 1)
  }
  return most
}
