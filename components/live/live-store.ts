/** Every election of every cluster in this tab, kept by the same reducer as the server's. Framework-free. */
import type { Change, Frame } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import { ServerTime } from './server-time.ts'

/** How this tab is connected to Tenure; how Tenure is connected to etcd is `Cluster.freshness`. */
export type Connection =
  | { state: 'connecting' }
  | { state: 'live' }
  /** Frames stopped; what is shown is as of `since`. */
  | { state: 'reconnecting'; since: Instant | null; reason: string }
  /** The server runs a newer build than this page. */
  | { state: 'outdated'; since: Instant | null }

const SILENT_AFTER_MS = 3_000
const WATCHDOG_MS = 500

type Listener = () => void

const keyOf = (cluster: string, ref: string) => `${cluster}\n${ref}`

export class LiveStore {
  readonly views = new Map<string, ClusterView>()
  readonly time = new ServerTime()
  connection: Connection = { state: 'connecting' }
  /** Rises with every painted change. */
  version = 0
  /** Rises when an election appears or goes. */
  structureVersion = 0

  private readonly listeners = new Set<Listener>()
  private readonly byElection = new Map<string, Set<Listener>>()
  private readonly touched = new Set<string>()
  private lastId = ''
  private build = ''
  private lastFrameMs = 0
  private lastFrameAt: Instant | null = null
  private painting = false
  private trouble = ''
  private watchdog: ReturnType<typeof setInterval> | undefined

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
    if (!this.isNewer(frame)) return
    this.lastId = frame.id
    this.lastFrameMs = performance.now()
    this.lastFrameAt = frame.serverTime
    this.time.observe(frame.serverTime, this.lastFrameMs)
    this.trouble = ''
    if (frame.type === 'snapshot') this.replace(frame)
    else if (frame.type === 'change') for (const change of frame.changes) this.apply(change)
    else for (const info of frame.clusters) this.apply({ type: 'cluster', cluster: info.name, info })
    this.setConnection(this.connection.state === 'outdated' ? this.connection : { state: 'live' })
    this.schedulePaint()
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

  subscribeElection(cluster: string, ref: ElectionRef, listener: Listener): () => void {
    const key = keyOf(cluster, ref)
    const set = this.byElection.get(key) ?? new Set()
    this.byElection.set(key, set.add(listener))
    return () => {
      set.delete(listener)
      if (set.size === 0) this.byElection.delete(key)
    }
  }

  /** Frames of one boot come in order; a late one never overwrites a newer one. */
  private isNewer(frame: Frame): boolean {
    const [boot = '', sequence = ''] = frame.id.split('-')
    const [lastBoot = '', lastSequence = ''] = this.lastId.split('-')
    return boot !== lastBoot || Number(sequence) > Number(lastSequence)
  }

  private replace(frame: Extract<Frame, { type: 'snapshot' }>): void {
    if (this.build !== '' && this.build !== frame.build)
      this.connection = { state: 'outdated', since: frame.serverTime }
    this.build = frame.build
    if (frame.reason !== 'behind') this.time.reset(frame.serverTime, this.lastFrameMs)
    this.views.clear()
    for (const { info, elections } of frame.clusters) this.views.set(info.name, new ClusterView(info, elections))
    for (const key of this.byElection.keys()) this.touched.add(key)
    this.structureVersion += 1
  }

  private apply(change: Change): void {
    const view = this.views.get(change.cluster)
    if (view === undefined) return
    const before = view.elections.size
    view.apply(change)
    if (view.elections.size !== before) this.structureVersion += 1
    if (change.type !== 'cluster') this.touched.add(keyOf(change.cluster, change.ref))
  }

  private check(): void {
    const silentMs = performance.now() - this.lastFrameMs
    if (this.connection.state === 'outdated' || silentMs <= SILENT_AFTER_MS) return
    if (this.connection.state === 'connecting' && this.trouble === '') return
    const reason = this.trouble || `no word from the server for ${Math.round(silentMs / 1000)} s`
    this.setConnection({ state: 'reconnecting', since: this.lastFrameAt, reason })
  }

  private setConnection(next: Connection): void {
    const same = JSON.stringify(next) === JSON.stringify(this.connection)
    if (same) return
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

/** Time as the server has it: see `ServerTime`. */
export function serverNow(store: LiveStore): Instant {
  return instant(store.time.nowMs())
}
