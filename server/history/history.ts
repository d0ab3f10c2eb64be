/**
 * What Tenure remembers: terms, events, gaps and samples. Writing never throws and never waits, so
 * that a full disk can harm the history but not the watching. Reading sees what was recorded before.
 */
import type { Annotation } from '../../lib/election/annotations.ts'
import type { QueueChange } from '../../lib/election/candidacies.ts'
import type { Fact, Seed } from '../../lib/election/changes.ts'
import type { Condition } from '../../lib/election/conditions.ts'
import type { Rollback } from '../../lib/election/epoch.ts'
import type { FailoverSummary, SummaryQuestion } from '../../lib/election/failover-summary.ts'
import type { Direction, Moment } from '../../lib/election/moments.ts'
import type { RenewalSeries, SeriesSource } from '../../lib/election/series.ts'
import type { Stop } from '../../lib/election/stops.ts'
import type { Cause, ElectionRef, ElectionState, Gap, Revision, Term } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'

/** What names and explains an election; an `ElectionState` can be passed as it is. */
export type ElectionIdentity = Pick<
  ElectionState,
  'ref' | 'layout' | 'prefix' | 'prefixBase64' | 'foundBy' | 'confirmed'
>

export interface KnownElection extends ElectionIdentity {
  seed: Seed
}

export interface Known extends ClusterMemory {
  /** Newest epoch and, within it, the highest revision seen; 0 and "0" when nothing is known. */
  epoch: number
  highRevision: Revision
  /** Elections that had a key or a term within the last 24 h, or in which somebody still led or stood in the queue. */
  elections: readonly KnownElection[]
  /** The time in which no server ran, already recorded; null on the very first start. */
  downtime: Gap | null
  /** Earlier history could not be read, so that "nothing known" proves nothing. */
  error?: string
}

/** Proof that the cluster was being watched. A higher epoch replaces the revision of the one before. */
export interface AliveMark extends ClusterMemory {
  at: Instant
  epoch: number
  revision: Revision
}

/** What is remembered of the cluster as it was last seen. */
export interface ClusterMemory {
  /** Another id under the same name is another store, not one that was rolled back. */
  clusterId?: string
  /** The newest epoch that the epoch key in etcd was seen to hold. */
  storedEpoch?: number
  /** A rollback that nobody has acknowledged yet. */
  rolledBack?: Rollback
}

/** Whose samples: a probe belongs to a member, the others to an election. Values are as in `Bucket`. */
export interface SeriesKey {
  cluster: string
  source: SeriesSource
  ref?: ElectionRef
  member?: string
  identity?: string
}

export interface RangeQuery {
  cluster: string
  ref: ElectionRef
  /** Inclusive. */
  from?: Instant
  /** Exclusive. */
  to?: Instant
  cursor?: string
  /** Clamped to 1–1,000. */
  limit: number
}

export interface TermPage {
  /** Newest first. */
  terms: Term[]
  /** The term before the oldest of this page, whether it is in the range or not. */
  previous: Term | null
  /** Newest first, those of the whole cluster included; each gap is on one page. */
  gaps: Gap[]
  nextCursor?: string
}

/** A fact as it was recorded: the fields depend on `type`. */
export type EventRow = Fact

export interface EventPage {
  /** Newest first. */
  events: EventRow[]
  nextCursor?: string
}

export interface RenewalQuery {
  cluster: string
  ref: ElectionRef
  from: Instant
  to: Instant
  /** Buckets per series at most, 1–600. */
  points: number
}

export interface Renewals {
  /** Width of every bucket: a hole wider than this is missing data. */
  bucketMs: number
  series: RenewalSeries[]
}

export interface StopQuery {
  cluster: string
  /** Those that held at this time or later. */
  from?: Instant
  /** Exclusive. */
  to?: Instant
  /** Only those that hold. */
  open?: boolean
}

/** A cluster as it was at a moment. Look-ups of leases, probes and claims are not kept. */
export interface Past {
  /** Since when queues are on record; null while nothing is. Before it nothing below is known. */
  keptSince: Instant | null
  epoch: number
  elections: ElectionState[]
  /** Of the whole cluster, in the hour before; one that went on then ends then. Oldest first. */
  gaps: Gap[]
  /** Nothing was seen at that moment. */
  unseen: Gap | null
  /** Stops that held then or had ended within the hour before, oldest first. */
  stops: Stop[]
}

export interface BesideQuery {
  cluster: string
  /** Only what concerns this election. */
  ref?: ElectionRef
  at: Instant
  direction: Direction
}

export interface TransitionQuery {
  cluster: string
  /** Terms that ended at this time or later. */
  from: Instant
  /** Exclusive. */
  to: Instant
  /** Only elections whose prefix has this in it, in whatever case. */
  text?: string
}

export interface FailoverQuery extends TransitionQuery, SummaryQuestion {}

