/** History in one SQLite file. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Annotation } from '../../lib/election/annotations.ts'
import type { QueueChange } from '../../lib/election/candidacies.ts'
import type { Fact, Seed } from '../../lib/election/changes.ts'
import type { Condition } from '../../lib/election/conditions.ts'
import type { FailoverSummary } from '../../lib/election/failover-summary.ts'
import { ZERO } from '../../lib/election/ids.ts'
import type { Moment } from '../../lib/election/moments.ts'
import type { Stop } from '../../lib/election/stops.ts'
import type { ElectionRef, Gap, Term } from '../../lib/election/types.ts'
import { type Clock, type Instant, msOf, systemClock } from '../../lib/shared/clock.ts'
import { annotate, readAnnotations } from './annotations.ts'
import { planOf } from './buckets.ts'
import { piecesOf } from './candidacies.ts'
import { conditionParams, readConditions, readObservedSince } from './conditions.ts'
import type { Database } from './database.ts'
import { readEvents } from './events.ts'
import { isBusy, messageOf } from './failures.ts'
import {
  type AliveMark,
  type Annotate,
  type Annotating,
  type BesideQuery,
  type ConditionQuery,
  type Conditions,
  DOWNTIME,
  type ElectionIdentity,
  type EventPage,
  type FailoverQuery,
  type History,
  type HistoryState,
  HistoryUnavailable,
  InvalidCursor,
  type Known,
  type Past,
  type RangeQuery,
  type RenewalQuery,
  type Renewals,
  type SeriesKey,
  type StopQuery,
  type TermPage,
  type TermQuery,
  type TransitionPage,
  type TransitionRowQuery,
} from './history.ts'
import { settledEvents, settledMoment, settledPast, settledRows, settledTerms } from './left-pending.ts'
import { Maintenance } from './maintenance.ts'
import { readBeside } from './moments.ts'
import { readPast } from './past.ts'
import { electionWork, gapWork, isMark, rowsOf, termWork, type Work } from './records.ts'
import { readRenewals } from './renewals.ts'
import { Rollup } from './rollup.ts'
import { sampleOf } from './samples.ts'
import { readCluster, readKnown, readSeeds } from './seeds.ts'
import { readStops, stopParams } from './stops.ts'
import { readTerms } from './terms.ts'
import { readFailovers, readTransitionRows } from './transitions.ts'
import { type Log, Writer } from './writer.ts'

export interface SqliteHistoryOptions {
  /** Made with its folder when absent. */
  file: string
  /** For names of gaps and for retention; a step of it must not reorder anything. */
  clock?: Clock
  log?: Log
  maxFactRows?: number
  maxSamples?: number
}

export interface SqliteHistory extends History {
  /** Rolls up and deletes all that is due now, instead of waiting for the next tick. */
  maintain(): Promise<void>
}

const CLOSE_WITHIN_MS = 2_000
const CATCH_UP_MS = 1_000
const BUSY_RETRY_MS = 25
const BUSY_LIMIT = 80
/** A transaction holds whole pieces: facts of one change are cut at this many. */
const FACTS_PER_WORK = 500

const silent: Log = { info: () => {}, warn: () => {} }

/** Never throws: a file that cannot be opened shows in `state()`, and is tried again. */
export function openSqliteHistory(options: SqliteHistoryOptions): SqliteHistory {
  return new SqliteStore(options)
}

class SqliteStore implements SqliteHistory {
  private readonly clock: Clock
  private readonly begunMs: number
  private readonly file: string
  private readonly rollup: Rollup
  private readonly writer: Writer
  private readonly maintenance: Maintenance
  /** Downtime is found once a run: later marks are this run's own. */
  private readonly downtimes = new Map<string, Gap | null>()

  constructor(options: SqliteHistoryOptions) {
    const { file, clock = systemClock, log = silent, maxFactRows = 100_000, maxSamples = 50_000 } = options
    this.clock = clock
    this.file = file
    this.begunMs = clock.nowMs()
    this.rollup = new Rollup(clock)
    this.writer = new Writer({ file, clock, log, rollup: this.rollup, maxFactRows, maxSamples })
    this.maintenance = new Maintenance({
      clock,
      rollup: this.rollup,
      database: () => this.writer.database,
      onError: (error) => this.writer.fail(error),
    })
    this.maintenance.start()
  }

  async load(cluster: string, now: Instant): Promise<Known> {
    const nothing: Known = { epoch: 0, highRevision: ZERO, elections: [], downtime: null }
    try {
      return await this.read(async (database) => {
        const row = await readCluster(database, cluster)
        if (row === null) return nothing
        const downtime = this.downtimeOf(cluster, row.aliveAt, now)
        if (downtime !== null) await this.caughtUp()
        const elections = await readKnown(database, row.id, now)
        return { ...row.memory, epoch: row.epoch, highRevision: row.highRevision, elections, downtime }
      })
    } catch (error) {
      return { ...nothing, error: messageOf(error) }
    }
  }

  async seeds(cluster: string, refs: readonly ElectionRef[], now: Instant): Promise<Map<ElectionRef, Seed>> {
    return this.read(async (database) => {
      const row = await readCluster(database, cluster)
      return row === null ? new Map() : readSeeds(database, { cluster: row.id, now }, refs)
    })
  }

  record(cluster: string, election: ElectionIdentity, facts: readonly Fact[], queue: QueueChange | null = null): void {
    const pieces = queue === null ? [] : this.prepared(cluster, () => piecesOf(queue))
    const works = Math.max(1, pieces.length, Math.ceil(facts.length / FACTS_PER_WORK))
    for (let at = 0; at < works; at += 1) {
      const some = facts.slice(at * FACTS_PER_WORK, (at + 1) * FACTS_PER_WORK)
      const part = { facts: some, queue: pieces[at] ?? null }
      this.add(cluster, () => electionWork(election, part, this.clock.nowMs()))
    }
  }

