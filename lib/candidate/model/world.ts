/** Three candidates, a store, a bad network and everybody else who may touch a key. See `actions.ts`. */

import type { KeyValue, Op } from '../../election/ports.ts'
import type { Layout, LeaseId } from '../../election/types.ts'
import type { FakeClient } from '../../etcd/fake-client.ts'
import { FakeEtcd } from '../../etcd/fake-etcd.ts'
import type { StoreEvent } from '../../etcd/fake-store.ts'
import { randomOf, VirtualTime } from '../../etcd/virtual-time.ts'
import { fromLatin1, latin1, utf8 } from '../../shared/bytes.ts'
import type { CandidateOptions } from '../options.ts'
import { Contestant, type TermRecord, type Twist } from './contestant.ts'
import { RoughNetwork } from './rough-network.ts'
import { Rules } from './rules.ts'

export interface Plan {
  seed: number
  layout: Layout
  /** A deadline that leaves nothing but the margin before the TTL. */
  isTight: boolean
  /** The work asks for a proof at each moment; else it only listens, and the timers must be right. */
  isAsking: boolean
  twist?: Twist
}

export const TTL_MS = 3_000
const TIGHT = { renewEveryMs: 600, deadlineMs: 2_650 }
export const PREFIX = 'job/'
export const SWITCH = '/tenure/switch/'

export class World {
  readonly time: VirtualTime
  readonly network: RoughNetwork
  readonly etcd: FakeEtcd
  readonly contestants: readonly Contestant[]
  readonly rules: Rules
  readonly plan: Plan
  readonly deadlineMs: number
  /** When a switch that stops the election was written; null while none stands. */
  engagedSinceMs: number | null = null
  readonly engaged = new Set<string>()
  isMended = false
  epoch = 0
  /** The store was rolled back or the epoch cannot be read, and nobody has raised it since. */
  needsEpoch = false
  readonly random: () => number

  constructor(plan: Plan) {
    this.plan = plan
    this.random = randomOf(plan.seed)
    this.time = new VirtualTime(this.random)
    this.network = new RoughNetwork(this.random)
    this.etcd = new FakeEtcd(this.time)
    this.etcd.network = this.network
    this.etcd.store.expiryLagMs = Math.floor(this.random() * 500)
    this.etcd.onEvent = (event) => this.notice(event)
    const options = { ttlSeconds: TTL_MS / 1_000, layout: plan.layout, election: 'job', ...(plan.isTight ? TIGHT : {}) }
    this.deadlineMs = plan.isTight ? TIGHT.deadlineMs : (TTL_MS * 2) / 3
    this.contestants = ['a', 'b', 'c'].map((name) => this.contestant(name, options))
    this.rules = new Rules(this)
    this.time.afterEach = () => this.rules.check()
    this.put('/tenure/note', 'a dashboard is here')
    for (const each of this.contestants) this.within(each, () => each.start())
  }

  get prefix(): string {
    return this.plan.layout === 'queue' ? PREFIX : 'job'
  }

  /** In the process of this contestant, or once it is thawed. */
  within({ name, frozenSinceMs, untold }: Contestant, run: () => void): void {
    if (frozenSinceMs === null) this.time.after(0, name, run)
    else untold.push(run)
  }

  get handoffKey(): string {
    return `/tenure/handoff/${this.prefix}`
  }

  freeze(contestant: Contestant): void {
    contestant.frozenSinceMs ??= this.time.monoMs()
    this.time.freeze(contestant.name)
  }

  wake(contestant: Contestant): void {
    if (contestant.frozenSinceMs === null) return
    const frozenMs = this.time.monoMs() - contestant.frozenSinceMs
    contestant.frozenSinceMs = null
    this.time.thaw(contestant.name)
    this.rules.woke(contestant, frozenMs)
    for (const run of contestant.untold.splice(0)) this.within(contestant, run)
  }

