import type { Instant } from '../shared/clock.ts'
import type { AlertsTold } from './alerts.ts'
import type { CandidateState } from './presence.ts'
import type { StandingSwitch } from './scopes.ts'
import type { Stop } from './stops.ts'
import type { FencingToken } from './tokens.ts'

/** etcd revision as a decimal string. */
export type Revision = string & { readonly revision: unique symbol }
/** Lease id as `etcdctl` prints it: 16 lower-case hex digits. */
export type LeaseId = string & { readonly lease: unique symbol }
/** `<q|k>~<base64url(prefix)>`: names an election inside a cluster, safe in a URL. */
export type ElectionRef = string & { readonly ref: unique symbol }

export type Layout = 'queue' | 'single-key'
export type Kind = 'election' | 'mutex' | 'unconfirmed'

/** One look-up of a lease. The true remaining time lies in [remainingMs, remainingMs + 1,000). */
export interface LeaseSample {
  grantedMs: number
  remainingMs: number
  asOf: Instant
  /** The last renewal that look-ups prove, to the second. A refill by etcd itself is none. */
  renewedAt?: Instant
  /** An etcd raft leader change has refilled it since that renewal; to when look-ups could tell. */
  refilledAt?: Instant
}

export interface Candidate {
  /** The key's value, escaped and cut at 200 characters; empty when the value is. */
  identity: string
  /** Size of the whole value in bytes. */
  valueBytes: number
  key: string
  keyBase64: string
  lease: LeaseId | null
  createRevision: Revision
  modRevision: Revision
  /** When it queued; the first sight of it when `sinceAtLeast`. */
  since: Instant
  sinceAtLeast: boolean
  /** The key lies deeper under the prefix: it blocks the queue in etcd but belongs to another election. */
  nested: boolean
  ttl: LeaseSample | null
  /** etcd refused the look-up of the lease to this account. */
  ttlDenied?: boolean
  /** An enforced stop holds this key: it competes for nothing, and nobody leads while it is the oldest. */
  held?: HeldBy
}

export interface HeldBy {
  by: string
  /** Of the stop. */
  nonce: string
}

export const CAUSES = [
  'resigned or removed',
  'lease lost',
  'expired',
  'handed off',
  'revoked',
  'kill switch',
  'store rolled back',
  'unobserved',
] as const
export type Cause = (typeof CAUSES)[number]

export interface EndedBy {
  cause: Cause
  by?: string
  evidence: string
  /** A kill switch was engaged for the election: what happens then is nobody's failover. */
  duringStop?: true
}

/** What the time of a change was made of; null where nothing was observed. */
export interface Anatomy {
  /** Last proven renewal → seat freed, without the refill. A handoff has none. */
  detectMs: number | null
  /** So much less it may be: look-ups tell the last renewal to the second. Absent where there is no detect. */
  detectErrorMs?: number
  /** What an etcd raft leader change put the end of the lease off by; absent where that is not known. */
  refillMs?: number
  /** Seat freed → next leader. */
  vacancyMs: number | null
  /** Next leader → its first proclaim or report. */
  takeoverMs: number | null
}

export interface Leader {
  identity: string
  key: string
  keyBase64: string
  lease: LeaseId | null
}

export interface Term {
  /** n-th term since the election was first observed. */
  ordinal: number
  epoch: number
  /** Fencing token: the create revision of the leader's key. */
  token: Revision
  leader: Leader
  from: Instant
  /** The term began before `from`, or at an unobserved time. */
  fromAtLeast: boolean
  to: Instant | null
  /** Time without a leader before this term; null when the end of the one before was not observed. */
  gapMs: number | null
  /** Its beginning → its first proclaim; null until then. */
  takeoverMs: number | null
  /** Last proven renewal → its end; null while open and where no look-up showed a renewal. */
  silentMs: number | null
  /** The part of that which an etcd raft leader change added to the lease; absent while open and where not known. */
  refillMs?: number
  endedBy: EndedBy | null
}

/** What one instance said of itself last. All times are the server's: no instance's clock has to be right. */
export interface Claim {
  /** Random per candidate and process. */
  instance: string
  /** Escaped and cut as a candidate's is. */
  identity: string
  lease: LeaseId | null
  state: CandidateState
  /** The term it believes to lead; null when it does not. */
  token: FencingToken | null
  /** Since when it has claimed this token; null while it claims none. */
  since: Instant | null
  /** Until when it will believe so without another renewal. */
  validUntil: Instant | null
  /** Its first report of this token that came too late to have been sent before etcd showed the end. */
  lateSince: Instant | null
  /** When its newest report came. */
  reportedAt: Instant
  lastWorkAt: Instant | null
  /** Writes that a fenced resource refused since its process began. */
  rejections: number
  /** Renewals without an answer in time, since Tenure first heard of it. */
  missed: number
}

