/** History in memory, for tests of what uses it. The contract suite holds it to the real one. */
import type { Annotation } from '../../lib/election/annotations.ts'
import { type QueueChange, withQueueChange } from '../../lib/election/candidacies.ts'
import type { Fact, Seed } from '../../lib/election/changes.ts'
import type { Condition } from '../../lib/election/conditions.ts'
import type { FailoverSummary } from '../../lib/election/failover-summary.ts'
import { isNewer, ZERO } from '../../lib/election/ids.ts'
import type { Moment } from '../../lib/election/moments.ts'
import type { Stop } from '../../lib/election/stops.ts'
import type { ElectionRef, Gap, Term } from '../../lib/election/types.ts'
import { type Clock, type Instant, instant, msOf, systemClock } from '../../lib/shared/clock.ts'
import { Buckets, planOf } from './buckets.ts'
import { clampLimit, cursorOf, parseCursor } from './cursor.ts'
import {
  closeConditions,
  emptyCluster,
  extendGap,
  isBelow,
  positionOf,
  putCondition,
  putTerm,
  type Remembered,
  type RememberedCluster,
  seedOf,
} from './fake-memory.ts'
import { besideOf, pastOf } from './fake-past.ts'
import { failoversOf, transitionPageOf } from './fake-transitions.ts'
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

const DAY_MS = 24 * 3_600_000

export class FakeHistory implements History {
  /** Set to let reading fail and `state()` say so. */
  failure: string | null = null
  private readonly clock: Clock
  private readonly clusters = new Map<string, RememberedCluster>()
  private nextId = 1

  constructor(clock: Clock = systemClock) {
    this.clock = clock
  }

  async load(name: string, now: Instant): Promise<Known> {
    const cluster = this.clusters.get(name)
    const mark = cluster?.mark ?? null
    const nothing: Known = { epoch: 0, highRevision: ZERO, elections: [], downtime: null }
    if (this.failure !== null) return { ...nothing, error: this.failure }
    if (cluster === undefined) return nothing
    if (cluster.downtime === undefined) {
      cluster.downtime = mark !== null && mark.at < now ? { from: mark.at, to: now, reason: DOWNTIME } : null
      if (cluster.downtime !== null) {
        this.recordGap(name, cluster.downtime)
        closeConditions(cluster, cluster.downtime.from)
      }
    }
    const since = msOf(now) - DAY_MS
    const known = [...cluster.elections.values()].filter(
      ({ activeMs, terms, candidacies }) =>
        activeMs >= since || [...terms, ...candidacies].some(({ to }) => to === null),
    )
    const elections = known.map((election) => ({ ...election.identity, seed: seedOf(election, cluster, now) }))
    const { clusterId, storedEpoch, rolledBack, epoch = 0, revision: highRevision = ZERO } = mark ?? {}
    const memory = {
      ...(clusterId ? { clusterId } : {}),
      ...(storedEpoch ? { storedEpoch } : {}),
      ...(rolledBack ? { rolledBack } : {}),
    }
    return { ...memory, epoch, highRevision, elections, downtime: cluster.downtime }
  }

  async seeds(name: string, refs: readonly ElectionRef[], now: Instant): Promise<Map<ElectionRef, Seed>> {
    const cluster = this.cluster(name)
    return new Map(
      refs.flatMap((ref) => {
        const election = cluster.elections.get(ref)
        return election === undefined ? [] : [[ref, seedOf(election, cluster, now)] as const]
      }),
    )
  }

  record(name: string, identity: ElectionIdentity, facts: readonly Fact[], queue: QueueChange | null = null): void {
    const election = this.election(name, identity)
    if (queue !== null) election.candidacies = withQueueChange(election.candidacies, queue)
    for (const fact of facts) {
      if (fact.type === 'gap') this.keepGap(name, election.gaps, fact.gap)
      else election.activeMs = Math.max(election.activeMs, msOf(fact.at))
      if ('term' in fact) putTerm(election, fact.term)
      election.events.push({ id: this.nextId++, row: fact })
    }
  }

  recordTerm(name: string, identity: ElectionIdentity, term: Term): void {
    putTerm(this.election(name, identity), term)
  }

  recordGap(name: string, gap: Gap): void {
    extendGap(this.cluster(name).gaps, gap)
  }

  recordStops(name: string, stops: readonly Stop[]): void {
    const known = this.cluster(name).stops
    for (const stop of stops) known.set(`${stop.scopeBase64} ${stop.nonce} ${stop.from}`, stop)
  }