  recordTerm(cluster: string, election: ElectionIdentity, term: Term): void {
    this.add(cluster, () => termWork(election, term, this.clock.nowMs()))
  }

  recordGap(cluster: string, gap: Gap): void {
    this.add(cluster, () => gapWork(gap))
  }

  recordStops(cluster: string, stops: readonly Stop[]): void {
    this.add(cluster, () => ({ type: 'stops', stops: stops.map(stopParams) }))
  }

  recordConditions(cluster: string, conditions: readonly Condition[]): void {
    this.add(cluster, () => ({ type: 'conditions', conditions: conditions.map(conditionParams) }))
  }

  alive(cluster: string, mark: AliveMark): void {
    // A mark that cannot be stored would be tried for ever.
    if (isMark(mark)) this.writer.mark(cluster, { ...mark })
  }

  sample(series: SeriesKey, at: Instant, value: number): void {
    const work = sampleOf(series, at, value, this.clock.nowMs())
    if (work !== null) this.writer.addSample({ cluster: series.cluster, atMs: work.atMs, rows: 1, work })
  }

  terms(query: RangeQuery): Promise<TermPage> {
    return this.read(async (database) => settledTerms(await readTerms(database, query), this.begunMs))
  }

  events(query: RangeQuery): Promise<EventPage> {
    return this.read(async (database) => settledEvents(await readEvents(database, query), this.begunMs))
  }

  renewals(query: RenewalQuery): Promise<Renewals> {
    return this.read(async (database) => {
      const plan = planOf(query, this.clock.nowMs())
      const series = await readRenewals({ database, rollup: this.rollup }, query, plan)
      return { bucketMs: plan.widthMs, series }
    })
  }

  stops(query: StopQuery): Promise<Stop[]> {
    return this.read((database) => readStops(database, query))
  }

  past(cluster: string, at: Instant): Promise<Past> {
    return this.read(async () =>
      settledPast(await readPast(this.file, { cluster, at, nowMs: this.clock.nowMs() }), this.begunMs),
    )
  }

  beside(query: BesideQuery): Promise<Moment | null> {
    return this.read(async (database) => settledMoment(await readBeside(database, query), this.begunMs))
  }

  failovers(query: FailoverQuery): Promise<FailoverSummary> {
    return this.read((database) => readFailovers(database, query))
  }

  transitionRows(query: TransitionRowQuery): Promise<TransitionPage> {
    return this.read(async (database) => settledRows(await readTransitionRows(database, query), this.begunMs))
  }

  annotations(query: TermQuery): Promise<Annotation[]> {
    return this.read((database) => readAnnotations(database, query))
  }

  annotate(annotation: Annotate): Promise<Annotating> {
    return this.read((database) => whenFree(() => annotate(database, annotation)))
  }

  observedSince(cluster: string): Promise<Instant | null> {
    return this.read(async (database) => readObservedSince(database, cluster))
  }

  conditions(query: ConditionQuery): Promise<Conditions> {
    return this.read((database) => readConditions(database, query))
  }

  async flush(): Promise<HistoryState> {
    await this.writer.flush()
    return this.writer.state()
  }

  state(): HistoryState {
    return this.writer.state()
  }

  async maintain(): Promise<void> {
    await this.writer.open()
    await this.maintenance.run()
  }

  async close(): Promise<void> {
    await this.maintenance.stop()
    await this.writer.close(CLOSE_WITHIN_MS)
  }

  private add(cluster: string, make: () => Work): void {
    const atMs = this.clock.nowMs()
    for (const work of this.prepared(cluster, () => [make()])) {
      this.writer.add({ cluster, atMs, rows: rowsOf(work), work })
    }
  }

  /** Nothing of what cannot be stored; it is counted as dropped. */
  private prepared<T>(cluster: string, make: () => T[]): T[] {
    try {
      return make()
    } catch (error) {
      const work: Work = { type: 'gap', gap: {} }
      this.writer.refuse({ cluster, atMs: this.clock.nowMs(), rows: 1, work }, error)
      return []
    }
  }

  private downtimeOf(cluster: string, aliveAt: Instant | null, now: Instant): Gap | null {
    const known = this.downtimes.get(cluster)
    if (known !== undefined) return known
    const gap = aliveAt !== null && aliveAt < now ? { from: aliveAt, to: now, reason: DOWNTIME } : null
    this.downtimes.set(cluster, gap)
    if (gap === null) return null
    this.recordGap(cluster, gap)
    this.add(cluster, () => ({ type: 'close-conditions', atMs: msOf(gap.from) }))
    return gap
  }

  /** Reads see what was recorded before them, unless writing is what fails. */
  private async caughtUp(): Promise<void> {
    if (!this.writer.behind || !this.writer.state().ok) return
    await Promise.race([this.writer.flush(), wait(CATCH_UP_MS, undefined, { ref: false })])
  }

  private async read<T>(work: (database: Database) => Promise<T>): Promise<T> {
    await this.caughtUp()
    const database = await this.writer.open()
    const state = this.writer.state()
    if (database === null) throw new HistoryUnavailable(state.ok ? 'history is closed' : state.error)
    try {
      return await work(database)
    } catch (error) {
      if (error instanceof InvalidCursor) throw error
      throw new HistoryUnavailable(messageOf(error), { cause: error })
    }
  }
}

/** Another connection may be writing just now: it is not for the person who waits to try again. */
async function whenFree<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write()
    } catch (error) {
      if (!isBusy(error) || attempt === BUSY_LIMIT) throw error
    }
    await wait(BUSY_RETRY_MS)
  }
}