/** Time in which changes may have been missed. */
export interface Gap {
  from: Instant
  to: Instant
  reason: string
}

export interface ElectionState {
  ref: ElectionRef
  layout: Layout
  prefix: string
  prefixBase64: string
  /** False for a look-alike: shown, never acted upon. */
  confirmed: boolean
  /** How it was recognised, in plain words. */
  foundBy: string
  epoch: number
  /** Newest revision applied to this election. */
  revision: Revision
  /** Every key under the prefix in queue order: by create revision, whoever wrote it. */
  candidates: readonly Candidate[]
  /** The open term, null while nobody leads. */
  term: Term | null
  /** Ended terms of the last hour, oldest first, at most 256, and always the newest one. */
  ended: readonly Term[]
  /** Gaps of the last hour, oldest first, at most 32. */
  gaps: readonly Gap[]
  /** Unplanned changes of the last 24 h, oldest first, at most 256. */
  failovers: readonly Instant[]
  /** Since when nobody leads; null while somebody does. */
  leaderlessSince: Instant | null
  lastOrdinal: number
  /** Every value seen so far was empty: a mutex by its habits. */
  valuesEmpty: boolean
  /** What instances say of themselves, in no order; empty where none reports. */
  claims: readonly Claim[]
}

export type Freshness = 'live' | 'stale' | 'unreachable'

export interface MemberSummary {
  id: string
  name: string
  isRaftLeader: boolean
  reachable: boolean
  /** Newest probe renewal, null where the probe is off or unanswered. */
  probeRttMs: number | null
  /** It showed the past when it was asked last. */
  lag?: Lag
  /** It answers, but knows no etcd raft leader: it is cut off, or none is elected. */
  noRaftLeader?: true
}

/** A member stood at `revision` when the cluster had come to `reached` a second before. */
export interface Lag {
  revision: Revision
  reached: Revision
}

export interface SwitchTrouble {
  /**
   * - `vanished`: the record is gone, and nobody released it.
   * - `unreadable`: it counts as engaged.
   * - `rolled-back`: an older record stands again.
   * - `too-many`: not all records are read.
   * - `overdue`: the time has passed by which it was meant to be released; it releases nothing.
   */
  type: 'vanished' | 'unreadable' | 'rolled-back' | 'overdue' | 'too-many'
  scope: string
  scopeBase64: string
  /** When it was seen; when it was meant to be released. */
  at: Instant
  words: string
}

export interface Cluster {
  name: string
  /** Unsigned decimal; empty until the cluster has answered once. */
  clusterId: string
  revision: Revision
  epoch: number
  freshness: Freshness
  /** When the newest answered heartbeat was sent. */
  asOf: Instant | null
  quorum: boolean
  /** Why it is not live, or what limits the view, in plain words. */
  reason?: string
  /** The store went back to an older revision; nothing may be acted upon until an admin acknowledges it. */
  rolledBack?: { from: Revision; to: Revision; at: Instant }
  watched: readonly { prefix: string; prefixBase64: string }[]
  readOnly: boolean
  members: readonly MemberSummary[]
  /** p95 of the last minute's probe renewals over all members. */
  probeP95Ms: number | null
  raftTerm: string
  /** etcd raft leader changes of the last hour, oldest first. */
  raftLeaderChanges: readonly Instant[]
  /** Times of the last hour in which nothing could be confirmed, oldest first. */
  gaps: readonly Gap[]
  /** Leaders whose lease is looked up at least three times per TTL, of all leaders with a lease. */
  sampling: { leaders: number; sampled: number }
  /** History is not being written, and why. */
  historyError?: string
  /** Every kill switch that stands in etcd, released ones too; absent until they have been read. */
  switches?: readonly StandingSwitch[]
  /** Times in which they held: those that do, and those that ended within the last hour; oldest first. */
  stops?: readonly Stop[]
  /** Elections with a handoff that has no outcome yet; absent when there is none. */
  handingOff?: readonly ElectionRef[]
  /** Why they cannot be read: then nobody knows what is stopped. */
  switchesError?: string
  /** Records that went or changed without anybody's doing here, and stops that stand longer than they were meant to. */
  switchTroubles?: readonly SwitchTrouble[]
  /** What Tenure's account in etcd may not do here, in words; absent when nothing is missing or etcd does not tell. */
  missingRights?: readonly string[]
  /** What is wrong, by the rules for alerts; absent until they have been looked at. */
  alerts?: AlertsTold
}
