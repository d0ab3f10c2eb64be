/** Changes in, frames out: the first change after quiet at once, then at most 60 frames a second. */
import type { Change, Frame, FrameReason } from '../../lib/election/changes.ts'
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'

const FASTEST_MS = 1000 / 60
/** A process sends about this many frames a second to all viewers together. */
const FRAMES_PER_S = 3_000
const HEARTBEAT_MS = 1_000
/** A viewer further behind than this gets a snapshot instead. */
const MOST_QUEUED = 256
const MOST_KEPT = 512
const MOST_KEPT_CHANGES = 4_096

interface Viewer {
  queue: Frame[]
  behind: boolean
  wake: () => void
}

const weightOf = (frame: Frame) => (frame.type === 'change' ? frame.changes.length : 1)

export class Hub {
  private readonly clock: Clock
  private readonly bootId: string
  private readonly build: string
  private readonly views = new Map<string, ClusterView>()
  private readonly refreshers: (() => void)[] = []
  private readonly viewers = new Set<Viewer>()
  private readonly kept: Frame[] = []
  private keptChanges = 0
  private stopped = false
  private sequence = 0
  private pending: Change[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private lastFrameMs = Number.NEGATIVE_INFINITY
  private readonly beat: ReturnType<typeof setInterval>

  constructor(options: { clock: Clock; bootId: string; build: string }) {
    this.clock = options.clock
    this.bootId = options.bootId
    this.build = options.build
    this.beat = setInterval(() => this.heartbeat(), HEARTBEAT_MS)
  }

  add(view: ClusterView): void {
    this.views.set(view.info.name, view)
  }

  /**
   * Runs before the state of a cluster is sent: a process that was stopped for a while must not begin
   * by telling what was true before.
   */
  beforeTelling(refresh: () => void): void {
    this.refreshers.push(refresh)
  }

  get viewerCount(): number {
    return this.viewers.size
  }

  push(changes: readonly Change[]): void {
    if (changes.length === 0) return
    for (const change of changes) this.pending.push(change)
    if (this.timer !== undefined) return
    const everyMs = Math.max(FASTEST_MS, (1000 * this.viewers.size) / FRAMES_PER_S)
    const waitMs = Math.max(0, this.lastFrameMs + everyMs - this.clock.monoMs())
    this.timer = setTimeout(() => this.flush(), waitMs)
  }

  /**
   * Frames from now on, after what `lastId` has missed, or after a snapshot. Ends when `signal` aborts.
   * The viewer is registered before the snapshot is taken, so that nothing falls between them.
   */
  async *frames(lastId: string | undefined, signal: AbortSignal): AsyncGenerator<Frame> {
    this.flush()
    const viewer: Viewer = { queue: [], behind: false, wake: () => {} }
    const onAbort = () => viewer.wake()
    this.viewers.add(viewer)
    signal.addEventListener('abort', onAbort)
    try {
      const missed = this.since(lastId)
      if (missed === null) yield this.snapshot(lastId ? 'unknown-id' : 'first')
      else yield* missed
      while (!signal.aborted && !this.stopped) {
        if (viewer.behind) {
          viewer.queue.length = 0
          viewer.behind = false
          this.flush()
          viewer.queue.length = 0
          yield this.snapshot('behind')
        }
        const frame = viewer.queue.shift()
        if (frame !== undefined) yield frame
        else {
          await new Promise<void>((resolve) => {
            viewer.wake = resolve
          })
        }
      }
    } finally {
      this.viewers.delete(viewer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  stop(): void {
    this.stopped = true
    clearInterval(this.beat)
    clearTimeout(this.timer)
    for (const viewer of this.viewers) viewer.wake()
  }

  private snapshot(reason: FrameReason): Frame {
    this.refresh()
    const clusters = [...this.views.values()].map((view) => ({
      info: view.info,
      elections: [...view.elections.values()],
    }))
    return { id: this.id(), type: 'snapshot', serverTime: this.now(), reason, build: this.build, clusters }
  }

  /** Kept frames after `lastId`; null when it is not of this boot or too old. */
  private since(lastId: string | undefined): Frame[] | null {
    if (lastId === undefined) return null
    if (lastId === this.id()) return []
    const at = this.kept.findIndex(({ id }) => id === lastId)
    return at < 0 ? null : this.kept.slice(at + 1)
  }

  private refresh(): void {
    for (const refresh of this.refreshers) refresh()
  }

  private heartbeat(): void {
    this.refresh()
    this.flush()
    this.send({
      id: this.nextId(),
      type: 'heartbeat',
      serverTime: this.now(),
      clusters: [...this.views.values()].map(({ info }) => info),
    })
  }

  private flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.pending.length === 0) return
    const changes = this.pending
    this.pending = []
    this.lastFrameMs = this.clock.monoMs()
    this.send({ id: this.nextId(), type: 'change', serverTime: this.now(), changes })
  }

  private send(frame: Frame): void {
    this.keep(frame)
    for (const viewer of this.viewers) {
      if (viewer.queue.length >= MOST_QUEUED) viewer.behind = true
      else viewer.queue.push(frame)
      viewer.wake()
    }
  }

  /** Frames a returning viewer can go on from; after a flood it takes a snapshot instead. */
  private keep(frame: Frame): void {
    this.kept.push(frame)
    this.keptChanges += weightOf(frame)
    while (this.kept.length > MOST_KEPT || this.keptChanges > MOST_KEPT_CHANGES) {
      const dropped = this.kept.shift()
      if (dropped === undefined) return
      this.keptChanges -= weightOf(dropped)
    }
  }

  private now() {
    return instant(this.clock.nowMs())
  }

  private id(): string {
    return `${this.bootId}-${this.sequence}`
  }

  private nextId(): string {
    this.sequence += 1
    return this.id()
  }
}
