/** Buffers what is recorded and writes it, again and again until it is durable. */
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { backoffMs } from '../../lib/shared/abort.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import type { Pending } from './buffer.ts'
import { CHUNK_ROWS, ChunkWriter } from './chunk.ts'
import { type Database, openDatabase } from './database.ts'
import { isBusy, keepsConnection, messageOf } from './failures.ts'
import type { AliveMark, HistoryState } from './history.ts'
import type { Work } from './records.ts'
import type { Rollup } from './rollup.ts'
import type { Sample } from './samples.ts'

/** The part of pino that history needs. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface WriterOptions {
  file: string
  clock: Clock
  log: Log
  rollup: Rollup
  maxFactRows: number
  maxSamples: number
}

const FLUSH_MS = 250
const MARK_MS = 1_000
const BUSY_RETRY_MS = 25
const BUSY_LIMIT = 200

export class Writer {
  private readonly options: WriterOptions
  private readonly chunk: ChunkWriter
  private opened: Database | null = null
  private running: Promise<void> | null = null
  private timer: { handle: NodeJS.Timeout; dueMs: number } | null = null
  private failure: { since: string; error: string; attempts: number } | null = null
  private phase: 'open' | 'closing' | 'closed' = 'open'

  constructor(options: WriterOptions) {
    this.options = options
    const { clock, log, maxFactRows, maxSamples } = options
    const onRefused = (cluster: string, error: string) => log.warn({ cluster, error }, 'a change could not be stored')
    this.chunk = new ChunkWriter({ clock, onRefused, maxFactRows, maxSamples })
  }

  /** The open database, or null while there is none. */
  get database(): Database | null {
    return this.opened
  }

  /** Facts that are recorded and not yet durable. */
  get behind(): boolean {
    return this.chunk.facts.length > 0
  }

  add(pending: Pending<Work>): void {
    if (this.phase !== 'open') return
    this.chunk.facts.push(pending)
    this.schedule(this.chunk.facts.rows >= CHUNK_ROWS ? 0 : FLUSH_MS)
  }

  /** For what could not even be prepared for writing. */
  refuse(pending: Pending<Work>, error: unknown): void {
    this.chunk.facts.noteDropped(pending)
    this.options.log.warn({ cluster: pending.cluster, error: messageOf(error) }, 'a change could not be stored')
  }

  addSample(pending: Pending<Sample>): void {
    if (this.phase !== 'open') return
    this.chunk.samples.push(pending)
    this.schedule(this.chunk.samples.rows >= CHUNK_ROWS ? 0 : FLUSH_MS)
  }

  mark(cluster: string, mark: AliveMark): void {
    if (this.phase !== 'open') return
    const first = this.chunk.marks.get(cluster)?.first ?? instant(this.options.clock.nowMs())
    this.chunk.marks.set(cluster, { ...mark, first })
    this.schedule(MARK_MS)
  }

  /** Resolves when all that was added is durable, or an attempt to make it so has failed. */
  async flush(): Promise<void> {
    this.running ??= this.drain().finally(() => {
      this.running = null
      this.retryLater()
    })
    await this.running
  }

  /** Opens the database at the first call; null while that fails. */
  async open(): Promise<Database | null> {
    if (this.opened === null && this.failure === null && this.phase === 'open') await this.flush()
    return this.opened
  }

  state(): HistoryState {
    if (this.failure === null) return { ok: true }
    const { since, error } = this.failure
    const dropped = [...this.chunk.facts.dropped.values()].reduce((sum, { count }) => sum + count, 0)
    return { ok: false, since, error, dropped }
  }

  async close(withinMs: number): Promise<void> {
    if (this.phase !== 'open') return
    this.phase = 'closing'
    this.cancelTimer()
    await Promise.race([this.flush(), wait(withinMs, undefined, { ref: false })])
    this.phase = 'closed'
    this.cancelTimer()
    await this.disconnect()
  }

  /** An attempt to write failed; others that write to the database report it here, too. */
  async fail(error: unknown): Promise<void> {
    const message = messageOf(error)
    this.chunk.forgetIds()
    if (this.failure === null) {
      this.options.log.warn({ error: message, file: this.options.file }, 'history is not being written')
      this.failure = { since: instant(this.options.clock.nowMs()), error: message, attempts: 0 }
    }
    this.failure.error = message
    this.failure.attempts += 1
    if (!keepsConnection(error)) await this.disconnect()
    this.retryLater()
  }

  private async drain(): Promise<void> {
    this.cancelTimer()
    do {
      try {
        this.opened ??= await this.connect()
        await this.writeChunk(this.opened)
      } catch (error) {
        await this.fail(error)
        return
      }
      this.recovered()
      if (this.chunk.pending) await nextTurn()
    } while (this.chunk.pending && this.phase !== 'closed')
  }

  private async connect(): Promise<Database> {
    const database = await openDatabase(this.options.file)
    if (this.phase === 'closed') {
      await database.close()
      throw new Error('history is closed')
    }
    this.options.rollup.load(database)
    return database
  }

  /** A lock held by somebody else is no failure for a while; the event loop goes on meanwhile. */
  private async writeChunk(database: Database): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.chunk.write(database, this.options.rollup.frontierMs)
        return
      } catch (error) {
        if (!isBusy(error) || attempt === BUSY_LIMIT || this.phase === 'closed') throw error
      }
      await wait(BUSY_RETRY_MS)
    }
  }

  private async disconnect(): Promise<void> {
    const database = this.opened
    this.opened = null
    await database?.close().catch(() => {})
  }

  private recovered(): void {
    if (this.failure === null) return
    this.options.log.info({ since: this.failure.since }, 'history is being written again')
    this.failure = null
  }

  private retryLater(): void {
    if (this.failure !== null) this.arm(backoffMs(this.failure.attempts - 1, FLUSH_MS))
    else if (this.chunk.pending) this.arm(FLUSH_MS)
  }

  private schedule(delayMs: number): void {
    // While the disk refuses, only the back-off decides when to try.
    if (this.failure === null) this.arm(delayMs)
  }

  private arm(delayMs: number): void {
    const dueMs = this.options.clock.monoMs() + delayMs
    if (this.phase !== 'open' || this.running !== null) return
    if (this.timer !== null && this.timer.dueMs <= dueMs) return
    this.cancelTimer()
    const handle = setTimeout(() => {
      this.timer = null
      void this.flush()
    }, delayMs)
    handle.unref()
    this.timer = { handle, dueMs }
  }

  private cancelTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer.handle)
    this.timer = null
  }
}
