/** One process's client of the fake etcd. */
import {
  type CallOptions,
  EtcdError,
  type KeySpan,
  type KvPort,
  type LeasePort,
  type Notice,
  type NoticePort,
  type RangeAnswer,
  type RangeRequest,
  type Txn,
  type TxnAnswer,
  type TxnPort,
} from '../election/ports.ts'
import type { LeaseId, Revision } from '../election/types.ts'
import { latin1 } from '../shared/bytes.ts'
import type { FakeEtcd } from './fake-etcd.ts'
import type { Fate } from './fake-network.ts'
import type { StoreEvent } from './fake-store.ts'

/** As `lib/etcd/notices.ts`: a stream that has not answered for so long is given up. */
const SILENT_MS = 3_000

interface Ear {
  span: KeySpan
  from: Revision
  listener: (notice: Notice) => void
  isPending: boolean
}

export class FakeClient implements KvPort, TxnPort, NoticePort, Pick<LeasePort, 'grant' | 'renew' | 'revoke'> {
  readonly endpoints = ['fake']
  readonly name: string
  private readonly etcd: FakeEtcd
  private readonly ears = new Set<Ear>()
  private readonly parked: (() => void)[] = []
  private isCut = false
  private isClosed = false

  constructor(etcd: FakeEtcd, name: string) {
    this.etcd = etcd
    this.name = name
  }

  /** How many notices are asked for. */
  get listening(): number {
    return this.ears.size
  }

  range(request: RangeRequest, options: CallOptions): Promise<RangeAnswer> {
    const { store } = this.etcd
    return this.call(options, () => ({ ...store.range(request), header: store.header, endpoint: 'fake' }))
  }

  txn(txn: Txn, options: CallOptions): Promise<TxnAnswer> {
    return this.call(options, () => this.etcd.store.txn(txn, this.name))
  }

  grant(ttlSeconds: number, options: CallOptions): Promise<{ lease: LeaseId; grantedMs: number }> {
    return this.call(options, () => this.etcd.store.grant(ttlSeconds))
  }

  renew(lease: LeaseId, options: CallOptions): Promise<number> {
    return this.call(options, () => this.etcd.store.renew(lease))
  }

  revoke(lease: LeaseId, options: CallOptions): Promise<void> {
    return this.call(options, () => this.etcd.store.revoke(lease, this.name))
  }

  notice(span: KeySpan, from: Revision, listener: (notice: Notice) => void): () => void {
    const ear: Ear = { span, from, listener, isPending: false }
    this.ears.add(ear)
    if (this.isCut) this.loseLater(ear)
    else this.catchUp(ear)
    return () => this.ears.delete(ear)
  }

  close(): void {
    this.isClosed = true
    this.loseNotices()
  }

  cut(): void {
    this.isCut = true
    for (const ear of this.ears) this.loseLater(ear)
  }

  heal(): void {
    this.isCut = false
    for (const pass of this.parked.splice(0)) pass()
    for (const ear of this.ears) {
      if (!ear.isPending) continue
      ear.isPending = false
      this.tell(ear)
    }
  }

  loseNotices(): void {
    for (const ear of this.ears) this.end(ear, 0)
  }

  hear({ key, revision }: StoreEvent): void {
    for (const ear of this.ears) if (revision >= Number(ear.from) && covers(ear.span, key)) this.tell(ear)
  }

  private call<T>({ deadlineMs, signal }: CallOptions, apply: () => T): Promise<T> {
    const aborted = () => new EtcdError('aborted', 'the call was given up', 'fake')
    if (this.isClosed || signal?.aborted) return Promise.reject(aborted())
    const fate = this.etcd.network.call(this.name)
    if (fate === null && !this.isCut) return Promise.resolve().then(apply)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const late = () => reject(new EtcdError('deadline', `no answer within ${deadlineMs} ms`, 'fake'))
    const cancel = this.after(deadlineMs, late)
    const settle = (how: () => void) => {
      cancel()
      how()
    }
    signal?.addEventListener('abort', () => settle(() => reject(aborted())), { once: true })
    this.send(fate ?? { requestMs: 0, answerMs: 0 }, apply, (outcome) =>
      settle(() => ('value' in outcome ? resolve(outcome.value) : reject(outcome.error))),
    )
    return promise
  }

  private send<T>(fate: Fate, apply: () => T, answer: (outcome: { value: T } | { error: unknown }) => void): void {
    const { timeline, incarnation } = this.etcd
    const pass = (run: () => void) => this.etcd.incarnation === incarnation && this.pass(run)
    const reply = (outcome: { value: T } | { error: unknown }) => {
      if (fate.lost !== 'answer') this.after(fate.answerMs, () => pass(() => answer(outcome)))
    }
    const reach = (isAnswered: boolean) => {
      const outcome = attempt(fate, apply)
      if (isAnswered) reply(outcome)
    }
    const isAgain = fate.againMs !== undefined
    const request = (ms: number, isAnswered: boolean) => timeline.after(ms, '', () => pass(() => reach(isAnswered)))
    if (fate.lost !== 'request') request(fate.requestMs, !isAgain)
    if (fate.againMs !== undefined) request(fate.requestMs + fate.againMs, true)
  }

  /** Through the wire, if it holds. */
  private pass(run: () => void): void {
    if (!this.isCut) run()
    else if (this.etcd.network.keepsParked()) this.parked.push(run)
  }

  private catchUp(ear: Ear): void {
    if (this.etcd.changesSince(ear.from).some(({ key }) => covers(ear.span, key))) this.tell(ear)
  }

  private tell(ear: Ear): void {
    const fate = this.isCut ? null : this.etcd.network.notice(this.name)
    // One that is on its way tells of this change as well.
    if (ear.isPending && (fate === null || fate.isJoined)) return
    ear.isPending = true
    if (this.isCut) return
    if (fate?.isLost) {
      this.end(ear, fate.delayMs)
      return
    }
    const ring = () => {
      if (this.isCut || !this.ears.has(ear)) return
      ear.isPending = false
      ear.listener('changed')
    }
    if (fate === null) queueMicrotask(ring)
    else this.after(fate.delayMs, ring)
    if (fate?.isDoubled) this.after(fate.delayMs * 2, ring)
  }

  private loseLater(ear: Ear): void {
    this.after(SILENT_MS, () => this.isCut && this.end(ear, 0))
  }

  private end(ear: Ear, delayMs: number): void {
    this.after(delayMs, () => this.ears.delete(ear) && ear.listener('lost'))
  }

  /** In the client's own process: not while it is frozen. */
  private after(ms: number, run: () => void): () => void {
    return this.etcd.timeline.after(ms, this.name, run)
  }
}

function attempt<T>(fate: Fate, apply: () => T): { value: T } | { error: unknown } {
  if (fate.refused) return { error: new EtcdError(fate.refused, 'refused by the network', 'fake') }
  try {
    return { value: apply() }
  } catch (error) {
    return { error }
  }
}

function covers({ key, end }: KeySpan, name: string): boolean {
  const last = latin1(end)
  return name >= latin1(key) && (last === '\u0000' || name < last)
}
