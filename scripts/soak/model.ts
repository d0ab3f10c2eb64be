/**
 * What etcd did, what the harness did, and what Tenure said. These are types of the soak's own: the
 * judge must not share a mistake with the judged.
 */

/** One seat. A queue's prefix ends with `/`; a single key is its own prefix. */
export interface Seat {
  layout: 'queue' | 'single-key'
  prefix: string
}

export interface RecordedEvent {
  type: 'put' | 'delete'
  key: string
  value: string
  /** Decimal; "0" is none. Of a delete: the lease that the key had. */
  lease: string
  /** Of a delete: the create revision that the key had. */
  created: number
}

/** All that one revision did. Revisions of a fresh etcd are small: plain numbers are safe here. */
export interface RecordedRevision {
  revision: number
  /** When the first of the observer's streams brought it. */
  atMs: number
  events: RecordedEvent[]
}

export interface TrueTerm {
  token: number
  key: string
  lease: string
  identity: string
  fromMs: number
  toMs: number | null
  toRevision: number | null
  /** The revision that ended it also removed another key of the same lease. */
  leaseLevel: boolean
}

export interface TrueEvent {
  type: 'candidate-joined' | 'candidate-left' | 'proclaimed'
  revision: number
  key: string
  atMs: number
}

/** What was true of one seat. */
export interface Truth {
  seat: Seat
  terms: TrueTerm[]
  events: TrueEvent[]
}

/** What the candidates did, as far as etcd answered them. Times are those of sending. */
export type Deed =
  | { type: 'granted'; lease: string; atMs: number }
  /** A delete guarded by the create revision; the lease went on. */
  | { type: 'deleted'; key: string; lease: string; revision: number; atMs: number }
  | { type: 'delete-unanswered'; key: string; lease: string; atMs: number }
  /** Asked for; whether it was answered does not matter for what it can have caused. */
  | { type: 'revoke-sent'; lease: string; atMs: number }
  /** A keep-alive sent then was answered. */
  | { type: 'alive'; lease: string; atMs: number }
  /** SIGKILL to the process whose keys carry this value. */
  | { type: 'killed'; identity: string; atMs: number }

export interface Span {
  fromMs: number
  toMs: number
  reason: string
}

export interface ToldTerm {
  ordinal: number
  epoch: number
  token: number
  key: string
  fromMs: number
  toMs: number | null
  cause: string | null
  evidence: string | null
}

export interface ToldEvent {
  type: string
  revision: number
  atMs: number
  key: string | null
  /** Of a proclaim, which names no key. */
  identity?: string
  token: number | null
}

/** What Tenure's API says of one election, oldest first. */
export interface Told {
  seat: Seat
  terms: ToldTerm[]
  events: ToldEvent[]
  gaps: Span[]
}

/** Samples in a row in which a view that called itself live showed the same leader. */
export interface Claim {
  source: 'page' | 'api'
  prefix: string
  /** Null: nobody leads. */
  leader: { token: number; key: string } | null
  fromMs: number
  toMs: number
  samples: number
}

/** A fault of the harness as it really happened. */
export interface Deal {
  what: string
  fromMs: number
  toMs: number
}

export interface Difference {
  kind: string
  prefix: string
  message: string
  atMs: number
  detail: object
}

export interface Tolerance {
  /** Beginnings and ends may differ by this much. */
  timeMs: number
  /** A declared gap reaches this much further than it says. */
  gapSlackMs: number
  /** A view that calls itself live may lag this much. */
  lagMs: number
}

export const TOLERANCE: Tolerance = { timeMs: 3_000, gapSlackMs: 1_000, lagMs: 5_000 }
