/** What the panels draw, from terms and gaps: lanes' segments, unobserved time, events to jump to, failovers. */

import type { TermShape } from '../../lib/election/describe.ts'
import { kindOf } from '../../lib/election/status.ts'
import type { Stop } from '../../lib/election/stops.ts'
import { isFailover } from '../../lib/election/terms.ts'
import type { ElectionState, EndedBy, Gap, Term } from '../../lib/election/types.ts'
import { msOf } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import type { FailoverParts } from '../charts/bars.ts'
import { type ChangeKind, type LaneTerm, observedParts, type Period, type Vacancy } from '../charts/lane-geometry.ts'
import type { Reign } from '../charts/lines.ts'
import type { Frozen } from './detail-frozen.ts'
import { type PageLanes, pageLanes } from './detail-lanes.ts'
import { termKey } from './detail-merge.ts'

export interface ChartModel extends PageLanes {
  /** Ascending. */
  terms: readonly LaneTerm[]
  gaps: readonly (Period & { reason: string })[]
  /** Held by a kill switch; `by` engaged it. */
  stops: readonly StoppedPeriod[]
  vacancies: readonly Vacancy[]
  reigns: readonly Reign[]
  /** Moments of change, ascending. */
  events: readonly number[]
  failovers: readonly FailoverParts[]
  /** The term that each `LaneTerm` draws. */
  byKey: ReadonlyMap<string, TermShape>
}

export interface StoppedPeriod extends Period {
  /** It holds still. */
  open: boolean
  by: string
  reason: string
}

export interface ChartModelInput {
  state: ElectionState
  /** Newest first. */
  terms: readonly TermShape[]
  gaps: readonly Gap[]
  stops?: readonly Stop[]
  frozen: Frozen | null
  /** Right end of what is known or unobserved. */
  endMs: number
}

export function changeKind(endedBy: EndedBy | null): ChangeKind {
  switch (endedBy?.cause) {
    case 'handed off':
      return 'handoff'
    case 'revoked':
      return 'revoke'
    case 'kill switch':
      return 'kill'
    case 'resigned or removed':
      return 'resigned'
    case 'unobserved':
    case undefined:
      return 'unobserved'
    default:
      return isFailover(endedBy) ? 'failover' : 'unobserved'
  }
}

/** What the time before the first look is: unobserved, unless the election was seen to begin. */
function beforeFirstLook(state: ElectionState, terms: readonly TermShape[]): (Period & { reason: string })[] {
  const first = terms.at(-1)
  const reason = 'Tenure had not looked yet'
  if (first === undefined) {
    const never = state.lastOrdinal === 0 && state.leaderlessSince !== null
    return never ? [{ fromMs: 0, toMs: msOf(state.leaderlessSince ?? ''), reason }] : []
  }
  return first.ordinal === 1 && first.fromAtLeast ? [{ fromMs: 0, toMs: msOf(first.from), reason }] : []
}

const TOUCHING_MS = 1_000

/** Stretches with nothing between them read as one. */
function joinTouching(
  joined: (Period & { reason: string })[],
  next: Period & { reason: string },
): (Period & { reason: string })[] {
  const last = joined.at(-1)
  if (last === undefined || next.fromMs - last.toMs > TOUCHING_MS) return [...joined, next]
  const reason = last.reason.includes(next.reason) ? last.reason : `${last.reason}; ${next.reason}`
  return [...joined.slice(0, -1), { fromMs: last.fromMs, toMs: Math.max(last.toMs, next.toMs), reason }]
}

function unseen({ state, terms, gaps, frozen, endMs }: ChartModelInput): (Period & { reason: string })[] {
  const recorded = gaps.map((gap) => ({ fromMs: msOf(gap.from), toMs: msOf(gap.to), reason: gap.reason }))
  const now = frozen?.at == null ? [] : [{ fromMs: msOf(frozen.at), toMs: endMs, reason: frozen.why }]
  return [...beforeFirstLook(state, terms), ...recorded, ...now]
    .sort((a, b) => a.fromMs - b.fromMs)
    .reduce<(Period & { reason: string })[]>(joinTouching, [])
}

function laneTerm(term: TermShape, before: TermShape | undefined, lane: number, endMs: number): LaneTerm {
  return {
    key: termKey(term),
    lane,
    label: `#${term.ordinal}`,
    longLabel: `#${term.ordinal} · token ${groupDigits(term.token)}`,
    fromMs: msOf(term.from),
    toMs: term.to === null ? endMs : msOf(term.to),
    openStart: term.fromAtLeast,
    end: term.to === null ? null : changeKind(term.endedBy),
    joined: before !== undefined && term.gapMs !== null && before.ordinal === term.ordinal - 1,
  }
}

const LOUD: readonly (ChangeKind | null)[] = ['failover', 'revoke', 'unobserved']

function stoppedPeriods({ stops = [], endMs }: ChartModelInput): StoppedPeriod[] {
  return stops.map(({ from, to, by, reason }) => ({
    fromMs: msOf(from),
    toMs: to === null ? Math.max(endMs, msOf(from)) : msOf(to),
    open: to === null,
    by,
    reason,
  }))
}

/** A seat that is kept free on purpose is no vacancy. */
function unlessStopped(vacancy: Vacancy, stops: readonly Period[]): Vacancy[] {
  return observedParts(vacancy, stops).map((part) => ({ ...part, loud: vacancy.loud }))
}

/** Time without a leader, as far as both of its ends were seen. A free mutex lacks none. */
function vacanciesOf(state: ElectionState, terms: readonly LaneTerm[], endMs: number): Vacancy[] {
  if (kindOf(state) === 'mutex') return []
  const between = terms.flatMap((term, at): Vacancy[] => {
    const next = terms[at + 1]
    return next?.joined ? [{ fromMs: term.toMs, toMs: next.fromMs, loud: LOUD.includes(term.end) }] : []
  })
  const since = state.leaderlessSince
  return since === null ? between : [...between, { fromMs: msOf(since), toMs: endMs, loud: true }]
}

function partsOf(term: TermShape): FailoverParts[] {
  const { anatomy } = term
  if (anatomy === undefined || anatomy.vacancyMs === null) return []
  return [{ key: termKey(term), atMs: msOf(term.from), ...anatomy }]
}

export function chartModel(input: ChartModelInput): ChartModel {
  const { state, endMs } = input
  const stops = stoppedPeriods(input)
  const ascending = input.terms.toReversed()
  const lanes = pageLanes(state, input.terms)
  const terms = ascending.map((term, at) => laneTerm(term, ascending[at - 1], lanes.laneOf(term.leader), endMs))
  const edges = ascending.flatMap((term: Term) => [msOf(term.from), ...(term.to === null ? [] : [msOf(term.to)])])
  const stopEdges = stops.flatMap(({ fromMs, toMs, open }) => (open ? [fromMs] : [fromMs, toMs]))
  return {
    ...lanes,
    terms,
    gaps: unseen(input),
    stops,
    vacancies: vacanciesOf(state, terms, endMs).flatMap((vacancy) => unlessStopped(vacancy, stops)),
    reigns: terms.map((term) => ({ lane: lanes.lanes[term.lane]?.key ?? '', fromMs: term.fromMs, toMs: term.toMs })),
    events: [...new Set([...edges, ...stopEdges])].sort((a, b) => a - b),
    failovers: ascending.flatMap(partsOf),
    byKey: new Map(input.terms.map((term) => [termKey(term), term])),
  }
}
