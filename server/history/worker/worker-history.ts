/**
 * History on a thread of its own. What is told waits here, bounded, until the worker has taken what it was
 * sent before; a worker that dies is started again, and the time in between is told as a gap.
 */
import { Worker } from 'node:worker_threads'
import { backoffMs } from '../../../lib/shared/abort.ts'
import { type Clock, instant, systemClock } from '../../../lib/shared/clock.ts'
import { Buffer } from '../buffer.ts'
import { messageOf } from '../failures.ts'
import { type History, type HistoryState, HistoryUnavailable, InvalidCursor } from '../history.ts'
import type { Log } from '../writer.ts'
import {
  ASKS,
  type Ask,
  type Call,
  type FromWorker,
  TELLS,
  type Tell,
  type ToWorker,
  type WorkerOptions,
} from './protocol.ts'

export interface WorkerHistoryOptions extends WorkerOptions {
  clock?: Clock
  log?: Log
  /** Changes kept here while the worker does not take them. */
  maxWaiting?: number
}

/** A History that can be told to lose its thread, for tests of that. */
export interface WorkerHistory extends History {
  readonly thread: Worker | null
}

const SEND_EVERY_MS = 20
const BATCHES_UNDER_WAY = 4
const CLOSE_WITHIN_MS = 3_000
/** Long enough to be seen by who looks twice a second: what was lost is recorded anew then. */
const FIRST_RESTART_MS = 1_500
const silent: Log = { info: () => {}, warn: () => {} }

