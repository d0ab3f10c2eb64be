/** Tables as Kysely sees them. Integers are read as bigint: revisions and tokens need all 64 bits. */
import type { ColumnType, Generated } from 'kysely'

type Int = ColumnType<bigint, bigint | number, bigint | number>
type NullableInt = ColumnType<bigint | null, bigint | number | null, bigint | number | null>
type Id = Generated<bigint>

export interface ClustersTable {
  id: Id
  name: string
  epoch: Int
  high_revision: Int
  alive_ms: NullableInt
  /** JSON of `ClusterMemory`. */
  memory: string | null
  /** Since when queues are recorded. */
  kept_ms: NullableInt
}

export interface ElectionsTable {
  id: Id
  cluster_id: Int
  ref: string
  layout: string
  prefix: string
  prefix_base64: string
  found_by: string
  confirmed: Int
  /** When it last had a key or a term. */
  active_ms: Int
}

export interface TermsTable {
  election_id: Int
  epoch: Int
  token: Int
  ordinal: Int
  identity: string
  key: string
  key_base64: string
  lease: string | null
  from_ms: Int
  from_at_least: Int
  to_ms: NullableInt
  gap_ms: NullableInt
  takeover_ms: NullableInt
  silent_ms: NullableInt
  refill_ms: NullableInt
  cause: string | null
  ended_by: string | null
  evidence: string | null
  during_stop: NullableInt
}

export interface EventsTable {
  id: Id
  election_id: Int
  at_ms: Int
  revision: Int
  type: string
  /** JSON of the fields that the type adds. */
  body: string
}

/** Rows with the same key follow each other; `to_ms` is null while the key stands so. */
export interface CandidaciesTable {
  id: Id
  election_id: Int
  epoch: Int
  create_revision: Int
  mod_revision: Int
  key_base64: string
  identity: string
  value_bytes: Int
  lease: string | null
  nested: Int
  /** JSON of `HeldBy`. */
  held: string | null
  since_ms: Int
  since_at_least: Int
  from_ms: Int
  to_ms: NullableInt
}

/** `election_id` 0 is the whole cluster. */
export interface GapsTable {
  cluster_id: Int
  election_id: Int
  from_ms: Int
  to_ms: Int
  reason: string
}

/** Absent parts of a series key are empty strings, so that they can be unique. */
export interface SeriesTable {
  id: Id
  cluster_id: Int
  source: string
  ref: string
  member: string
  identity: string
  /** Newest sample, to the hour. */
  last_ms: Int
}

export interface SamplesTable {
  block: Int
  series_id: Int
  /** Since the block began. */
  offset_ms: Int
  seq: Int
  /** Whole thousandths. */
  value: Int
}

export interface RolledTable {
  tier: Int
  block: Int
  series_id: Int
  /** Which bucket of its block. */
  slot: Int
  count: Int
  /** Whole thousandths, as `max`. */
  min: Int
  max: Int
  sketch: Uint8Array | null
}

/** Everything of a tier before `upto_ms` is rolled up. */
export interface RollupMarksTable {
  tier: Int
  upto_ms: Int
}

/** Rows to be rolled again, because samples came in after their turn. */
export interface RollupLateTable {
  tier: Int
  series_id: Int
  from_ms: Int
}

export interface StopsTable {
  cluster_id: Int
  scope_base64: string
  nonce: string
  from_ms: Int
  to_ms: NullableInt
  /** JSON of the whole `Stop`. */
  body: string
}

/** Follows from `terms` alone: see `transitions.ts`. */
export interface TransitionsTable {
  cluster_id: Int
  /** When the term ended. */
  at_ms: Int
  election_id: Int
  epoch: Int
  token: Int
  cause: string
  during_stop: NullableInt
  silent_ms: NullableInt
  refill_ms: NullableInt
  /** Of the term that followed, these three. */
  next_ms: NullableInt
  gap_ms: NullableInt
  takeover_ms: NullableInt
}

export interface AnnotationsTable {
  id: Id
  election_id: Int
  epoch: Int
  token: Int
  kind: string
  at_ms: Int
  by: string
  text: string
}

export interface ConditionsTable {
  cluster_id: Int
  from_ms: Int
  kind: string
  subject: string
  to_ms: NullableInt
  words: string | null
  raft_term: string | null
}

export interface HistoryTables {
  transitions: TransitionsTable
  annotations: AnnotationsTable
  conditions: ConditionsTable
  candidacies: CandidaciesTable
  stops: StopsTable
  clusters: ClustersTable
  elections: ElectionsTable
  terms: TermsTable
  events: EventsTable
  gaps: GapsTable
  series: SeriesTable
  samples: SamplesTable
  rolled: RolledTable
  rollup_marks: RollupMarksTable
  rollup_late: RollupLateTable
}
