/** Looks at every election and cluster: at once where something changed, and at all of them each second. */

import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import { isHolding, stoppedBy } from '../../lib/election/scopes.ts'
import type { ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { type Clock, type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { timeOfDay } from '../../lib/shared/format.ts'
import type { KeptAlert } from '../history/alert-store.ts'
import { clusterGoesOn, electionGoesOn, SETTLED_MS, type Sight } from './goes-on.ts'
import { type Keeper, keyOf } from './keeper.ts'
import { isOfMany, manyFindings, manyKey } from './many.ts'
import { MassWatch } from './mass.ts'
import type { RenewalWindow } from './renewal-window.ts'
import type { Certificate, Finding } from './rules/finding.ts'
import { historyUnwritten } from './rules/history-unwritten.ts'
import { clusterFindings, electionFindings } from './rules/index.ts'
import type { ThresholdBook, Thresholds } from './thresholds.ts'

/** A cluster as rules see it. */
export interface Watched {
  name: string
  view: ClusterView
  /** null: etcd did not tell. */
  alarms(): readonly { type: string; member: string }[] | null
  /** `isWhole`: every file and endpoint has shown its own. */
  certificates(): { known: readonly Certificate[]; isWhole: boolean }
  renewals: RenewalWindow
}

interface Own {
  watched: Watched
  mass: MassWatch
  /** Of the newest leader whose lease was looked up. */
  ttlMs: Map<ElectionRef, number>
  thresholds: Map<ElectionRef, Thresholds>
  /** Elections have been looked at since the view is live. */
  isSeen: boolean
  /** When that was so first, by the monotonic clock; null until then. */
  seenFirstMs: number | null
}

export interface EngineOptions {
  clock: Clock
  keeper: Keeper
  thresholds: ThresholdBook
  watched: readonly Watched[]
  /** Why history is not written; undefined while it is. */
  historyTrouble: () => string | undefined
  /** It is so for longer still: it is to be said again. */
  onReminder: (alert: KeptAlert, reminder: number) => void
}

export class Engine {
  private readonly options: EngineOptions
  private readonly clusters: ReadonlyMap<string, Own>
  private isFirst = true
  private readonly startedMs: number

  constructor(options: EngineOptions) {
    this.options = options
    this.startedMs = options.clock.monoMs()
    this.clusters = new Map(
      options.watched.map((watched) => [
        watched.name,
        {
          watched,
          mass: new MassWatch(watched.name, watched.view),
          ttlMs: new Map(),
          thresholds: new Map(),
          isSeen: false,
          seenFirstMs: null,
        },
      ]),
    )
  }

  /** Everything, as it is now. */
  pass(): void {
    const now = this.now()
    const { keeper, thresholds, historyTrouble } = this.options
    for (const own of this.clusters.values()) this.passCluster(own, now)
    const whole = historyUnwritten(historyTrouble(), thresholds.all)
    keeper.observe({ cluster: null }, thresholds.all['history-unwritten'].off ? [] : whole, {
      now,
      isFirst: this.isFirst,
      gaps: [],
      // Nothing has had to be written yet.
      goesOn: () => this.options.clock.monoMs() - this.startedMs < SETTLED_MS,
    })
    this.dropUnknown(now)
    this.isFirst = false
  }

  /** Elections that changed; null: what is stopped changed. */
  changed(cluster: string, refs: readonly ElectionRef[] | null): void {
    const own = this.clusters.get(cluster)
    if (own === undefined) return
    const now = this.now()
    if (refs === null || !own.isSeen) {
      this.passCluster(own, now)
      return
    }
    if (!isJudged(own)) return
    own.mass.note(refs, now)
    this.lookAt(own, refs, now)
  }

  /** Before `partOf` is asked for each alert. */
  weigh(): void {
    for (const { mass } of this.clusters.values()) mass.weighNew(this.now())
  }

  /** The alert that says already what this one says; null where none does. */
  partOf(alert: KeptAlert): string | null {
    if (alert.cluster === null) return null
    if (alert.rule === 'view-stale') {
      const key = keyOf({ cluster: alert.cluster }, { rule: 'quorum-lost', about: '' })
      return this.options.keeper.byKey(key) === undefined ? null : key
    }
    if (alert.ref === undefined || alert.rule === 'dual-claim') return null
    const own = this.clusters.get(alert.cluster)
    // What cannot be seen now, as right after a start, is as it was.
    if (own === undefined || !own.isSeen) return alert.partOf
    const keys = [own.mass.keyFor(alert.ref, alert.since), this.leaderlessKey(alert), this.manyKeyOf(alert)]
    return keys.find((key) => key !== null && this.says(key, alert)) ?? null
  }

  /** Whether elections of a cluster can be judged now: nothing is told before it was looked at. */
  sees(cluster: string | null): boolean {
    return cluster === null || this.clusters.get(cluster)?.isSeen === true
  }

  /** What is wrong with a leader is said when it is gone. */
  private leaderlessKey({ cluster, ref, rule }: KeptAlert): string | null {
    if (ref === undefined || (rule !== 'no-standby' && rule !== 'lease-margin')) return null
    return keyOf({ cluster }, { rule: 'leaderless', about: ref })
  }

  private manyKeyOf({ cluster, rule, told }: KeptAlert): string | null {
    return cluster === null || told || !isOfMany(rule) ? null : manyKey(cluster, rule)
  }

  /** Only those who get the one can do without the other. A mass event is sure before its causes are. */
  private says(key: string, alert: KeptAlert): boolean {
    const { keeper, thresholds } = this.options
    const open = keeper.byKey(key)
    const isEvent = key.includes('/mass-event/')
    if (isEvent && thresholds.all['mass-event'].off) return false
    const severity = isEvent ? thresholds.all['mass-event'].severity : open?.severity
    if (severity === undefined || key === alert.key) return false
    return severity === 'critical' || alert.severity === 'warning'
  }

  private now(): Instant {
    return instant(this.options.clock.nowMs())
  }

  private passCluster(own: Own, now: Instant): void {
    const { view } = own.watched
    if (isJudged(own)) {
      const isFirst = !own.isSeen
      own.mass.note(view.elections.keys(), now)
      own.mass.weigh(now)
      this.lookAt(own, view.elections.keys(), now, isFirst)
      this.forget(own, now, isFirst)
      const isFirstEver = own.seenFirstMs === null
      own.isSeen = true
      own.seenFirstMs ??= this.options.clock.monoMs()
      this.lookAtCluster(own, now, { isFirst, isFirstEver })
    } else {
      own.isSeen = false
      this.lookAtCluster(own, now, { isFirst: false, isFirstEver: this.isFirst })
    }
  }

  private lookAtCluster(
    { watched, mass, isSeen, seenFirstMs }: Own,
    now: Instant,
    { isFirst, isFirstEver }: { isFirst: boolean; isFirstEver: boolean },
  ): void {
    const { keeper, thresholds } = this.options
    const cluster = watched.view.info
    const alarms = watched.alarms()
    const certificates = watched.certificates()
    const found: Finding[] = [
      ...clusterFindings({
        cluster,
        now,
        thresholds: thresholds.all,
        alarms,
        certificates: certificates.known,
      }),
      ...mass.findings(cluster, thresholds.all),
      ...(isSeen ? manyFindings(watched.name, this.firingIn(watched.name), thresholds.all) : []),
    ]
    const sight: Sight = {
      cluster,
      isSeen,
      wasSeen: seenFirstMs !== null,
      knowsAlarms: alarms !== null,
      knowsCertificates: certificates.isWhole,
    }
    const goesOn = (alert: KeptAlert) => clusterGoesOn(alert, sight)
    keeper.observe({ cluster: watched.name }, found, {
      now,
      isFirst: isFirst || this.isFirst,
      gaps: cluster.gaps,
      goesOn,
      ...(isFirstEver ? {} : { exact: ALWAYS_SEEN }),
    })
    for (const { reminder = 0, ...finding } of found) {
      const alert = reminder > 0 ? keeper.byKey(keyOf({ cluster: watched.name }, finding)) : undefined
      if (alert !== undefined && alert.stage === 'firing' && reminder > alert.reminded) {
        this.options.onReminder(alert, reminder)
      }
    }
  }

  private firingIn(name: string): KeptAlert[] {
    return [...this.options.keeper.current()].filter(
      ({ cluster, ref, stage }) => cluster === name && ref !== undefined && stage === 'firing',
    )
  }

  private lookAt(own: Own, refs: Iterable<ElectionRef>, now: Instant, isFirst = false): void {
    const { keeper } = this.options
    const { view } = own.watched
    const { info } = view
    const nowMs = msOf(now)
    const seenForMs = this.options.clock.monoMs() - (own.seenFirstMs ?? Number.POSITIVE_INFINITY)
    const holding = (info.switches ?? []).filter(isHolding)
    for (const ref of refs) {
      const state = view.elections.get(ref)
      if (state === undefined) continue
      const leader = leaderOf(state.candidates)
      const findings = electionFindings({
        state,
        cluster: info,
        name: view.nameOf(state),
        now,
        thresholds: this.thresholdsOf(own, state),
        leader,
        stopped: holding.length === 0 ? null : stoppedBy(state.prefixBase64, holding),
        ttlMs: ttlOf(own, state),
        renewals: (overMs) => own.watched.renewals.over(ref, nowMs, overMs),
      })
      keeper.observe({ cluster: info.name, ref }, findings, {
        now,
        isFirst,
        gaps: state.gaps,
        clusterGaps: info.gaps,
        goesOn: (alert) => electionGoesOn(alert, { seenForMs, isLed: leader !== null }),
        token: leader?.createRevision ?? null,
        endWords: (alert) => ledAgain(alert, state),
      })
    }
  }

  private thresholdsOf(own: Own, { ref, prefix }: ElectionState): Thresholds {
    const known = own.thresholds.get(ref)
    if (known !== undefined) return known
    const thresholds = this.options.thresholds.of(prefix)
    own.thresholds.set(ref, thresholds)
    return thresholds
  }

  /** Of elections that are not in the list any more nothing is known. */
  private forget(own: Own, now: Instant, isFirst: boolean): void {
    const { keeper } = this.options
    const { elections } = own.watched.view
    for (const scope of keeper.scopes()) {
      if (scope.cluster !== own.watched.name || scope.ref === undefined || elections.has(scope.ref)) continue
      keeper.observe(scope, [], { now, isFirst, gaps: [], endWords: () => LEFT_THE_LIST })
      own.ttlMs.delete(scope.ref)
      own.thresholds.delete(scope.ref)
      own.watched.renewals.forget(scope.ref)
    }
  }

  /** A cluster that is not configured any more. */
  private dropUnknown(now: Instant): void {
    if (!this.isFirst) return
    for (const scope of this.options.keeper.scopes()) {
      if (scope.cluster !== null && !this.clusters.has(scope.cluster)) {
        this.options.keeper.observe(scope, [], { now, isFirst: true, gaps: [] })
      }
    }
  }
}

/** They are about the view itself. */
const ALWAYS_SEEN: ReadonlySet<KeptAlert['rule']> = new Set(['quorum-lost', 'view-stale', 'store-rolled-back'])

/** What is not current, or was rolled back, says nothing of any election: what fired goes on, and nothing new begins. */
function isJudged({ watched: { view } }: Own): boolean {
  return view.info.freshness === 'live' && view.info.rolledBack === undefined
}

const LEFT_THE_LIST =
  'Nobody has competed for it for a day: it left the list, and whether anybody leads is not looked at any more.'

/** Who leads now is what a reader of its end wants to know. */
function ledAgain({ rule }: KeptAlert, { term }: ElectionState): string | undefined {
  if (rule !== 'leaderless' || term === null) return undefined
  const who = term.leader.identity || '(empty)'
  return `${who} leads since ${timeOfDay(term.from)} UTC.`
}

function ttlOf({ ttlMs }: Own, { ref, candidates }: ElectionState): number | null {
  const granted = leaderOf(candidates)?.ttl?.grantedMs
  if (granted !== undefined) {
    ttlMs.set(ref, granted)
    return granted
  }
  return ttlMs.get(ref) ?? candidates.find(({ ttl }) => ttl !== null)?.ttl?.grantedMs ?? null
}
