/** The timeline of an incident: one line says one thing that happened, as far as it was seen. */
import { elapsedMs, type Instant, instant } from '../shared/clock.ts'
import { brief, duration } from '../shared/format.ts'
import type { AlertRule, Severity } from './alerts.ts'
import { type Condition, NOT_ANSWERED } from './conditions.ts'
import { alertEntry, alertsTold } from './incident-alerts.ts'
import type { IncidentAction, IncidentElection, IncidentSeen, IncidentTerm } from './incident-report.ts'
import { massStory } from './mass-events.ts'
import { type Stop, stops } from './stops.ts'
import { raftChanges } from './surroundings.ts'
import type { ElectionRef, Gap } from './types.ts'
import { deedWords } from './verb-words.ts'

export type IncidentEntryType =
  | 'term-began'
  | 'term-ended'
  | 'action'
  | 'stop'
  | 'gap'
  | 'raft-leader'
  | 'no-quorum'
  | 'slow-probe'
  | 'alarm'
  | 'mass-event'
  | 'alert'

export interface IncidentEntry {
  type: IncidentEntryType
  /** Its beginning, which may lie before the range. */
  at: Instant
  /** Of what lasted: its end, null while it does. Absent: it was a moment. */
  to?: Instant | null
  /** The elections it concerns; absent: the whole cluster. */
  refs?: ElectionRef[]
  words: string
  /** The evidence, or the reason that somebody gave. */
  why?: string
  /** Of an alert. */
  alert?: { rule: AlertRule; severity: Severity }
}

