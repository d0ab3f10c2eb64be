/** Fills the sheet of one scrape from what the watchers see now and what was counted. */
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { competitors } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { isComparable } from '../../lib/election/verdicts.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import { putCluster } from './cluster-series.ts'
import { LabelBook } from './election-labels.ts'
import { claimsNow, type Looked, putCounts, putElection } from './election-series.ts'
import { addCounts, type Counts, noCounts } from './election-tally.ts'
import { OTHERS } from './label-text.ts'
import { Places } from './places.ts'
import { Rejections } from './rejections.ts'
import type { Sheet } from './sheet.ts'
import type { Tally } from './tally.ts'

/** What a scrape asks of a watcher. */
export interface Watched {
  readonly elections: { readonly view: ClusterView }
  readonly members: { activeAlarms(): readonly { type: string }[] | null }
  heartbeatAgeMs(): number
  refresh(): void
}

interface ScraperOptions {
  clock: Pick<Clock, 'nowMs'>
  watched: ReadonlyMap<string, Watched>
  tally: Tally
  maxElections: number
}

interface Others {
  counts: Counts
  hasReports: boolean
}

export class Scraper {
  private readonly options: ScraperOptions
  private readonly places: Places
  private readonly rejections: Rejections
  private readonly books = new Map<string, LabelBook>()
  /** Kept when an election gets series of its own: a counter never goes back. */
  private readonly others = new Map<string, Others>()

  constructor(options: ScraperOptions) {
    this.options = options
    this.places = new Places(options.maxElections)
    this.rejections = new Rejections(options.tally.startedMs)
  }

  fill(sheet: Sheet): void {
    const confirmed = new Map<string, ElectionState[]>()
    for (const [cluster, watcher] of this.options.watched) {
      watcher.refresh()
      const states = [...watcher.elections.view.elections.values()]
      confirmed.set(
        cluster,
        states.filter((state) => state.confirmed),
      )
    }
    this.places.settle(
      new Map([...confirmed].map(([cluster, states]) => [cluster, new Set(states.map(({ ref }) => ref))])),
    )
    for (const [cluster, watcher] of this.options.watched) {
      this.fillCluster(sheet, watcher, confirmed.get(cluster) ?? [])
    }
    this.rejections.looked()
  }

  private fillCluster(sheet: Sheet, watcher: Watched, states: readonly ElectionState[]): void {
    const { clock, tally } = this.options
    const { view } = watcher.elections
    const { info } = view
    const nowMs = clock.nowMs()
    putCluster(sheet, {
      info,
      lagMs: watcher.heartbeatAgeMs(),
      upMs: nowMs - tally.startedMs,
      alarms: watcher.members.activeAlarms(),
      elections: states.length,
      gapMs: tally.gapMs(info.name, info.freshness === 'live' ? null : info.asOf),
    })
    const looked = states.map((state) => this.look(view, state, nowMs))
    const own = looked.filter(({ state }) => this.places.has(info.name, state.ref))
    const book = this.books.get(info.name) ?? new LabelBook()
    this.books.set(info.name, book)
    const labels = book.of(
      view,
      own.map(({ state }) => state),
    )
    for (const each of own) {
      const shared = labels.get(each.state.ref)
      if (shared !== undefined) putElection(sheet, shared, each)
    }
    this.putOthers(
      sheet,
      view,
      looked.filter(({ state }) => !this.places.has(info.name, state.ref)),
    )
  }

  /** Brings what is counted up to now. */
  private look({ info: cluster }: ClusterView, state: ElectionState, nowMs: number): Looked {
    const tally = this.options.tally.of(cluster.name, state.ref)
    tally.leaderlessUntil(state, cluster, nowMs)
    tally.rememberFailover(state)
    if (state.claims.length > 0) {
      tally.hasReports = true
      tally.counts.rejections += this.rejections.hear(cluster.name, state.ref, state.claims, nowMs)
    }
    return { state, cluster, tally, nowMs }
  }

  /** Sums, where a sum says something. */
  private putOthers(sheet: Sheet, { info }: ClusterView, looked: readonly Looked[]): void {
    const cluster = { cluster: info.name }
    sheet.put('tenure_metrics_elections_dropped', cluster, looked.length)
    const others = this.others.get(info.name) ?? { counts: noCounts(), hasReports: false }
    if (looked.length === 0 && !this.others.has(info.name)) return
    this.others.set(info.name, others)
    for (const { tally } of looked) {
      addCounts(others.counts, tally.drain())
      others.hasReports ||= tally.hasReports
    }
    const shared = { ...cluster, election: OTHERS }
    putCounts(sheet, shared, others.counts)
    sheet.put('tenure_election_leaderless_seconds_total', shared, others.counts.leaderlessMs / 1_000)
    if (others.hasReports) sheet.put('tenure_election_fencing_rejections_total', shared, others.counts.rejections)
    if (looked.length === 0) return
    if (isComparable(info)) sheet.put('tenure_election_candidates', shared, sum(looked.map(candidatesOf)))
    const claims = looked.flatMap(({ state, nowMs }) => claimsNow(state, nowMs) ?? [])
    if (claims.length > 0) sheet.put('tenure_election_claims', shared, sum(claims))
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const candidatesOf = ({ state }: Looked) => competitors(state.candidates).length
