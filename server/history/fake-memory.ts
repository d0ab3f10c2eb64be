/** What the fake remembers of one election, and how it answers from it. */
import type { Annotation } from '../../lib/election/annotations.ts'
import type { Candidacy } from '../../lib/election/candidacies.ts'
import type { Seed } from '../../lib/election/changes.ts'
import type { Condition } from '../../lib/election/conditions.ts'
import type { Stop } from '../../lib/election/stops.ts'
import { isFailover, KEEP } from '../../lib/election/terms.ts'
import type { Gap, Term } from '../../lib/election/types.ts'
import { elapsedMs, type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { Position } from './cursor.ts'
import type { AliveMark, ElectionIdentity, EventRow, SeriesKey } from './history.ts'

const HOUR_MS = 3_600_000

export interface Remembered {
  identity: ElectionIdentity
  activeMs: number
  /** In token order. */
  terms: Term[]
  events: { id: number; row: EventRow }[]
  gaps: Gap[]
  candidacies: Candidacy[]
  /** Oldest first. */
  annotations: Annotation[]
}

export interface RememberedCluster {
  /** When queues were first on record. */
  keptSince: Instant | null
  mark: AliveMark | null
  gaps: Gap[]
  elections: Map<string, Remembered>
  samples: Map<string, { series: SeriesKey; values: { atMs: number; value: number }[] }>
  stops: Map<string, Stop>
  conditions: Map<string, Condition>
  /** Undefined until this run has looked. */
  downtime: Gap | null | undefined
}

export function emptyCluster(): RememberedCluster {
  const [elections, samples, stops, conditions] = [new Map(), new Map(), new Map(), new Map()]
  return { keptSince: null, mark: null, gaps: [], elections, samples, stops, conditions, downtime: undefined }
}

export const positionOf = (term: Term): Position => [BigInt(term.epoch), BigInt(term.token)]

export function isBelow(a: Position, b: Position): boolean {
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])
}

export function putTerm(election: Remembered, term: Term): void {
  const isSame = (known: Term) => known.epoch === term.epoch && known.token === term.token
  const others = election.terms.filter((known) => !isSame(known))
  const closed = term.to === null ? others.map((known) => closedBy(known, term)) : others
  election.terms = [...closed, term].sort((a, b) => (isBelow(positionOf(a), positionOf(b)) ? -1 : 1))
}

export function putCondition(cluster: RememberedCluster, condition: Condition): void {
  cluster.conditions.set([condition.from, condition.kind, condition.subject].join(' '), condition)
}

export function closeConditions(cluster: RememberedCluster, at: Instant): void {
  for (const each of cluster.conditions.values()) {
    if (each.to === null) putCondition(cluster, { ...each, to: later(each.from, at) })
  }
}

const later = (a: Instant, b: Instant) => (elapsedMs(a, b) > 0 ? b : a)

function closedBy(known: Term, next: Term): Term {
  if (known.to !== null || !isBelow(positionOf(known), positionOf(next))) return known
  return {
    ...known,
    to: later(known.from, next.from),
    endedBy: { cause: 'unobserved', evidence: 'its end was not recorded' },
  }
}

export function extendGap(gaps: Gap[], gap: Gap): void {
  const at = gaps.findIndex((known) => known.from === gap.from)
  const known = gaps[at]
  if (known === undefined) gaps.push(gap)
  else gaps[at] = { ...gap, to: later(known.to, gap.to) }
}

export function seedOf(election: Remembered, cluster: RememberedCluster, now: Instant): Seed {
  const hourAgo = instant(msOf(now) - HOUR_MS)
  const dayAgo = instant(msOf(now) - 24 * HOUR_MS)
  const ended = election.terms.filter((term) => term.to !== null)
  const gaps = [...cluster.gaps, ...election.gaps].filter((gap) => gap.to >= hourAgo)
  const failovers = ended.flatMap(({ to, endedBy }) => (to && isFailover(endedBy) ? [to] : []))
  return {
    lastOrdinal: Math.max(0, ...election.terms.map((term) => term.ordinal)),
    openTerm: election.terms.find((term) => term.to === null) ?? null,
    ended: ended.filter((term) => term === ended.at(-1) || (term.to ?? now) >= hourAgo).slice(-KEEP.terms),
    gaps: gaps.sort((a, b) => (a.from < b.from ? -1 : 1)).slice(-32),
    failovers: failovers.filter((at) => at >= dayAgo).slice(-256),
  }
}