  recordConditions(name: string, conditions: readonly Condition[]): void {
    for (const condition of conditions) putCondition(this.cluster(name), condition)
  }

  alive(name: string, mark: AliveMark): void {
    const cluster = this.cluster(name)
    const was = cluster.mark
    cluster.keptSince ??= instant(this.clock.nowMs())
    const older = was !== null && was.epoch === mark.epoch && isNewer(was.revision, mark.revision)
    cluster.mark = was !== null && (older || was.epoch > mark.epoch) ? { ...was, at: mark.at } : mark
  }

  sample(series: SeriesKey, at: Instant, value: number): void {
    const { cluster, source, ref = '', member = '', identity = '' } = series
    const { samples } = this.cluster(cluster)
    const key = [source, ref, member, identity].join('\0')
    const known = samples.get(key) ?? { series, values: [] }
    if (Number.isFinite(value) && value >= 0) known.values.push({ atMs: msOf(at), value })
    samples.set(key, known)
  }

  async terms(query: RangeQuery): Promise<TermPage> {
    this.refuseIfFailing()
    const after = parseCursor(query.cursor)
    const cluster = this.cluster(query.cluster)
    const election = cluster.elections.get(query.ref)
    if (election === undefined) return { terms: [], previous: null, gaps: [] }
    const { from, to } = query
    const all = election.terms.toReversed()
    const found = all.filter(
      (term) =>
        (after === null || isBelow(positionOf(term), after)) &&
        (to === undefined || term.from < to) &&
        (from === undefined || term.to === null || term.to >= from),
    )
    const terms = found.slice(0, clampLimit(query.limit))
    const oldest = terms.at(-1)
    const more = found.length > terms.length && oldest !== undefined
    const upper = after === null ? to : all.find((term) => cursorOf(positionOf(term)) === query.cursor)?.from
    const lower = more ? oldest.from : from
    const gaps = [...cluster.gaps, ...election.gaps].filter(
      (gap) =>
        (lower === undefined || gap.to >= lower) &&
        (upper === undefined || (after === null ? gap.from : gap.to) < upper),
    )
    return {
      terms,
      previous: oldest === undefined ? null : (all[all.indexOf(oldest) + 1] ?? null),
      gaps: gaps.sort((a, b) => (a.from > b.from ? -1 : 1)),
      ...(more ? { nextCursor: cursorOf(positionOf(oldest)) } : {}),
    }
  }

  async events(query: RangeQuery): Promise<EventPage> {
    this.refuseIfFailing()
    const after = parseCursor(query.cursor)
    const { from, to } = query
    const all = this.cluster(query.cluster).elections.get(query.ref)?.events ?? []
    const found = all
      .filter(({ row }) => (from === undefined || row.at >= from) && (to === undefined || row.at < to))
      .sort((a, b) => msOf(b.row.at) - msOf(a.row.at) || b.id - a.id)
      .filter(({ id, row }) => after === null || isBelow([BigInt(msOf(row.at)), BigInt(id)], after))
    const page = found.slice(0, clampLimit(query.limit))
    const last = page.at(-1)
    const more = found.length > page.length && last !== undefined
    return {
      events: page.map(({ row }) => row),
      ...(more ? { nextCursor: cursorOf([BigInt(msOf(last.row.at)), BigInt(last.id)]) } : {}),
    }
  }

  async renewals(query: RenewalQuery): Promise<Renewals> {
    this.refuseIfFailing()
    const plan = planOf(query, this.clock.nowMs())
    const series = [...this.cluster(query.cluster).samples.values()].flatMap(({ series, values }) => {
      if (series.ref !== undefined && series.ref !== query.ref) return []
      const buckets = new Buckets(plan)
      for (const { atMs, value } of values) if (atMs >= plan.fromMs && atMs < plan.toMs) buckets.add(atMs, value)
      const { source, identity, member } = series
      const labels = { source, ...(identity ? { identity } : {}), ...(member ? { member } : {}) }
      const list = buckets.toList()
      return list.length === 0 ? [] : [{ ...labels, buckets: list }]
    })
    return { bucketMs: plan.widthMs, series }
  }

  async stops({ cluster, from, to, open }: StopQuery): Promise<Stop[]> {
    this.refuseIfFailing()
    return [...this.cluster(cluster).stops.values()]
      .filter((stop) => from === undefined || stop.to === null || stop.to >= from)
      .filter((stop) => (to === undefined || stop.from < to) && !(open && stop.to !== null))
      .sort((a, b) => (a.from > b.from ? -1 : 1))
  }

