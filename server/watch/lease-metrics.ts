/** Exact evidence of why leases ended, where the members' metrics pages are configured. */
import { sleep } from '../../lib/shared/abort.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import { parseLeaseCounts, proofBetween, type Reading, sameCounts } from './lease-counts.ts'
import type { LeaseProof } from './removal-evidence.ts'

export interface MetricsPort {
  /** The page as text. Rejects when it cannot be had. */
  page(url: string, signal: AbortSignal): Promise<string>
}

const EVERY_MS = 5_000
/** etcd counts an expiry a moment after the end of its lease: only counters that stand still are read. */
const SETTLED_MS = 250
const TRIES = 4
/** The end of a lease may have been this long on its way here. */
const ON_ITS_WAY_MS = 500
const KEPT = 12

interface LeaseMetricsOptions {
  urls: readonly string[]
  port: MetricsPort
  clock: Clock
  onTrouble: (words: string) => void
}

/** When an end was seen, on the monotonic clock, and how long it may have gone unseen. */
export interface SeenAt {
  monoMs: number
  unseenMs: number
}

interface Timed extends Reading {
  begunMonoMs: number
  doneMonoMs: number
}

export class LeaseMetrics {
  private readonly options: LeaseMetricsOptions
  private readings: Timed[] = []
  private reading: { begunMonoMs: number; found: Promise<Timed | null> } | null = null

  constructor(options: LeaseMetricsOptions) {
    this.options = options
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.options.urls.length > 0) {
      await this.read(signal)
      await sleep(EVERY_MS, signal)
    }
  }

  /** What the counters prove of a lease whose end was seen just now; null where they prove nothing. */
  async proofOf({ monoMs, unseenMs }: SeenAt, signal: AbortSignal): Promise<LeaseProof | null> {
    const before = this.readings.findLast(({ doneMonoMs }) => doneMonoMs < monoMs - unseenMs - ON_ITS_WAY_MS)
    if (before === undefined) return null
    for (let attempt = 0; attempt < TRIES && !signal.aborted; attempt += 1) {
      const after = await this.readAfter(monoMs, signal)
      if (after !== null) return proofBetween(before, after)
    }
    return null
  }

  /** Many leases that end at once share one reading. */
  private readAfter(monoMs: number, signal: AbortSignal): Promise<Timed | null> {
    const known = this.readings.find(({ begunMonoMs }) => begunMonoMs >= monoMs)
    if (known !== undefined) return Promise.resolve(known)
    if (this.reading !== null && this.reading.begunMonoMs >= monoMs) return this.reading.found
    return this.read(signal)
  }

  private read(signal: AbortSignal): Promise<Timed | null> {
    const begunMonoMs = this.options.clock.monoMs()
    const found = this.settled(begunMonoMs, signal)
    const reading = { begunMonoMs, found }
    this.reading = reading
    return found.finally(() => {
      if (this.reading === reading) this.reading = null
    })
  }

  /** Of the one member that leads; null when its counters moved meanwhile, or nobody could be read as it. */
  private async settled(begunMonoMs: number, signal: AbortSignal): Promise<Timed | null> {
    const first = await this.leading(signal)
    if (first === null) return null
    await sleep(SETTLED_MS, signal)
    const second = await this.leading(signal, first.url)
    if (second === null || !sameCounts(first.counts, second.counts)) return null
    const timed = { ...second, begunMonoMs, doneMonoMs: this.options.clock.monoMs() }
    this.readings = [...this.readings, timed].slice(-KEPT)
    return timed
  }

  private async leading(signal: AbortSignal, only?: string): Promise<Reading | null> {
    const urls = only === undefined ? this.options.urls : [only]
    const pages = await Promise.all(urls.map((url) => this.countsAt(url, signal)))
    const leaders = pages.filter((page) => page?.counts.isRaftLeader === true)
    return leaders.length === 1 ? (leaders[0] ?? null) : null
  }

  private async countsAt(url: string, signal: AbortSignal): Promise<Reading | null> {
    const { port, clock, onTrouble } = this.options
    try {
      const counts = parseLeaseCounts(await port.page(url, signal))
      if (counts !== null) return { url, counts, at: instant(clock.nowMs()) }
      onTrouble(`${url} does not count leases as etcd does`)
    } catch (error) {
      if (!signal.aborted) onTrouble(`${url}: ${error instanceof Error ? error.message : String(error)}`)
    }
    return null
  }
}
