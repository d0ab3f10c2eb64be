/** Every election of every cluster in this tab, kept by the same reducer as the server's. Framework-free. */
import type { Frame } from '../../lib/election/changes.ts'
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { Replica } from './replica.ts'
import { ServerTime } from './server-time.ts'
import { isTooOld, provenAgoMs } from './silence.ts'

/** How this tab is connected to Tenure; how Tenure is connected to etcd is `Cluster.freshness`. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  /** Frames stopped; what is shown is as of `since`. */
  | { state: 'reconnecting'; since: Instant | null; reason: string }
  /** Not the present at all: what is shown is as it was at `at`, and stands still. */
  | { state: 'past'; at: Instant }
  /** The server runs a newer build than this page. */
  | { state: 'outdated'; since: Instant | null }

const WATCHDOG_MS = 500

type Listener = () => void

const keyOf = (cluster: string, ref: string) => `${cluster}\n${ref}`

export class LiveStore {
  readonly time: ServerTime
  connection: Connection = { state: 'connecting' }
  /** Rises with every painted change. */
  version = 0
  /** Rises when an election appears or goes. */
  structureVersion = 0

  protected readonly whenFed: Connection = { state: 'live' }
  private readonly replica = new Replica()
  private readonly listeners = new Set<Listener>()
  private readonly hearers = new Set<Listener>()
  private readonly byElection = new Map<string, Set<Listener>>()
  private readonly touched = new Set<string>()
  private lastFrameMs = performance.now()
  private lastFrameAt: Instant | null = null
  private provenMs = 0
  private painting = false
  private trouble = ''
  private outdated = false
  private watchdog: ReturnType<typeof setInterval> | undefined

  constructor(time = new ServerTime()) {
    this.time = time
  }

  get views(): ReadonlyMap<string, ClusterView> {
    return this.replica.views
  }

  start(): () => void {
    this.watchdog = setInterval(() => this.check(), WATCHDOG_MS)
    const onVisible = () => {
      this.check()
      this.schedulePaint()
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearInterval(this.watchdog)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }

  receive(frame: Frame): void {
    const { build } = this.replica
    const applied = this.replica.apply(frame)
    if (applied === null) return
    this.lastFrameMs = performance.now()
    this.lastFrameAt = frame.serverTime
    this.provenMs = provenAgoMs(
      [...this.views.values()].map(({ info }) => info),
      frame.serverTime,
    )
    this.trouble = ''
    const restarted = frame.type === 'snapshot' && frame.reason !== 'behind'
    if (restarted) this.time.reset(frame.serverTime, this.lastFrameMs)
    else this.time.observe(frame.serverTime, this.lastFrameMs)
    if (applied.structure) this.structureVersion += 1
    for (const key of applied.whole ? this.byElection.keys() : []) this.touched.add(key)
    for (const { cluster, ref } of applied.touched) this.touched.add(keyOf(cluster, ref))
    this.outdated ||= build !== '' && build !== this.replica.build
    this.setConnection(this.outdated ? { state: 'outdated', since: frame.serverTime } : this.whenFed)
    this.schedulePaint()
    for (const hear of this.hearers) hear()
  }

  /** The transport lost its stream; `reason` is shown as it is. */
  lost(reason: string): void {
    this.trouble = reason
    this.check()
  }

  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** With every frame, in a hidden tab too: for what is told where nothing is painted. */
  onFrame(listener: Listener): () => void {
    this.hearers.add(listener)
    return () => this.hearers.delete(listener)
  }

  subscribeElection(cluster: string, ref: ElectionRef, listener: Listener): () => void {
    const key = keyOf(cluster, ref)
    const set = this.byElection.get(key) ?? new Set()
    this.byElection.set(key, set.add(listener))
    return () => {
      set.delete(listener)
      if (set.size === 0) this.byElection.delete(key)
    }
  }

  protected check(): void {
    const silentMs = performance.now() - this.lastFrameMs
    if (this.connection.state === 'reconnecting' || !isTooOld(silentMs, this.provenMs)) return
    if (this.lastFrameAt === null && this.trouble === '') return
    const reason = this.trouble || `no word from the server for ${Math.floor(silentMs / 1_000)} s`
    this.setConnection({ state: 'reconnecting', since: this.lastFrameAt, reason })
  }

  private setConnection(next: Connection): void {
    const { connection } = this
    if (next.state === connection.state) return
    this.connection = next
    this.schedulePaint()
  }

  /** A hidden tab keeps its state and does not render. */
  private schedulePaint(): void {
    if (this.painting || document.visibilityState === 'hidden') return
    this.painting = true
    requestAnimationFrame(() => {
      this.painting = false
      this.version += 1
      const rows = [...this.touched].flatMap((key) => [...(this.byElection.get(key) ?? [])])
      this.touched.clear()
      for (const listener of [...this.listeners, ...rows]) listener()
    })
  }
}