export interface TransitionRowQuery extends TransitionQuery {
  cursor?: string
  /** Clamped to 1–1,000. */
  limit: number
  /** All of them when absent. */
  causes?: readonly Cause[]
  /** Failovers that ended within these times, both ends included, are left out. */
  without?: readonly { from: Instant; to: Instant }[]
}

export interface TransitionRow {
  ref: ElectionRef
  prefix: string
  prefixBase64: string
  /** The one that ended. */
  term: Term
  /** The one that followed; null while nobody has led since. */
  next: Term | null
}

export interface TransitionPage {
  /** Newest end first. */
  rows: TransitionRow[]
  nextCursor?: string
}
export interface TermQuery {
  cluster: string
  ref: ElectionRef
  /** Left out: every term of the election. */
  term?: Pick<Term, 'epoch' | 'token'>
}

interface AboutTerm {
  cluster: string
  ref: ElectionRef
  epoch: number
  token: Revision
  at: Instant
  by: string
}

export type Annotate = AboutTerm &
  (
    | { kind: 'acknowledged' }
    /** `after`: the version that was read; null when there was none. An empty text takes the note away. */
    | { kind: 'note'; text: string; after: string | null }
  )

export type Annotating =
  | { outcome: 'written' }
  /** It said so before. */
  | { outcome: 'as-it-was' }
  /** Somebody wrote another version since. */
  | { outcome: 'changed-meanwhile'; by: string; text: string }
  | { outcome: 'no-such-term' }

export interface ConditionQuery {
  cluster: string
  from: Instant
  /** Exclusive. */
  to: Instant
}

/** Oldest first, the newest 5,000 of each. */
export interface Conditions {
  conditions: Condition[]
  /** Of the whole cluster. */
  gaps: Gap[]
}

export type HistoryState =
  | { ok: true }
  /** `dropped` counts what was recorded since then and will never be written. */
  | { ok: false; since: Instant; error: string; dropped: number }

export interface History {
  /** What earlier runs knew, to open elections with. Never rejects: see `Known.error`. */
  load(cluster: string, now: Instant): Promise<Known>
  /** Seeds of elections that come back after longer than `load` looks, so that their ordinals go on. */
  seeds(cluster: string, refs: readonly ElectionRef[], now: Instant): Promise<Map<ElectionRef, Seed>>
  /** What a change meant, and what it did to the queue. */
  record(cluster: string, election: ElectionIdentity, facts: readonly Fact[], queue?: QueueChange | null): void
  /** The open term changed without a fact of its own: a new identity, its takeover. */
  recordTerm(cluster: string, election: ElectionIdentity, term: Term): void
  /** Nothing of the cluster was seen. A gap with the same `from` is extended. */
  recordGap(cluster: string, gap: Gap): void
  /** Times in which kill switches held; one that is known is replaced. */
  recordStops(cluster: string, stops: readonly Stop[]): void
  /** What etcd itself was like; one that is known is replaced. `load` ends those that an earlier run left open. */
  recordConditions(cluster: string, conditions: readonly Condition[]): void
  alive(cluster: string, mark: AliveMark): void
  sample(series: SeriesKey, at: Instant, value: number): void
  /** These reject with `HistoryUnavailable`, and with `InvalidCursor` for a cursor that is none. */
  terms(query: RangeQuery): Promise<TermPage>
  events(query: RangeQuery): Promise<EventPage>
  renewals(query: RenewalQuery): Promise<Renewals>
  /** Newest first, at most 1,000. */
  stops(query: StopQuery): Promise<Stop[]>
  /** The elections of a cluster as they were at `at`; null where that is not kept (any more). */
  past(cluster: string, at: Instant): Promise<Past>
  /** What changed next to a moment, at the nearest time; null when nothing did. */
  beside(query: BesideQuery): Promise<Moment | null>
  /** Changes of leader over all elections of a cluster. */
  failovers(query: FailoverQuery): Promise<FailoverSummary>
  /** Each of them, a page at a time, with its terms. */
  transitionRows(query: TransitionRowQuery): Promise<TransitionPage>
  /** Oldest first, the newest 1,000 at most. */
  annotations(query: TermQuery): Promise<Annotation[]>
  /** Durable when it resolves. */
  annotate(annotation: Annotate): Promise<Annotating>
  conditions(query: ConditionQuery): Promise<Conditions>
  /** Since when anything of the cluster is on record; null while nothing is. */
  observedSince(cluster: string): Promise<Instant | null>
  /** Resolves when everything recorded so far is durable, or has failed to become so. */
  flush(): Promise<HistoryState>
  state(): HistoryState
  /** Writes what is left, waiting two seconds at most. */
  close(): Promise<void>
}

/** Reason of the gap between two runs. */
export const DOWNTIME = 'Tenure was not running'

export class HistoryUnavailable extends Error {
  override readonly name = 'HistoryUnavailable'
}

export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor'
  constructor(cursor: string) {
    super(`"${cursor}" is not a cursor that this query handed out`)
  }
}
