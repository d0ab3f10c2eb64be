/** Counts what is recorded, as it is recorded: hears the history, and touches no watcher. */
import type { Fact } from '../../lib/election/changes.ts'
import type { ElectionRef, Gap } from '../../lib/election/types.ts'
import { type Clock, type Instant, msOf } from '../../lib/shared/clock.ts'
import type { ElectionIdentity, SeriesKey } from '../history/history.ts'
import type { HistoryListener } from '../history/tap.ts'
import { ElectionTally } from './election-tally.ts'

const FIRST_CLEARING = 1_000

interface TallyOptions {
  clock: Pick<Clock, 'nowMs'>
  onRtt: (cluster: string, source: 'holder' | 'probe', rttMs: number) => void
  /** Whether anybody watches it still. */
  isKnown: (cluster: string, ref: ElectionRef) => boolean
}

interface GapTally {
  /** Of the gap that may still be extended. */
  from: Instant
  lastMs: number
  totalMs: number
  /** What was said last: a gap that goes on may turn out shorter than it looked. */
  saidMs: number
}

export class Tally implements HistoryListener {
  readonly startedMs: number
  private readonly options: TallyOptions
  private readonly elections = new Map<string, Map<ElectionRef, ElectionTally>>()
  private readonly gaps = new Map<string, GapTally>()
  private size = 0
  private clearAt = FIRST_CLEARING

  constructor(options: TallyOptions) {
    this.options = options
    this.startedMs = options.clock.nowMs()
  }

  onFacts(cluster: string, { ref, confirmed }: ElectionIdentity, facts: readonly Fact[]): void {
    if (!confirmed || facts.length === 0) return
    const tally = this.of(cluster, ref)
    for (const fact of facts) tally.take(fact)
  }

  onGap(cluster: string, { from, to }: Gap): void {
    const tally = this.gapsOf(cluster)
    const lengthMs = Math.max(0, msOf(to) - Math.max(msOf(from), this.startedMs))
    if (tally.from !== from) tally.lastMs = 0
    tally.totalMs += Math.max(0, lengthMs - tally.lastMs)
    tally.lastMs = Math.max(tally.lastMs, lengthMs)
    tally.from = from
  }

  onSample({ cluster, source, ref }: SeriesKey, at: Instant, value: number): void {
    if (source === 'holder' || source === 'probe') this.options.onRtt(cluster, source, value)
    else if (source === 'margin' && ref !== undefined) this.of(cluster, ref).margins.add(msOf(at), value / 100)
  }

  /** With the one that goes on since `openSince`; null while nothing is missed. Never less than it was. */
  gapMs(cluster: string, openSince: Instant | null): number {
    const tally = this.gapsOf(cluster)
    const openMs = openSince === null ? 0 : this.options.clock.nowMs() - Math.max(msOf(openSince), this.startedMs)
    tally.saidMs = Math.max(tally.saidMs, tally.totalMs + Math.max(0, openMs))
    return tally.saidMs
  }

  /** Elections that something is counted of. */
  get kept(): number {
    return this.size
  }

  of(cluster: string, ref: ElectionRef): ElectionTally {
    const known = this.elections.get(cluster)?.get(ref)
    if (known !== undefined) return known
    if (this.size >= this.clearAt) this.clear()
    const tally = new ElectionTally(this.startedMs)
    const of = this.elections.get(cluster) ?? new Map()
    of.set(ref, tally)
    this.elections.set(cluster, of)
    this.size += 1
    return tally
  }

  /** Elections come and go: what is known of those that went would grow for ever. */
  private clear(): void {
    for (const [cluster, of] of this.elections) {
      for (const ref of of.keys()) if (!this.options.isKnown(cluster, ref) && of.delete(ref)) this.size -= 1
    }
    this.clearAt = Math.max(FIRST_CLEARING, 2 * this.size)
  }

  private gapsOf(cluster: string): GapTally {
    const known = this.gaps.get(cluster) ?? { from: '', lastMs: 0, totalMs: 0, saidMs: 0 }
    this.gaps.set(cluster, known)
    return known
  }
}
