/**
 * Time that passes only when told, for tests: every task has an owner that can be frozen, as SIGSTOP freezes a
 * process. The clock goes on meanwhile, and what fell due is run in any order once the owner is thawed.
 */

import { AsyncLocalStorage } from 'node:async_hooks'

/** What a fake needs of time. `owner` names the process in which `run` happens; '' is nobody's. */
export interface Timeline {
  monoMs(): number
  /** Answers a cancel. */
  after(ms: number, owner: string, run: () => void): () => void
}

export const systemTimeline: Timeline = {
  monoMs: () => performance.now(),
  after: (ms, _owner, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

interface Task {
  atMs: number
  nth: number
  owner: string
  run: () => void
}

const realSetImmediate = setImmediate

/** After everything that follows from the last task without another one, such as continuations of promises. */
const quiet = () => new Promise<void>((resolve) => realSetImmediate(resolve))

/** Deterministic by its seed (mulberry32); in [0, 1). */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export class VirtualTime implements Timeline {
  /** Called when nothing more follows from a task. */
  afterEach: () => void = () => {}
  private nowMs = 1_000
  private nextNth = 0
  private readonly owners = new AsyncLocalStorage<string>()
  private tasks: Task[] = []
  private readonly frozen = new Set<string>()
  private readonly random: () => number

  constructor(random: () => number = randomOf(1)) {
    this.random = random
  }

  monoMs(): number {
    return this.nowMs
  }

  after(ms: number, owner: string, run: () => void): () => void {
    const task: Task = { atMs: this.nowMs + Math.max(0, ms), nth: this.nextNth, owner, run }
    this.nextNth += 1
    this.tasks.push(task)
    return () => this.drop(task)
  }

  /** Everything that `run` starts belongs to this owner. */
  as<T>(owner: string, run: () => T): T {
    return this.owners.run(owner, run)
  }

  /** Stand in for the globals: a timer belongs to the owner in whose course it was set. */
  readonly setTimeout = (run: () => void, ms = 0) => {
    const cancel = this.after(ms, this.owners.getStore() ?? '', run)
    return { cancel, unref: () => {}, ref: () => {} }
  }

  readonly clearTimeout = (timer: { cancel(): void } | undefined): void => timer?.cancel()

  freeze(owner: string): void {
    this.frozen.add(owner)
  }

  thaw(owner: string): void {
    this.frozen.delete(owner)
    for (const task of this.tasks) {
      if (task.owner !== owner || task.atMs > this.nowMs) continue
      task.atMs = this.nowMs
      task.nth = this.nextNth + this.random() * 1_000
    }
    this.nextNth += 1_000
  }

  isFrozen(owner: string): boolean {
    return this.frozen.has(owner)
  }

  /** Tasks that still wait, by owner. */
  waiting(owner: string): number {
    return this.tasks.filter((task) => task.owner === owner).length
  }

  async run(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms
    // What the caller has begun may still be about to set its timers.
    await quiet()
    for (let task = this.due(untilMs); task !== null; task = this.due(untilMs)) {
      this.nowMs = Math.max(this.nowMs, task.atMs)
      this.drop(task)
      this.as(task.owner, task.run)
      await quiet()
      this.afterEach()
    }
    this.nowMs = untilMs
    await quiet()
    this.afterEach()
  }

  private due(untilMs: number): Task | null {
    let next: Task | null = null
    for (const task of this.tasks) {
      if (task.atMs > untilMs || this.frozen.has(task.owner)) continue
      if (next === null || task.atMs < next.atMs || (task.atMs === next.atMs && task.nth < next.nth)) next = task
    }
    return next
  }

  private drop(task: Task): void {
    const at = this.tasks.indexOf(task)
    if (at >= 0) this.tasks.splice(at, 1)
  }
}
