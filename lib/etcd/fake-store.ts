/** etcd's state machine in memory: revisions, leases, transactions. No network: see `fake-etcd.ts`. */
import {
  type Compare,
  EtcdError,
  type Header,
  type KeyValue,
  type Op,
  type RangeRequest,
  type Txn,
  type TxnAnswer,
} from '../election/ports.ts'
import type { LeaseId, Revision } from '../election/types.ts'
import { latin1 } from '../shared/bytes.ts'
import { compareDecimal } from '../shared/decimal.ts'

/** What happened to one key; `by` is the client that wrote, null when a lease ended. */
export interface StoreEvent {
  key: string
  revision: number
  by: string | null
  /** null: deleted. */
  now: KeyValue | null
  was: KeyValue | null
}

interface Lease {
  ttlMs: number
  expiresMs: number
}

type Keys = ReadonlyMap<string, KeyValue>

const NO_LEASE = '0000000000000000'
const refuse = (kind: EtcdError['kind'], message: string): never => {
  throw new EtcdError(kind, `etcdserver: ${message}`, 'fake')
}

export class FakeStore {
  isOutOfSpace = false
  /** Told of each event when the revision it belongs to is complete. */
  onEvent: (event: StoreEvent) => void = () => {}
  /** Told when the leases have changed: their ends must be looked for anew. */
  onLeases: () => void = () => {}
  /** etcd looks for expired leases every half second, so a lease may live on a little. */
  expiryLagMs = 0
  private revision = 1
  private keys = new Map<string, KeyValue>()
  private leases = new Map<LeaseId, Lease>()
  private readonly kept = new Map<number, { keys: Keys; leases: ReadonlyMap<LeaseId, number> }>()
  private compacted = 0
  private lastLease = 0x7000
  private readonly nowMs: () => number

  constructor(nowMs: () => number) {
    this.nowMs = nowMs
    this.keep()
  }

  get header(): Header {
    return { clusterId: '1', memberId: '1', revision: String(this.revision) as Revision, raftTerm: '2' }
  }

  get at(): number {
    return this.revision
  }

