/** The rows of all elections, recomputed a few times a second at most and shared by everything on the page. */
import { instant } from '../../lib/shared/clock.ts'
import type { LiveStore } from '../live/live-store.ts'
import { frozenAt, seenFreshness } from './as-seen.ts'
import { type Row, rowsOf, type SeenView } from './list-model.ts'

const EVERY_MS = 250
const STRUCTURE_EVERY_MS = 100
const FRESH_MS = 1_200

export class RowsFeed {
  rows: readonly Row[] = []
  /** False until the first snapshot has come. */
  ready = false
  private readonly store: LiveStore
  private readonly listeners = new Set<() => void>()
  private readonly known = new Map<string, number>()
  private stop: (() => void) | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private computedMs = 0
  private structure = -1

  constructor(store: LiveStore) {
    this.store = store
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    if (this.stop === undefined) this.start()
    return () => {
      this.listeners.delete(listener)
      if (this.listeners.size > 0) return
      this.stop?.()
      this.stop = undefined
    }
  }

  /** The election appeared while this page was open, just now. */
  isFresh(id: string): boolean {
    return performance.now() - (this.known.get(id) ?? 0) < FRESH_MS
  }

  private start(): void {
    const unsubscribe = this.store.subscribe(() => this.schedule())
    const clock = setInterval(() => this.schedule(), 1_000)
    this.stop = () => {
      unsubscribe()
      clearInterval(clock)
      clearTimeout(this.timer)
      this.timer = undefined
    }
    this.compute()
  }

  private schedule(): void {
    if (this.timer !== undefined || document.visibilityState === 'hidden') return
    const everyMs = this.store.structureVersion === this.structure ? EVERY_MS : STRUCTURE_EVERY_MS
    const waitMs = this.computedMs + everyMs - performance.now()
    if (waitMs <= 0) this.compute()
    else {
      this.timer = setTimeout(() => {
        this.timer = undefined
        this.compute()
      }, waitMs)
    }
  }

  private compute(): void {
    const { store } = this
    this.computedMs = performance.now()
    this.structure = store.structureVersion
    if (store.views.size === 0) return
    const views: SeenView[] = [...store.views.values()].map((view) => ({
      view,
      freshness: seenFreshness(view.info, store.connection),
      frozenAt: frozenAt(view.info, store.connection),
    }))
    const rows = rowsOf(views, instant(store.time.nowMs()), this.structure)
    const same = rows.length === this.rows.length && rows.every((row, at) => row === this.rows[at])
    if (same && this.ready) return
    this.note(rows)
    this.rows = rows
    this.ready = true
    for (const listener of this.listeners) listener()
  }

  private note(rows: readonly Row[]): void {
    const now = this.ready ? performance.now() : Number.NEGATIVE_INFINITY
    for (const { id } of rows) if (!this.known.has(id)) this.known.set(id, now)
  }
}
