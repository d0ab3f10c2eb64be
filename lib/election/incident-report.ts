/**
 * What happened to some elections in a time: one model, from which the Markdown, the page and the JSON are made.
 * Whatever else is to be told is another source of entries: see `entriesOf`.
 */
import { type Instant, msOf } from '../shared/clock.ts'
import type { Alert } from './alerts.ts'
import { type Annotation, annotatedKey, annotatedTerms } from './annotations.ts'
import type { Condition } from './conditions.ts'
import { incidentChart } from './incident-chart.ts'
import { entriesOf, type IncidentEntry } from './incident-entries.ts'
import { incidentSummary } from './incident-summary.ts'
import type { MassEvent } from './mass-events.ts'
import { type PeriodFigures, periodFigures } from './period.ts'
import { type Stop, stops } from './stops.ts'
import {
  type TransitionKind,
  type TransitionPart,
  type TransitionParts,
  transitionKind,
  transitionParts,
  transitionTotalMs,
  unknownParts,
} from './transitions.ts'
import type { Cause, ElectionRef, Gap, Revision, Term } from './types.ts'

export interface SeenElection {
  ref: ElectionRef
  name: string
  prefix: string
  prefixBase64: string
  /** Per cent of the time that was observed. */
  ledObjective: number
  /** All that overlap the range, in whatever order. */
  terms: readonly Term[]
  /** Those of the whole cluster may be among them. */
  gaps: readonly Gap[]
  /** Oldest first. */
  annotations: readonly Annotation[]
}

/** Something that somebody did, or tried to do, as the audit log has it. */
export interface IncidentAction {
  at: Instant
  operation: string
  verb: string
  asked: unknown
  /** A name, and the token that was used. */
  who: string
  /** Of an election. */
  ref?: string
  /** What else it was about: a scope, in words. */
  subject: string
  reason: string
  /** `open`: no outcome yet. `note`: nobody asked for it. */
  result: 'verified' | 'failed' | 'unknown' | 'refused' | 'done' | 'open' | 'note'
  /** How it ended, in a sentence; may be empty. */
  words: string
}

export interface IncidentSeen {
  cluster: string
  from: Instant
  to: Instant
  madeAt: Instant
  elections: readonly SeenElection[]
  untold: Untold
  /** Of the whole cluster. */
  gaps: readonly Gap[]
  stops: readonly Stop[]
  /** Oldest first, and some minutes before the range. */
  conditions: readonly Condition[]
  masses: readonly MassEvent[]
  /** In whatever order. */
  actions: readonly IncidentAction[]
  /** Of any cluster and election: what is told of them is decided here. In whatever order. */
  alerts: readonly Alert[]
}

/** What there is and this report does not have. */
export interface Untold {
  /** Elections that changed, too. */
  elections: number
  /** There are more changes than were looked at, so that it may be more elections. */
  isMore: boolean
  /** `newest`: there are earlier entries of the audit log. */
  actions: 'none' | 'newest' | 'unreadable'
  /** `newest`: there may be more alerts, which fired earlier in the range. */
  alerts: 'none' | 'newest' | 'unreadable'
}

export interface IncidentTerm extends TransitionParts {
  ordinal: number
  epoch: number
  token: Revision
  identity: string
  key: string
  from: Instant
  fromAtLeast: boolean
  /** null while it goes on. */
  to: Instant | null
  cause: Cause | null
  by: string | null
  evidence: string
  /** Of its end; null while it goes on. What follows is of the change that ended it. */
  kind: TransitionKind | null
  totalMs: number | null
  unknownParts: TransitionPart[]
  /** What people said of its end, whenever they did. */
  note: { text: string; at: Instant; by: string } | null
  acknowledged: { at: Instant; by: string } | null
}

export interface IncidentElection {
  ref: ElectionRef
  name: string
  prefix: string
  prefixBase64: string
  ledObjective: number
  figures: PeriodFigures
  /** Oldest first; the newest `MOST_TERMS`. */
  terms: IncidentTerm[]
  /** So many earlier ones are counted in the figures and not listed. */
  earlierTerms: number
}

export interface IncidentReport {
  v: 1
  cluster: string
  from: Instant
  /** Exclusive. */
  to: Instant
  /** Of every time in it. */
  zone: 'UTC'
  madeAt: Instant
  summary: string
  elections: IncidentElection[]
  untold: Untold
  /** By time. */
  entries: IncidentEntry[]
  /** An SVG document that stands alone, and the same in words. */
  chart: { svg: string; alt: string }
}

export const MOST_TERMS = 200

export function incidentReport(seen: IncidentSeen): IncidentReport {
  const { cluster, from, to, madeAt, untold } = seen
  const elections = seen.elections.map((election) => electionOf(election, seen))
  const entries = entriesOf(elections, seen)
  const summary = incidentSummary(elections, seen)
  return {
    v: 1,
    cluster,
    from,
    to,
    zone: 'UTC',
    madeAt,
    summary,
    elections,
    untold,
    entries,
    chart: { svg: incidentChart(elections, seen), alt: `${elections.length} elections, a lane each. ${summary}` },
  }
}

function electionOf(election: SeenElection, seen: IncidentSeen): IncidentElection {
  const { ref, name, prefix, prefixBase64, ledObjective, gaps } = election
  const span = { fromMs: msOf(seen.from), toMs: Math.min(msOf(seen.to), msOf(seen.madeAt)) }
  const own = seen.stops.filter((stop) => stops(stop, prefixBase64))
  const ordered = election.terms.toSorted((a, b) => a.ordinal - b.ordinal)
  const said = annotatedTerms(election.annotations)
  const terms = ordered.map((term, at) => termOf(term, ordered[at + 1] ?? null, said.get(annotatedKey(term))))
  const inRange = terms.filter((term) => term.from < seen.to && (term.to === null || term.to >= seen.from))
  return {
    ref,
    name,
    prefix,
    prefixBase64,
    ledObjective,
    figures: periodFigures({ terms: ordered, gaps: [...gaps, ...seen.gaps], stops: own }, span),
    terms: inRange.slice(-MOST_TERMS),
    earlierTerms: Math.max(0, inRange.length - MOST_TERMS),
  }
}

type Said = ReturnType<typeof annotatedTerms> extends Map<string, infer T> ? T | undefined : never

function termOf(term: Term, next: Term | null, said: Said): IncidentTerm {
  const { ordinal, epoch, token, leader, from, fromAtLeast, to, endedBy } = term
  const kind = to === null || endedBy === null ? null : transitionKind(endedBy.cause, endedBy.duringStop === true)
  const ended = { silentMs: term.silentMs, refillMs: term.refillMs ?? null }
  const parts = transitionParts(kind ?? 'planned', ended, {
    gapMs: next?.gapMs ?? null,
    takeoverMs: next?.takeoverMs ?? null,
  })
  const nextMs = next === null ? null : msOf(next.from)
  const note = said?.note ?? null
  return {
    ordinal,
    epoch,
    token,
    identity: leader.identity,
    key: leader.key,
    from,
    fromAtLeast,
    to,
    cause: endedBy?.cause ?? null,
    by: endedBy?.by ?? null,
    evidence: endedBy?.evidence ?? '',
    kind,
    ...parts,
    totalMs: kind === null ? null : transitionTotalMs(nextMs, parts),
    unknownParts: kind === null ? [] : unknownParts({ kind, nextMs, ...parts }),
    note: note === null ? null : { text: note.text, at: note.at, by: note.by },
    acknowledged: said?.acknowledged ?? null,
  }
}