  /** latin1 → key and value, in the order of the keys. */
  all(): readonly KeyValue[] {
    this.expire()
    return [...this.keys.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kv]) => kv)
  }

  get(key: string): KeyValue | undefined {
    this.expire()
    return this.keys.get(key)
  }

  range(request: RangeRequest): { kvs: readonly KeyValue[]; more: boolean } {
    this.expire()
    return this.find(this.keysAt(request.at), request)
  }

  txn({ compare, success, failure = [] }: Txn, by: string): TxnAnswer {
    this.expire()
    for (const branch of [success, failure]) refuseDuplicates(branch)
    const ops = [...success, ...failure]
    if (this.isOutOfSpace && ops.some((op) => op.type === 'put')) refuse('no-space', 'mvcc: database space exceeded')
    const succeeded = compare.every((each) => this.passes(each))
    const branch = succeeded ? success : failure
    for (const op of branch)
      if (op.type === 'put' && op.lease !== null && !this.leases.has(op.lease))
        refuse('other', 'requested lease not found')
    const ranges: (readonly KeyValue[])[] = []
    const events: StoreEvent[] = []
    for (const op of branch) {
      if (op.type === 'put') events.push(this.put(op, by))
      else if (op.type === 'delete') events.push(...this.remove(latin1(op.key), by))
      else ranges.push(this.find(this.keysAt(op.request.at), op.request).kvs)
    }
    this.commit(events)
    return { header: this.header, succeeded, ranges }
  }

  grant(ttlSeconds: number): { lease: LeaseId; grantedMs: number } {
    this.expire()
    if (this.isOutOfSpace) refuse('no-space', 'mvcc: database space exceeded')
    this.lastLease += 1
    const lease = this.lastLease.toString(16).padStart(16, '0') as LeaseId
    // Half as long again as an election of etcd's own takes, in whole seconds.
    const ttlMs = Math.max(2, ttlSeconds) * 1_000
    this.leases.set(lease, { ttlMs, expiresMs: this.nowMs() + ttlMs })
    this.onLeases()
    return { lease, grantedMs: ttlMs }
  }

  /** 0 when the lease is gone. */
  renew(id: LeaseId): number {
    this.expire()
    const lease = this.leases.get(id)
    if (lease === undefined) return 0
    lease.expiresMs = this.nowMs() + lease.ttlMs
    this.onLeases()
    return lease.ttlMs
  }

  revoke(lease: LeaseId, by: string | null): void {
    this.expire()
    if (!this.leases.has(lease)) refuse('other', 'requested lease not found')
    this.end(lease, by)
  }

  /** When the next lease ends; null when none will. */
  get nextExpiryMs(): number | null {
    const ends = [...this.leases.values()].map(({ expiresMs }) => expiresMs + this.expiryLagMs)
    return ends.length === 0 ? null : Math.min(...ends)
  }

  expire(): void {
    const now = this.nowMs()
    for (const [id, { expiresMs }] of this.leases) if (expiresMs + this.expiryLagMs <= now) this.end(id, null)
  }

  compact(revision: number): void {
    this.compacted = revision
  }

  /** As it was at an older revision, from a snapshot: its leases are back, each with its full time. */
  restore(revision: number): void {
    const then = this.kept.get(revision)
    if (then === undefined) throw new Error(`nothing is kept of revision ${revision}`)
    this.revision = revision
    this.keys = new Map(then.keys)
    this.leases = new Map([...then.leases].map(([id, ttlMs]) => [id, { ttlMs, expiresMs: this.nowMs() + ttlMs }]))
    for (const newer of [...this.kept.keys()]) if (newer > revision) this.kept.delete(newer)
    this.onLeases()
  }

  private keysAt(at: Revision | undefined): Keys {
    if (at === undefined || at === '0') return this.keys
    const revision = Number(at)
    if (revision > this.revision) refuse('future-revision', 'mvcc: required revision is a future revision')
    if (revision < this.compacted) refuse('compacted', 'mvcc: required revision has been compacted')
    return this.kept.get(revision)?.keys ?? this.keys
  }

  private find(keys: Keys, request: RangeRequest): { kvs: readonly KeyValue[]; more: boolean } {
    const { limit, order, createdBefore } = request
    let found = within(keys, request.key, request.end)
    if (createdBefore !== undefined)
      found = found.filter(({ createRevision }) => compareDecimal(createRevision, createdBefore) < 0)
    if (order !== undefined) found.sort((a, b) => compareDecimal(a.createRevision, b.createRevision))
    if (order === 'newest-first') found.reverse()
    const more = limit !== undefined && found.length > limit
    return { kvs: more ? found.slice(0, limit) : found, more }
  }

  private passes({ key, end, field, is, to }: Compare): boolean {
    const found = within(this.keys, key, end)
    const values = found.length > 0 ? found.map((kv) => fieldOf(kv, field)) : [fieldOf(undefined, field)]
    const against = field === 'lease' ? BigInt(`0x${to}`) : BigInt(to)
    return values.every((value) =>
      is === 'equal' ? value === against : is === 'less' ? value < against : value > against,
    )
  }

  private put({ key, value, lease }: Extract<Op, { type: 'put' }>, by: string): StoreEvent {
    const name = latin1(key)
    const was = this.keys.get(name) ?? null
    const modRevision = String(this.revision + 1) as Revision
    const now: KeyValue = { key, value, lease, createRevision: was?.createRevision ?? modRevision, modRevision }
    this.keys.set(name, now)
    return { key: name, revision: this.revision + 1, by, now, was }
  }

  private remove(key: string, by: string | null): StoreEvent[] {
    const was = this.keys.get(key)
    if (was === undefined) return []
    this.keys.delete(key)
    return [{ key, revision: this.revision + 1, by, now: null, was }]
  }

  private end(lease: LeaseId, by: string | null): void {
    this.leases.delete(lease)
    const attached = [...this.keys].filter(([, kv]) => kv.lease === lease)
    this.commit(attached.flatMap(([key]) => this.remove(key, by)))
    this.onLeases()
  }

  private commit(events: readonly StoreEvent[]): void {
    if (events.length === 0) return
    this.revision += 1
    this.keep()
    for (const event of events) this.onEvent(event)
  }

  private keep(): void {
    const leases = new Map([...this.leases].map(([id, { ttlMs }]) => [id, ttlMs]))
    this.kept.set(this.revision, { keys: new Map(this.keys), leases })
  }
}

function within(keys: Keys, key: Uint8Array, end: Uint8Array | undefined): KeyValue[] {
  const first = latin1(key)
  if (end === undefined) {
    const kv = keys.get(first)
    return kv === undefined ? [] : [kv]
  }
  const last = latin1(end)
  const isIn = (name: string) => name >= first && (last === '\u0000' || name < last)
  return [...keys]
    .filter(([name]) => isIn(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, kv]) => kv)
}

function fieldOf(kv: KeyValue | undefined, field: Compare['field']): bigint {
  if (field === 'create') return BigInt(kv?.createRevision ?? 0)
  if (field === 'mod') return BigInt(kv?.modRevision ?? 0)
  return BigInt(`0x${kv?.lease ?? NO_LEASE}`)
}

/** etcd looks at both branches, whichever is taken; only a key that is put must appear once. */
function refuseDuplicates(ops: readonly Op[]): void {
  const names = (type: Op['type']) =>
    ops.flatMap((op) => (op.type === type && op.type !== 'range' ? [latin1(op.key)] : []))
  const puts = names('put')
  if (new Set(puts).size < puts.length || names('delete').some((name) => puts.includes(name)))
    refuse('other', 'duplicate key given in txn request')
}
