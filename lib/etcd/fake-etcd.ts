/**
 * A fake of the etcd that candidates use, with a network between that a test bends: requests and answers come
 * late, twice, in another order or never, notices are delayed, joined, doubled or replaced by `lost`.
 */
import type { Revision } from '../election/types.ts'
import { FakeClient } from './fake-client.ts'
import { calmNetwork, type Network } from './fake-network.ts'
import { FakeStore, type StoreEvent } from './fake-store.ts'
import type { Timeline } from './virtual-time.ts'

export class FakeEtcd {
  readonly store: FakeStore
  readonly timeline: Timeline
  network: Network = calmNetwork
  private readonly clients = new Map<string, FakeClient>()
  private history: StoreEvent[] = []
  /** Counts restores: what was on its way to or from a member that was restored never arrives. */
  incarnation = 0
  private cancelExpiry = () => {}

  constructor(timeline: Timeline) {
    this.timeline = timeline
    this.store = new FakeStore(() => timeline.monoMs())
    this.store.onEvent = (event) => this.tell(event)
    this.store.onLeases = () => this.awaitExpiry()
  }

  /** One process's client; the same one for the same name. */
  client(name: string): FakeClient {
    const known = this.clients.get(name) ?? new FakeClient(this, name)
    this.clients.set(name, known)
    return known
  }

  /** Nothing reaches the client or leaves it until it is healed. */
  partition(name: string): void {
    this.client(name).cut()
  }

  heal(name: string): void {
    this.client(name).heal()
  }

  /** The store goes back to an older revision; a restored member is another process, so every stream ends. */
  restore(revision: number): void {
    this.store.restore(revision)
    this.incarnation += 1
    this.history = this.history.filter((event) => event.revision <= revision)
    for (const client of this.clients.values()) client.loseNotices()
  }

  /** Also told of each event, before any client hears of it. */
  onEvent: (event: StoreEvent) => void = () => {}

  changesSince(from: Revision): readonly StoreEvent[] {
    return this.history.filter(({ revision }) => revision >= Number(from))
  }

  private tell(event: StoreEvent): void {
    this.history.push(event)
    this.onEvent(event)
    for (const client of this.clients.values()) client.hear(event)
  }

  private awaitExpiry(): void {
    this.cancelExpiry()
    const atMs = this.store.nextExpiryMs
    if (atMs === null) return
    this.cancelExpiry = this.timeline.after(atMs - this.timeline.monoMs(), '', () => {
      this.store.expire()
      this.awaitExpiry()
    })
  }
}
