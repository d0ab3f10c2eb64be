/** One short transaction: as much of the buffers as fits into its time. */
import { type Clock, instant } from '../../lib/shared/clock.ts'
import { Buffer, type Pending } from './buffer.ts'
import type { Database } from './database.ts'
import { isDataError, messageOf } from './failures.ts'
import { clusterIdOf, gapWork, type Mark, type Work, writeMark, writeWork } from './records.ts'
import { type Sample, SampleTable } from './samples.ts'

export const CHUNK_ROWS = 2_000
const CHUNK_MS = 15

export interface ChunkOptions {
  clock: Clock
  /** A change that no attempt could store. */
  onRefused(cluster: string, error: string): void
  /** Rows kept while they cannot be written. */
  maxFactRows: number
  maxSamples: number
}

export class ChunkWriter {
  readonly facts: Buffer<Work>
  readonly samples: Buffer<Sample>
  readonly marks = new Map<string, Mark>()
  private readonly options: ChunkOptions
  private readonly table = new SampleTable()
  private readonly clusterIds = new Map<string, bigint>()

  constructor(options: ChunkOptions) {
    this.options = options
    this.facts = new Buffer(options.maxFactRows)
    this.samples = new Buffer(options.maxSamples)
  }

  get pending(): boolean {
    return this.facts.length > 0 || this.samples.length > 0 || this.marks.size > 0
  }

  /** After a failed transaction: ids that it made do not exist. */
  forgetIds(): void {
    this.clusterIds.clear()
    this.table.forget()
  }

  /** What was written is forgotten; when it throws, nothing is. Samples before `frontierMs` are late. */
  write(database: Database, frontierMs: number): void {
    const endMs = this.options.clock.monoMs() + CHUNK_MS
    const refused: Pending<Work>[] = []
    const done = database.transact(() => {
      this.noteDropped(database)
      const facts = this.some(this.facts, endMs, (pending) => this.writeFacts(database, pending, refused))
      const samples = this.some(this.samples, endMs, ({ cluster, work }) =>
        this.table.write(database, this.clusterId(database, cluster), { sample: work, frontierMs }),
      )
      // A mark says that all before it was seen: it must not outlive what is still waiting.
      const marks = facts === this.facts.length ? [...this.marks] : []
      for (const [cluster, mark] of marks) writeMark(database, this.clusterId(database, cluster), mark)
      return { facts, samples, marks }
    })
    this.facts.remove(done.facts)
    this.samples.remove(done.samples)
    this.facts.clearDropped()
    for (const pending of refused) this.facts.noteDropped(pending)
    for (const [cluster, mark] of done.marks) {
      if (this.marks.get(cluster) === mark) this.marks.delete(cluster)
    }
  }

  private noteDropped(database: Database): void {
    for (const [cluster, { fromMs, toMs, count }] of this.facts.dropped) {
      const reason = `history could not be written: ${count} changes were dropped`
      const gap = { from: instant(fromMs), to: instant(toMs), reason }
      writeWork(database, this.clusterId(database, cluster), gapWork(gap))
    }
  }

  private writeFacts(database: Database, pending: Pending<Work>, refused: Pending<Work>[]): void {
    try {
      writeWork(database, this.clusterId(database, pending.cluster), pending.work)
    } catch (error) {
      if (!isDataError(error)) throw error
      refused.push(pending)
      this.options.onRefused(pending.cluster, messageOf(error))
    }
  }

  private some<T>(buffer: Buffer<T>, endMs: number, write: (pending: Pending<T>) => void): number {
    let rows = 0
    let count = 0
    for (;;) {
      const next = buffer.peek(count)
      const full = rows >= CHUNK_ROWS || this.options.clock.monoMs() > endMs
      // One at least, so that a slow disk cannot keep either kind from moving.
      if (next === undefined || (count > 0 && full)) return count
      write(next)
      rows += next.rows
      count += 1
    }
  }

  private clusterId(database: Database, name: string): bigint {
    let id = this.clusterIds.get(name)
    if (id === undefined) {
      id = clusterIdOf(database, name)
      this.clusterIds.set(name, id)
    }
    return id
  }
}
