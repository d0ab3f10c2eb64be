/** What the domain needs of etcd. `lib/etcd` implements these; a fake stands beside it for unit tests. */
import type { LeaseId, Revision } from './types.ts'

export interface CallOptions {
  deadlineMs: number
  signal?: AbortSignal
  /** Ask this endpoint only, instead of the one that answered last. */
  endpoint?: string
}

/** Every answer's header: which member spoke, of which cluster, in which raft term. */
export interface Header {
  clusterId: string
  memberId: string
  revision: Revision
  raftTerm: string
}

export interface KeyValue {
  key: Uint8Array
  value: Uint8Array
  lease: LeaseId | null
  createRevision: Revision
  modRevision: Revision
}

export interface RangeRequest {
  key: Uint8Array
  /** Exclusive end; without it the one key. */
  end?: Uint8Array
  limit?: number
  /** Read as of this revision. */
  at?: Revision
  /** By create revision; without it by key. */
  order?: 'oldest-first' | 'newest-first'
  /** Only keys that were created before this revision, which is at least 2: etcd has none before that. */
  createdBefore?: Revision
}

export interface RangeAnswer {
  header: Header
  kvs: readonly KeyValue[]
  more: boolean
  endpoint: string
}

/** Keys from `key` up to but not including `end`; an end of one zero byte is the end of all keys. */
export interface KeySpan {
  key: Uint8Array
  end: Uint8Array
}

export interface KvPort {
  /** Linearizable. Rejects with `EtcdError`. */
  range(request: RangeRequest, options: CallOptions): Promise<RangeAnswer>
}

/** What a transaction asks of a key before it acts. An absent key has create and mod revision 0 and lease 0. */
export interface Compare {
  key: Uint8Array
  /** Exclusive end: then every key of the span must pass, and an empty span is one absent key. */
  end?: Uint8Array
  field: 'create' | 'mod' | 'lease'
  is: 'equal' | 'less' | 'greater'
  /** A revision, or a lease id for `lease`. */
  to: Revision | LeaseId
}

export type Op =
  | { type: 'put'; key: Uint8Array; value: Uint8Array; lease: LeaseId | null }
  | { type: 'delete'; key: Uint8Array }
  | { type: 'range'; request: RangeRequest }

export interface Txn {
  compare: readonly Compare[]
  success: readonly Op[]
  failure?: readonly Op[]
}

export interface TxnAnswer {
  header: Header
  succeeded: boolean
  /** What each `range` of the branch taken found, in the order asked. */
  ranges: readonly (readonly KeyValue[])[]
}

export interface TxnPort {
  /**
   * Linearizable. It may be sent again to another endpoint when one does not answer, so it must bear being
   * applied twice. Rejects with `EtcdError`; `no-space` and `denied` mean that it was not applied.
   */
  txn(txn: Txn, options: CallOptions): Promise<TxnAnswer>
}

export interface GuardedWritePort {
  /** Puts only while the key's mod revision is `expected` ("0": while it is absent); false when it was not. */
  putIfUnchanged(key: Uint8Array, value: Uint8Array, expected: Revision, options: CallOptions): Promise<boolean>
}

export interface PermissionPort {
  /** What this account may read: null is everything, undefined is not known. */
  readable(options: CallOptions): Promise<readonly KeySpan[] | null | undefined>
  /** The same, what it may write. */
  writable(options: CallOptions): Promise<readonly KeySpan[] | null | undefined>
}

export interface LeaseAnswer {
  header: Header
  /** null: no such lease (granted TTL 0). Seconds are whole, rounded down by etcd. */
  lease: { grantedMs: number; remainingMs: number; keys: readonly Uint8Array[] } | null
}