/** By time; of one moment, in the order of the sources: what etcd was like comes before what followed of it. */
export function entriesOf(elections: readonly IncidentElection[], seen: IncidentSeen): IncidentEntry[] {
  const entries = [
    ...conditionEntries(seen),
    ...gapEntries(seen),
    ...seen.stops.map((stop) => stopEntry(stop, elections)),
    ...seen.actions.map((action) => actionEntry(action, elections)),
    ...massEntries(seen),
    ...alertsTold(seen, new Set(elections.map(({ ref }) => ref))).map(alertEntry),
    ...elections.flatMap((election) => termEntries(election, seen)),
  ]
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

const because = (why: string) => (why === '' ? {} : { why })
const isWithin = (at: Instant, { from, to }: Pick<IncidentSeen, 'from' | 'to'>) => at >= from && at < to
/** An empty value is a name too: it must be seen to be empty. */
export const nameOf = (identity: string) => (identity === '' ? '(empty)' : identity)

function termEntries({ ref, terms }: IncidentElection, seen: IncidentSeen): IncidentEntry[] {
  return terms.flatMap((term, at): IncidentEntry[] => [
    ...(isWithin(term.from, seen) ? [beganEntry(ref, term, terms[at - 1])] : []),
    ...(term.to !== null && isWithin(term.to, seen) ? [endedEntry(ref, term, term.to)] : []),
  ])
}

function beganEntry(ref: ElectionRef, term: IncidentTerm, before: IncidentTerm | undefined): IncidentEntry {
  const which = `#${term.ordinal}, token ${term.token}`
  const after =
    before === undefined || before.vacancyMs === null ? '' : `, ${brief(before.vacancyMs)} after the one before`
  const words = term.fromAtLeast
    ? `${nameOf(term.identity)} was found leading: ${which}`
    : `${nameOf(term.identity)} leads: ${which}${after}`
  return { type: 'term-began', at: term.from, refs: [ref], words }
}

const KINDS = { failover: 'failover', planned: 'no failover', unobserved: 'change of unknown cause' } as const

function endedEntry(ref: ElectionRef, term: IncidentTerm, at: Instant): IncidentEntry {
  const { cause, by, kind } = term
  const why = by === null ? (cause ?? 'unobserved') : `${cause} by ${by}`
  const took =
    term.totalMs === null || kind !== 'failover'
      ? ''
      : `, over after ${term.unknownParts.length > 0 ? 'at least ' : ''}${brief(term.totalMs)}`
  const words = `${nameOf(term.identity)} lost the lead: #${term.ordinal} ended, ${why} (${KINDS[kind ?? 'unobserved']}${took})`
  return { type: 'term-ended', at, refs: [ref], words, ...because(term.evidence) }
}

function gapEntries({ gaps, elections, from, to }: IncidentSeen): IncidentEntry[] {
  const overlaps = (gap: Gap) => gap.from < to && gap.to >= from
  const known = new Set(gaps.map((gap) => gap.from))
  const entry = (gap: Gap, refs?: ElectionRef[]): IncidentEntry => ({
    type: 'gap',
    at: gap.from,
    to: gap.to,
    ...(refs === undefined ? {} : { refs }),
    words: `Not observed for ${duration(elapsedMs(gap.from, gap.to))}: changes may have been missed`,
    ...because(gap.reason),
  })
  const own = elections.flatMap(({ ref, gaps: all }) =>
    all.filter((gap) => !known.has(gap.from) && overlaps(gap)).map((gap) => entry(gap, [ref])),
  )
  return [...gaps.filter(overlaps).map((gap) => entry(gap)), ...own]
}

function stopEntry(stop: Stop, elections: readonly IncidentElection[]): IncidentEntry {
  const { scope, by, from, to, ended, endedBy, reason } = stop
  const refs = elections.filter(({ prefixBase64 }) => stops(stop, prefixBase64)).map(({ ref }) => ref)
  const over =
    ended === 'vanished' ? ', until its record vanished without a release' : endedBy ? `, released by ${endedBy}` : ''
  const words = `Kill switch held ${scope === '' ? 'everything' : scope} stopped, engaged by ${by || 'nobody named'}${over}`
  return { type: 'stop', at: from, to, refs, words, ...because(reason) }
}

const RESULTS: Readonly<Record<IncidentAction['result'], string>> = {
  verified: 'verified',
  failed: 'failed',
  unknown: 'outcome unknown',
  refused: 'refused',
  done: 'done',
  open: 'no outcome yet',
  note: 'noted',
}

function actionEntry(action: IncidentAction, elections: readonly IncidentElection[]): IncidentEntry {
  const own = elections.find(({ ref }) => ref === action.ref)
  const about = own === undefined && action.subject !== '' ? ` (${action.subject})` : ''
  const words = `${action.who}: ${deedWords(action)}${about}: ${RESULTS[action.result]}${action.words === '' ? '' : `. ${action.words}`}`
  return {
    type: 'action',
    at: action.at,
    ...(own === undefined ? {} : { refs: [own.ref] }),
    words,
    ...because(action.reason),
  }
}

function massEntries({ masses, conditions }: IncidentSeen): IncidentEntry[] {
  return masses.map((mass) => ({
    type: 'mass-event',
    at: instant(mass.fromMs),
    to: instant(mass.toMs),
    words: massStory(mass, conditions),
  }))
}

function lastingWords({ kind, subject, words }: Condition): string {
  if (kind === 'no-quorum') return 'etcd had no quorum'
  if (kind === 'alarm') return `etcd alarm ${subject}`
  return words === NOT_ANSWERED
    ? `The probe of ${subject} was not answered`
    : `The probe of ${subject} was ${words ?? 'slow'}`
}

function conditionEntries(seen: IncidentSeen): IncidentEntry[] {
  const { conditions, from, to } = seen
  const changes = raftChanges(conditions)
    .filter((change) => isWithin(change.to, seen))
    .map(({ to: at, before, after }): IncidentEntry => {
      const words =
        before === after
          ? `etcd raft leader ${after} was elected again`
          : `etcd raft leader changed from ${before} to ${after}`
      return { type: 'raft-leader', at, words }
    })
  const lasting = conditions.flatMap((condition): IncidentEntry[] => {
    const { kind } = condition
    if (kind === 'raft-leader' || condition.from >= to || (condition.to ?? to) < from) return []
    return [{ type: kind, at: condition.from, to: condition.to, words: lastingWords(condition) }]
  })
  return [...changes, ...lasting]
}