  async past(name: string, at: Instant): Promise<Past> {
    this.refuseIfFailing()
    return pastOf(this.cluster(name), at)
  }

  async beside(query: BesideQuery): Promise<Moment | null> {
    this.refuseIfFailing()
    return besideOf(this.cluster(query.cluster), query)
  }

  async failovers(query: FailoverQuery): Promise<FailoverSummary> {
    return failoversOf(this.cluster(query.cluster), query, await this.stops(query))
  }

  async transitionRows(query: TransitionRowQuery): Promise<TransitionPage> {
    this.refuseIfFailing()
    return transitionPageOf(this.cluster(query.cluster), query)
  }

  async annotations({ cluster, ref, term }: TermQuery): Promise<Annotation[]> {
    this.refuseIfFailing()
    const all = this.cluster(cluster).elections.get(ref)?.annotations ?? []
    return all.filter(({ epoch, token }) => term === undefined || (epoch === term.epoch && token === term.token))
  }

  async annotate({ cluster, ref, ...asked }: Annotate): Promise<Annotating> {
    this.refuseIfFailing()
    const { epoch, token, at, by, kind } = asked
    const election = this.cluster(cluster).elections.get(ref)
    if (!election?.terms.some((term) => term.epoch === epoch && term.token === token))
      return { outcome: 'no-such-term' }
    const before = election.annotations.filter((each) => each.epoch === epoch && each.token === token)
    const newest = before.findLast((each) => each.kind === 'note')
    if (asked.kind === 'acknowledged') {
      if (before.some((each) => each.kind === kind)) return { outcome: 'as-it-was' }
    } else if ((newest?.id ?? null) !== asked.after) {
      return { outcome: 'changed-meanwhile', by: newest?.by ?? '', text: newest?.text ?? '' }
    } else if ((newest?.text ?? '') === asked.text) return { outcome: 'as-it-was' }
    const text = asked.kind === 'note' ? asked.text : ''
    election.annotations.push({ id: String(this.nextId++), epoch, token, kind, at, by, text })
    return { outcome: 'written' }
  }

  async observedSince(name: string): Promise<Instant | null> {
    this.refuseIfFailing()
    const { keptSince, elections } = this.cluster(name)
    const ends = [...elections.values()].flatMap(({ terms }) => terms.flatMap(({ to }) => (to === null ? [] : [to])))
    return [...(keptSince === null ? [] : [keptSince]), ...ends].sort()[0] ?? null
  }

  async conditions({ cluster, from, to }: ConditionQuery): Promise<Conditions> {
    this.refuseIfFailing()
    const { conditions, gaps } = this.cluster(cluster)
    const isIn = (span: { from: Instant; to: Instant | null }) =>
      span.from < to && (span.to === null || span.to >= from)
    const oldestFirst = (a: { from: Instant }, b: { from: Instant }) => (a.from < b.from ? -1 : 1)
    return {
      conditions: [...conditions.values()].filter(isIn).sort(oldestFirst),
      gaps: gaps.filter(isIn).sort(oldestFirst),
    }
  }

  async flush(): Promise<HistoryState> {
    return this.state()
  }

  state(): HistoryState {
    if (this.failure === null) return { ok: true }
    return { ok: false, since: instant(this.clock.nowMs()), error: this.failure, dropped: 0 }
  }

  async close(): Promise<void> {}

  /** As if the server had been stopped and started. */
  restart(): void {
    for (const cluster of this.clusters.values()) cluster.downtime = undefined
  }

  private cluster(name: string): RememberedCluster {
    const cluster = this.clusters.get(name) ?? emptyCluster()
    this.clusters.set(name, cluster)
    return cluster
  }

  private election(name: string, from: ElectionIdentity): Remembered {
    const { ref, layout, prefix, prefixBase64, foundBy, confirmed } = from
    const { elections } = this.cluster(name)
    const known = elections.get(ref) ?? {
      activeMs: this.clock.nowMs(),
      terms: [],
      events: [],
      gaps: [],
      candidacies: [],
      annotations: [],
    }
    const election = { ...known, identity: { ref, layout, prefix, prefixBase64, foundBy, confirmed } }
    elections.set(ref, election)
    return election
  }

  private keepGap(name: string, gaps: Gap[], gap: Gap): void {
    if (!this.cluster(name).gaps.some(({ from }) => from === gap.from)) extendGap(gaps, gap)
  }

  private refuseIfFailing(): void {
    if (this.failure !== null) throw new HistoryUnavailable(this.failure)
  }
}