  /** What passes by itself; nothing of the kind happens once the run is being brought to its end. */
  later(ms: number, run: () => void): void {
    this.time.after(ms, '', () => {
      if (!this.isMended) run()
    })
  }

  /** Somebody else's, which nobody renews. */
  lease(ttlSeconds: number): LeaseId {
    const { store } = this.etcd
    const { isOutOfSpace } = store
    store.isOutOfSpace = false
    const { lease } = store.grant(ttlSeconds)
    store.isOutOfSpace = isOutOfSpace
    return lease
  }

  clearForeigners(): void {
    const isOwn = (lease: LeaseId | null) => lease !== null && this.contestants.some(({ leases }) => leases.has(lease))
    for (const { key, lease } of this.seats()) if (!isOwn(lease)) this.remove(latin1(key))
  }

  isSeat(key: string): boolean {
    return this.plan.layout === 'queue' ? key.startsWith(PREFIX) : key === 'job'
  }

  seats(): KeyValue[] {
    const kvs = this.etcd.store.all().filter(({ key }) => this.isSeat(latin1(key)))
    return kvs.sort((a, b) => Number(BigInt(a.createRevision) - BigInt(b.createRevision)))
  }

  seatOf({ leases }: Contestant): KeyValue | undefined {
    return this.seats().find(({ lease }) => lease !== null && leases.has(lease))
  }

  put(key: string, value: string, lease: LeaseId | null = null): void {
    this.write({ type: 'put', key: fromLatin1(key), value: utf8(value), lease })
  }

  remove(key: string): void {
    this.write({ type: 'delete', key: fromLatin1(key) })
  }

  revoke(lease: LeaseId): void {
    try {
      this.etcd.store.revoke(lease, 'somebody')
    } catch {
      // It is gone already.
    }
  }

  restore(back: number): void {
    const { store } = this.etcd
    const revision = Math.max(2, store.at - back)
    if (revision === store.at) return
    this.etcd.restore(revision)
    this.needsEpoch = true
    this.engaged.clear()
    for (const { key, value } of store.all())
      if (latin1(key).startsWith(SWITCH) && !isReleased(value)) this.engaged.add(latin1(key))
    this.heldSince()
    this.rules.restored()
  }

  /** To be called when `engaged` has changed. */
  heldSince(): void {
    this.engagedSinceMs = this.engaged.size === 0 ? null : (this.engagedSinceMs ?? this.time.monoMs())
  }

  raiseEpoch(): void {
    this.epoch += 1
    this.needsEpoch = false
    const { at } = this.etcd.store
    const record = JSON.stringify({ v: 1, epoch: this.epoch, id: `e${this.epoch}`, highRevision: String(at) })
    this.put('/tenure/epoch', record)
  }

  /** Somebody else's write, which no lack of space stops. */
  private write(op: Op): void {
    const { store } = this.etcd
    const { isOutOfSpace } = store
    store.isOutOfSpace = false
    store.txn({ compare: [], success: [op] }, 'somebody')
    store.isOutOfSpace = isOutOfSpace
  }

  private contestant(name: string, candidate: Omit<CandidateOptions, 'etcd' | 'identity'>): Contestant {
    const client: FakeClient = this.etcd.client(name)
    const clock = { nowMs: () => this.time.monoMs(), monoMs: () => this.time.monoMs() }
    const twist = this.plan.twist ?? ((settings) => settings)
    const contestant = new Contestant(name, client, { candidate, clock, twist })
    contestant.onWork = (term: TermRecord) => this.rules.began(contestant, term)
    return contestant
  }

  private notice(event: StoreEvent): void {
    if (!this.isSeat(event.key)) return
    for (const { leases, leaseOf } of this.contestants)
      if (event.now?.lease && leases.has(event.now.lease)) leaseOf.set(event.now.createRevision, event.now.lease)
    this.rules.written(event)
  }
}

function isReleased(value: Uint8Array): boolean {
  const text = latin1(value)
  return text.startsWith('{"v":1,"state":"released"')
}