export function openWorkerHistory(options: WorkerHistoryOptions): WorkerHistory {
  const thread = new HistoryThread(options)
  const tells = Object.fromEntries(TELLS.map((method) => [method, (...args: unknown[]) => thread.tell(method, args)]))
  const asks = Object.fromEntries(ASKS.map((method) => [method, (...args: unknown[]) => thread.ask(method, args)]))
  return {
    ...(tells as unknown as Pick<History, Tell>),
    ...(asks as unknown as Pick<History, Ask>),
    flush: async () => {
      await thread.ask('flush', []).catch(() => {})
      return thread.state()
    },
    state: () => thread.state(),
    close: () => thread.close(),
    get thread() {
      return thread.worker
    },
  }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

class HistoryThread {
  worker: Worker | null = null
  private readonly options: WorkerHistoryOptions
  private readonly clock: Clock
  private readonly log: Log
  private readonly calls: Buffer<Call>
  private readonly asked = new Map<number, Waiting>()
  /** Clusters that were written to: each gets a gap when the thread dies. */
  private readonly clusters = new Set<string>()
  private known: HistoryState = { ok: true }
  private underWay = 0
  private nextId = 1
  private deaths = 0
  private tookMs: number
  private timer: NodeJS.Timeout | null = null
  private phase: 'open' | 'closing' | 'closed' = 'open'

  constructor(options: WorkerHistoryOptions) {
    this.options = options
    this.clock = options.clock ?? systemClock
    this.log = options.log ?? silent
    this.calls = new Buffer(options.maxWaiting ?? 100_000)
    this.tookMs = this.clock.nowMs()
    this.start()
  }

  tell(method: Tell, args: readonly unknown[]): void {
    if (this.phase !== 'open') return
    const [first] = args
    const cluster = typeof first === 'string' ? first : (first as { cluster: string }).cluster
    const rows = method === 'record' ? rowsOf(args as Parameters<History['record']>) : 1
    if (method !== 'sample') this.clusters.add(cluster)
    const atMs = this.clock.nowMs()
    this.calls.push({ cluster, atMs, rows, work: { atMs, method, args } })
    this.timer ??= setTimeout(() => this.sendDue(), SEND_EVERY_MS).unref()
  }

  ask(method: Ask | 'flush' | 'close', args: readonly unknown[]): Promise<unknown> {
    if (this.phase === 'closed' || this.worker === null) {
      const why = this.known.ok ? 'history is closed' : this.known.error
      return Promise.reject(new HistoryUnavailable(why))
    }
    this.send()
    const id = this.nextId
    this.nextId += 1
    return new Promise((resolve, reject) => {
      // Whoever waits for an answer keeps the process alive; nothing else here does.
      this.worker?.ref()
      this.asked.set(id, { resolve, reject })
      this.post({ type: 'asked', nowMs: this.clock.nowMs(), id, method, args })
    })
  }

  state(): HistoryState {
    if (this.known.ok) return this.known
    const here = [...this.calls.dropped.values()].reduce((sum, { count }) => sum + count, 0)
    return { ...this.known, dropped: this.known.dropped + here }
  }

  async close(): Promise<void> {
    if (this.phase !== 'open') return
    this.phase = 'closing'
    const late = new Promise((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref())
    await Promise.race([this.ask('close', []).catch(() => {}), late])
    this.phase = 'closed'
    if (this.timer !== null) clearTimeout(this.timer)
    this.rejectAll('history is closed')
    await this.worker?.terminate()
    this.worker = null
  }

  private start(): void {
    const { file, maxFactRows, maxSamples } = this.options
    const workerData = {
      file,
      nowMs: this.clock.nowMs(),
      ...(maxFactRows === undefined ? {} : { maxFactRows }),
      ...(maxSamples === undefined ? {} : { maxSamples }),
    }
    const worker = new Worker(new URL('./history-worker.ts', import.meta.url), { workerData, name: 'history' })
    this.worker = worker
    this.underWay = 0
    let why = 'it ended'
    worker.on('message', (message: FromWorker) => this.heard(message))
    worker.on('error', (error) => {
      why = messageOf(error)
    })
    worker.on('exit', () => this.died(worker, why))
    worker.unref()
  }

  private heard(message: FromWorker): void {
    switch (message.type) {
      case 'took':
        this.underWay -= 1
        this.tookMs = this.clock.nowMs()
        this.deaths = 0
        break
      case 'state':
        this.known = message.state
        break
      case 'log':
        this.log[message.level](message.fields, message.message)
        break
      case 'answered':
        this.settle(message.id)?.resolve(message.value)
        break
      case 'failed':
        this.settle(message.id)?.reject(errorOf(message))
        break
    }
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.asked.get(id)
    this.asked.delete(id)
    if (this.asked.size === 0) this.worker?.unref()
    return waiting
  }

  private sendDue(): void {
    this.timer = null
    if (this.underWay < BATCHES_UNDER_WAY) this.send()
    else this.timer = setTimeout(() => this.sendDue(), SEND_EVERY_MS).unref()
  }

  /** All that waits, in order: an answer must have seen what was told before the question. */
  private send(): void {
    if (this.worker === null) return
    const calls: Call[] = [...this.calls.dropped].map(([cluster, { fromMs, toMs, count }]) =>
      gapCall(cluster, { fromMs, toMs }, `history could not be written: ${count} changes were dropped`),
    )
    this.calls.clearDropped()
    for (let at = 0; at < this.calls.length; at += 1) {
      const next = this.calls.peek(at)
      if (next !== undefined) calls.push(next.work)
    }
    this.calls.remove(this.calls.length)
    if (calls.length === 0) return
    this.underWay += 1
    this.post({ type: 'told', nowMs: this.clock.nowMs(), calls })
  }

  private post(message: ToWorker): void {
    this.worker?.postMessage(message)
  }

  private died(worker: Worker, why: string): void {
    if (this.worker !== worker || this.phase !== 'open') return
    this.worker = null
    const error = `the thread of the history stopped: ${why}`
    this.log.warn({ error, file: this.options.file }, 'history is not being written')
    const since = instant(this.tookMs)
    this.known = { ok: false, since, error, dropped: 0 }
    this.rejectAll(error)
    for (const cluster of this.clusters) {
      const gap = gapCall(
        cluster,
        { fromMs: this.tookMs, toMs: this.clock.nowMs() },
        `${error}: changes may be missing`,
      )
      this.calls.push({ cluster, atMs: this.tookMs, rows: 1, work: gap })
    }
    setTimeout(
      () => {
        if (this.phase !== 'open') return
        this.start()
        this.known = { ok: true }
        this.sendDue()
      },
      backoffMs(this.deaths, FIRST_RESTART_MS),
    ).unref()
    this.deaths += 1
  }

  private rejectAll(why: string): void {
    for (const { reject } of this.asked.values()) reject(new HistoryUnavailable(why))
    this.asked.clear()
  }
}

function rowsOf([, , facts, queue]: Parameters<History['record']>): number {
  return 1 + facts.length + (queue ? queue.stand.length + queue.left.length : 0)
}

function gapCall(cluster: string, { fromMs, toMs }: { fromMs: number; toMs: number }, reason: string): Call {
  return { atMs: toMs, method: 'recordGap', args: [cluster, { from: instant(fromMs), to: instant(toMs), reason }] }
}

/** Classes do not cross threads; names do. */
function errorOf({ name, message }: Extract<FromWorker, { type: 'failed' }>): Error {
  if (name === 'InvalidCursor') return Object.assign(new InvalidCursor(''), { message })
  return new HistoryUnavailable(message)
}