export interface LeasePort {
  timeToLive(lease: LeaseId, options: CallOptions & { keys?: boolean }): Promise<LeaseAnswer>
  grant(ttlSeconds: number, options: CallOptions): Promise<{ lease: LeaseId; grantedMs: number }>
  revoke(lease: LeaseId, options: CallOptions): Promise<void>
  /**
   * One keep-alive, over a stream that all leases share and that moves to another endpoint when it fails.
   * Resolves with the TTL granted anew in milliseconds, 0 when the lease is gone. Rejects with `EtcdError`.
   */
  renew(lease: LeaseId, options: CallOptions): Promise<number>
  /** One stream on one endpoint; each renewal settles when its answer arrives. */
  openKeepAlive(endpoint: string, signal: AbortSignal): Promise<KeepAliveStream>
}

export interface KeepAliveStream {
  /** Resolves with the TTL left after the renewal, 0 when the lease is gone. Rejects when the stream ends. */
  renew(lease: LeaseId, deadlineMs: number): Promise<number>
  close(): void
}

export type WatchEvent =
  | { type: 'put'; kv: KeyValue }
  | { type: 'delete'; key: Uint8Array; revision: Revision; was: KeyValue | null }

export type WatchSignal =
  /** The watch of a range exists, before its first event. `revision`: where the member stands. */
  | { type: 'created'; revision: Revision }
  /** A ping was answered and no range is behind: all events up to that ping have been sent. `revision`: the member's. */
  | { type: 'alive'; revision: Revision }
  /** All events of whole revisions, in order. */
  | { type: 'events'; range: number; header: Header; events: readonly WatchEvent[] }
  /** The watch of one range is over; compacted when its start revision is no longer kept. */
  | { type: 'canceled'; range: number; compactRevision: Revision | null; reason: string }

export interface WatchRange {
  key: Uint8Array
  end: Uint8Array
  from: Revision
}

export interface WatchStream {
  endpoint: string
  /** Ends when the stream ends, with the error that ended it. */
  signals: AsyncIterable<readonly WatchSignal[]>
  close(): void
}

export interface WatchPort {
  /** One stream for all ranges, with `prev_kv` and `hasleader`: it ends when the member loses the quorum. */
  open(ranges: readonly WatchRange[], options: { signal: AbortSignal }): Promise<WatchStream>
  /** Ask another endpoint next time, unless another is preferred already. */
  avoid(endpoint: string): void
}

export type Notice = 'changed' | 'lost'

export interface NoticePort {
  /**
   * Calls `listener` with `changed` after anything in the span may have changed at `from` or later, and once
   * with `lost` when no more will come: read anew and ask again. All callers share one stream. Answers a stop.
   */
  notice(span: KeySpan, from: Revision, listener: (notice: Notice) => void): () => void
}

export interface MemberInfo {
  id: string
  name: string
  clientUrls: readonly string[]
  isLearner: boolean
}

export interface MemberStatus {
  header: Header
  version: string
  dbSize: number
  dbSizeInUse: number
  raftLeaderId: string
  raftIndex: string
}

export interface Alarm {
  memberId: string
  type: string
}

export interface ClusterPort {
  readonly endpoints: readonly string[]
  members(options: CallOptions): Promise<{ clusterId: string; members: readonly MemberInfo[] }>
  status(endpoint: string, options: CallOptions): Promise<MemberStatus>
  alarms(options: CallOptions): Promise<readonly Alarm[]>
}

/** One cluster, seen through one account. */
export interface Etcd
  extends KvPort,
    TxnPort,
    GuardedWritePort,
    PermissionPort,
    LeasePort,
    WatchPort,
    NoticePort,
    ClusterPort {
  close(): void
}

export type EtcdErrorKind =
  | 'unavailable'
  | 'deadline'
  | 'no-quorum'
  | 'denied'
  | 'auth'
  | 'compacted'
  | 'future-revision'
  | 'too-large'
  /** Out of space: puts and grants fail, deletes, revokes and renewals work. */
  | 'no-space'
  | 'aborted'
  | 'other'

/** etcd's refusal or silence, with the endpoint and etcd's own words. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError'
  readonly kind: EtcdErrorKind
  readonly endpoint: string

  constructor(kind: EtcdErrorKind, message: string, endpoint: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.endpoint = endpoint
  }
}
