/**
 * Hours of changes of leader as they were read: what is over rarely changes, and a page of 30 days is asked for
 * again and again. An hour is forgotten when anything of it is written.
 */
import type { Transition } from '../../lib/election/transitions.ts'
import type { Database } from './database.ts'

const BLOCK_MS = 3_600_000
/** Some 60 MB; 30 days with 200,000 changes of leader fit twice. */
const MOST_ROWS = 400_000

/** Half-open, aligned to hours. */
export const blockAt = (atMs: number) => Math.floor(atMs / BLOCK_MS) * BLOCK_MS
export const blockEnd = (fromMs: number) => blockAt(fromMs) + BLOCK_MS

export class TransitionCache {
  private readonly blocks = new Map<string, readonly Transition[]>()
  private readonly most: number
  private rows = 0

  constructor(most = MOST_ROWS) {
    this.most = most
  }

  get(cluster: bigint, fromMs: number): readonly Transition[] | undefined {
    return this.blocks.get(keyOf(cluster, fromMs))
  }

  /** Only what was read in one go: a write in between must not be missed. The oldest to be kept go first. */
  put(cluster: bigint, fromMs: number, transitions: readonly Transition[]): void {
    const key = keyOf(cluster, fromMs)
    this.drop(key)
    this.blocks.set(key, transitions)
    this.rows += transitions.length
    for (const oldest of this.blocks.keys()) {
      if (this.rows <= this.most) return
      this.drop(oldest)
    }
  }

  forget(cluster: bigint, atMs: number): void {
    this.drop(keyOf(cluster, blockAt(atMs)))
  }

  private drop(key: string): void {
    this.rows -= this.blocks.get(key)?.length ?? 0
    this.blocks.delete(key)
  }
}

const keyOf = (cluster: bigint, fromMs: number) => `${cluster} ${fromMs}`

const caches = new WeakMap<Database, TransitionCache>()

/** One for each open database: nobody else writes to it. */
export function cacheOf(database: Database): TransitionCache {
  const cache = caches.get(database) ?? new TransitionCache()
  caches.set(database, cache)
  return cache
}
