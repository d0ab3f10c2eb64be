/** What a range says of each election: how much of it was led, and how often its leader was lost. */
import { latin1FromBase64 } from '../shared/bytes.ts'
import { msOf } from '../shared/clock.ts'
import { type Availability, availabilityOf, type Period } from './availability.ts'
import { scopeMatches } from './scopes.ts'
import type { Stop } from './stops.ts'
import type { Transition } from './transitions.ts'
import type { ElectionRef, Gap } from './types.ts'

export interface ElectionFigures extends Availability {
  ref: ElectionRef
}

export interface ElectionPrefix {
  ref: ElectionRef
  prefix: string
  prefixBase64: string
}

export interface Observed {
  /** Oldest first, of whatever cause: each brings the time after it without a leader. */
  transitions: readonly Transition[]
  /** Since when each was led: by the term that went on at the beginning of the range, or else the first after it. */
  elections: readonly (ElectionPrefix & { ledFrom: string; isFirst: boolean })[]
  gaps: readonly (Gap & { ref: ElectionRef | null })[]
  stops: readonly Stop[]
}

interface Counted {
  vacancies: Period[]
  failoversMs: number[]
}

/** Of the elections that somebody led in the span; in no order. */
export function electionFiguresOf({ transitions, elections, gaps, stops }: Observed, span: Period): ElectionFigures[] {
  const counted = countedOf(transitions)
  const unobserved = gaps.map((gap) => ({ ref: gap.ref, fromMs: msOf(gap.from), toMs: msOf(gap.to) }))
  const scopes = stops.map(({ scopeBase64, match, from, to }) => ({
    scope: latin1FromBase64(scopeBase64),
    match,
    fromMs: msOf(from),
    toMs: to === null ? Infinity : msOf(to),
  }))
  return elections.map(({ ref, prefixBase64, ledFrom, isFirst }) => {
    const ledFromMs = msOf(ledFrom)
    const prefix = latin1FromBase64(prefixBase64)
    const { vacancies, failoversMs } = counted.get(ref) ?? { vacancies: [], failoversMs: [] }
    const watched = {
      sinceMs: isFirst ? ledFromMs : -Infinity,
      vacancies: [{ fromMs: -Infinity, toMs: ledFromMs }, ...vacancies],
      failoversMs,
      unobserved: unobserved.filter((gap) => gap.ref === null || gap.ref === ref),
      stopped: scopes.filter(({ scope, match }) => scopeMatches(scope, match, prefix)),
    }
    return { ref, ...availabilityOf(watched, span) }
  })
}

function countedOf(transitions: readonly Transition[]): Map<ElectionRef, Counted> {
  const counted = new Map<ElectionRef, Counted>()
  for (const { ref, atMs, nextMs, kind } of transitions) {
    let one = counted.get(ref)
    if (one === undefined) {
      one = { vacancies: [], failoversMs: [] }
      counted.set(ref, one)
    }
    one.vacancies.push({ fromMs: atMs, toMs: nextMs ?? Infinity })
    if (kind === 'failover') one.failoversMs.push(atMs)
  }
  return counted
}

/** The least led first; those of which nothing could be judged last. */
export function leastLed(figures: readonly ElectionFigures[]): ElectionFigures[] {
  const share = ({ ledShare }: ElectionFigures) => ledShare ?? 2
  return figures.toSorted((a, b) => share(a) - share(b) || b.failovers - a.failovers || (a.ref < b.ref ? -1 : 1))
}

export function mostFailovers(figures: readonly ElectionFigures[], most: number): ElectionFigures[] {
  return figures
    .filter(({ failovers }) => failovers > 0)
    .sort((a, b) => b.failovers - a.failovers || (a.ref < b.ref ? -1 : 1))
    .slice(0, most)
}
