/** Watches one cluster: list at one revision, follow from the next, resume, and re-list when in doubt. */
import type { AlertsTold } from '../../lib/election/alerts.ts'
import { isNewer, ZERO } from '../../lib/election/ids.ts'
import { EtcdError, type Header } from '../../lib/election/ports.ts'
import type { ElectionRef, Revision } from '../../lib/election/types.ts'
import { backoffMs, sleep } from '../../lib/shared/abort.ts'
import { fromLatin1 } from '../../lib/shared/bytes.ts'
import { instant } from '../../lib/shared/clock.ts'
import { ClusterInfo } from './cluster-info.ts'
import { ElectionIndex } from './election-index.ts'
import { Elections } from './elections.ts'
import { type Cursor, followEvents } from './event-stream.ts'
import { FreshnessMeter, STALE_AFTER_MS, sentNow } from './freshness.ts'
import { runHeartbeat } from './heartbeat.ts'
import { LeaseMetrics } from './lease-metrics.ts'
import { LeaseWatch } from './lease-watch.ts'
import { listAll } from './listing.ts'
import { ListingIntake } from './listing-intake.ts'
import { MemberRounds } from './member-rounds.ts'
import { Members } from './members.ts'
import { ProvenRevisions } from './proven-revisions.ts'
import { Reported } from './reported.ts'
import { failuresAfter } from './retry.ts'
import { watchRights } from './rights.ts'
import { explainByStop } from './stop-evidence.ts'
import type { SwitchMemory } from './switch-memory.ts'
import { runSwitchWatch } from './switch-watch.ts'
import { Troubles } from './troubles.ts'
import { mergePrefixes } from './watched-prefixes.ts'
import { emptyInfo, type WatcherOptions } from './watcher-options.ts'

const CHORES_EVERY_MS = 500
const FIRST_RETRY_MS = 100
/** A member that cannot be reached does no work for the asking, and every wait is added to the outage. */
const longestRetryMs = (error: unknown) => (error instanceof EtcdError && error.kind === 'unavailable' ? 500 : 5_000)

export class ClusterWatcher {
  readonly elections: Elections
  readonly members: Members
  readonly leases: LeaseWatch
  readonly reported: Reported
  private readonly options: WatcherOptions
  private readonly index: ElectionIndex
  private readonly meter: FreshnessMeter
  private readonly troubles: Troubles
  private readonly info: ClusterInfo
  private readonly intake: ListingIntake
  private readonly stopping = new AbortController()
  private readonly prefixes: readonly string[]
  private following = new AbortController()
  private cursors: Cursor[] = []
  private listed = false
  private readonly proven: ProvenRevisions
  private readonly rounds: MemberRounds
  private readonly leaseMetrics: LeaseMetrics | null
  private listedAt: Revision = ZERO
  private running: Promise<unknown> = Promise.resolve()
  /** From the first list request to the first snapshot, for the log and the bench. */
  coldStartMs: number | null = null

  constructor(options: WatcherOptions) {
    this.options = options
    this.prefixes = mergePrefixes(options.watch)
    this.index = new ElectionIndex(options.layouts, options.metaPrefix)
    this.meter = new FreshnessMeter(options.clock)
    this.proven = new ProvenRevisions(options.clock)
    this.members = new Members(options.etcd, this.proven)
    this.elections = new Elections({
      info: emptyInfo(options),
      index: this.index,
      history: options.history,
      hub: options.hub,
      clock: options.clock,
      onPending: (ref, ended, before) => this.leases.explain(ref, ended, before),
    })
    this.troubles = new Troubles({ cluster: options.name, clock: options.clock, log: options.log })
    const { elections, members, meter, proven, troubles } = this
    const onTrouble = (words: string) => troubles.note('metrics', words)
    this.leaseMetrics = options.metrics
      ? new LeaseMetrics({ ...options.metrics, clock: options.clock, onTrouble })
      : null
    this.leases = new LeaseWatch({
      ...options,
      elections,
      members,
      unseenMs: () => meter.unseenMs(),
      leaseMetrics: this.leaseMetrics,
      duringStop: (ref, end, endedBy) =>
        explainByStop(this.options, this.info, { ref, end, endedBy }, this.stopping.signal),
    })
    const { leases } = this
    this.reported = new Reported({ ...options, elections, troubles })
    this.info = new ClusterInfo({ ...options, elections, members, meter, leases, troubles, proven })
    this.rounds = new MemberRounds({
      ...options,
      members,
      probe: options.probe && !options.readOnly,
      onProbe: (endpoint, rttMs) => this.info.probed(endpoint, rttMs),
    })
    this.intake = new ListingIntake({ ...options, elections, leases, index: this.index, info: this.info })
  }

  start(): void {
    const { signal } = this.stopping
    this.options.hub.beforeTelling(() => this.refresh())
    this.running = Promise.all([
      this.follow(signal),
      this.beat(signal),
      this.chores(signal),
      this.leases.run(signal),
      this.rounds.run(signal),
      this.leaseMetrics?.run(signal),
      watchRights({ ...this.options, onMissing: (missing) => this.info.rightsAre(missing) }, signal),
      runSwitchWatch(
        {
          ...this.options,
          onSwitches: (read) => this.info.switchesAre(read),
          onUnreadable: (reason) => this.info.switchesUnreadable(reason),
        },
        signal,
      ),
    ])
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
    this.reported.stop()
  }

  /** Before somebody is told: whether the view is current is a matter of time, too. */
  refresh(): void {
    this.info.updateIfTurned()
  }

  heartbeatAgeMs(): number {
    return this.meter.ageMs()
  }

  acknowledgeRollback(): void {
    this.info.acknowledgeRollback()
  }

  /** What pages are to be told is wrong. */
  alertsAre(told: AlertsTold): void {
    this.info.alertsAre(told)
  }

  /** Elections with a handoff that has no outcome yet. */
  handingOff(refs: readonly ElectionRef[]): void {
    this.info.handingOffAre(refs)
  }

  /** Calls after keys of elections may have changed, or (null) the switches. Answers a stop. */
  onChange(listener: (refs: readonly ElectionRef[] | null) => void): () => void {
    return this.heard(listener, this.elections.onMoved(listener))
  }

  /** The same after anything of elections changed: leases, claims and causes too. */
  onEvery(listener: (refs: readonly ElectionRef[] | null) => void): () => void {
    return this.heard(listener, this.elections.onEvery(listener))
  }

  private heard(listener: (refs: null) => void, stop: () => void): () => void {
    const onSwitches = () => listener(null)
    this.info.switchListeners.add(onSwitches)
    return () => {
      stop()
      this.info.switchListeners.delete(onSwitches)
    }
  }

  get switchMemory(): SwitchMemory {
    return this.info.switchMemory
  }

  /** The whole value of one key, read from etcd now; null when the key is not there. */
  async valueOf(key: Uint8Array): Promise<Uint8Array | null> {
    const { signal } = this.stopping
    const { kvs } = await this.options.etcd.range({ key, limit: 1 }, { deadlineMs: 5_000, signal })
    return kvs[0]?.value ?? null
  }

  /** Re-reads the members, at most as often as somebody looks. */
  async lookAtMembers(): Promise<void> {
    await this.members.refresh(this.stopping.signal)
  }

  private async follow(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      let openedMs = Number.POSITIVE_INFINITY
      try {
        if (!this.listed) await this.list(signal)
        openedMs = this.options.clock.monoMs()
        this.following = new AbortController()
        await followEvents(this.options.etcd, this.cursors, AbortSignal.any([signal, this.following.signal]), {
          created: (revision, endpoint) => this.leaveWhenLagging(revision, endpoint),
          current: (revision, endpoint) => this.watching(revision, endpoint),
          revision: (group) => {
            const late = this.meter.unseenMs() > STALE_AFTER_MS
            this.elections.revision(group, instant(this.options.clock.nowMs()), late)
          },
        })
      } catch (error) {
        if (signal.aborted) return
        const lastedMs = this.options.clock.monoMs() - openedMs
        failures = failuresAfter(failures, lastedMs, error instanceof EtcdError ? error.kind : null)
        this.broke(error)
        await sleep(backoffMs(failures, FIRST_RETRY_MS, longestRetryMs(error)), signal)
      }
    }
  }

  private watching(revision: Revision, endpoint: string): void {
    this.leaveWhenLagging(revision, endpoint)
    // The only member there is may lag, or be back from a restore: no proof, but nobody else to turn to.
    if (isNewer(this.proven.due(), revision) || isNewer(this.listedAt, revision)) return
    this.meter.watching()
    this.troubles.resolved('watch')
    this.info.updateIfTurned()
  }

  /** A member that has not come to what was proven a second ago shows the past: another one is watched instead. */
  private leaveWhenLagging(revision: Revision, endpoint: string): void {
    const due = this.proven.due()
    if (!isNewer(due, revision) || this.options.etcd.endpoints.length < 2) return
    const name = this.members.nameAt(endpoint)
    const words = `${name} lags: its watch stood at revision ${revision} when etcd had come to ${due}`
    throw new EtcdError('unavailable', words, endpoint)
  }

  private broke(error: unknown): void {
    const { etcd } = this.options
    const reason = error instanceof Error ? error.message : String(error)
    this.meter.notWatching(reason)
    this.troubles.note('watch', reason)
    this.rounds.doubt()
    if (!(error instanceof EtcdError)) this.listed = false
    else if (error.kind === 'compacted' || error.kind === 'future-revision') this.listed = false
    else if (error.endpoint !== '') etcd.avoid(error.endpoint)
  }

  /** Reads everything at one revision; the cursors then stand there. */
  private async list(signal: AbortSignal): Promise<void> {
    const { clock, etcd, log, name } = this.options
    const startedMs = clock.monoMs()
    const blindSince = this.meter.blindSince() ?? instant(clock.nowMs())
    await this.members.refresh(signal)
    const mixed = this.members.mixedClusters()
    if (mixed !== null) throw new EtcdError('other', mixed, '')
    const high = this.info.highRevision()
    const begun = sentNow(clock)
    const { revision, found, cursors, limits } = await listAll({
      etcd,
      index: this.index,
      prefixes: this.prefixes,
      signal,
    })
    const moment = { at: instant(clock.nowMs()), revision }
    this.info.limits = limits
    this.cursors = cursors
    const first = this.coldStartMs === null
    if (first) await this.intake.first(found, moment, signal)
    else if (isNewer(high, revision)) await this.intake.rolledBack(found, moment, { high, signal })
    else this.intake.again(found, moment, { from: blindSince, to: moment.at, reason: 'events were compacted or lost' })
    this.meter.listed(begun)
    this.listedAt = revision
    this.proven.proven(revision)
    this.info.seen(revision, begun.at)
    this.listed = true
    this.info.update()
    if (first) this.coldStartMs = clock.monoMs() - startedMs
    const ms = Math.round(clock.monoMs() - startedMs)
    log.info(
      { cluster: name, keys: this.index.keys, elections: found.length, revision, ms, ...(limits ? { limits } : {}) },
      first ? 'listed' : 'listed again',
    )
  }

  private beat(signal: AbortSignal): Promise<void> {
    const { etcd, clock } = this.options
    const key = () => this.cursors[0]?.range.key ?? fromLatin1(this.prefixes[0] || '/')
    const high = () => this.info.highRevision()
    const accept = (header: Header, highAtSend: Revision) => this.answered(header, highAtSend)
    const onTurn = () => {
      // Who answers and who leads may be another than before the outage.
      if (this.info.updateIfTurned()) void this.members.refresh(signal)
    }
    return runHeartbeat({ etcd, clock, key, meter: this.meter, high, accept, onTurn }, signal)
  }

  /** Linearizable, and sent when `highAtSend` had been seen: a lower revision can only be another store. */
  private answered(header: Header, highAtSend: Revision): boolean {
    const stranger = this.info.strangerIn(header)
    if (stranger !== null) {
      this.troubles.note('heartbeat', stranger)
      return false
    }
    const high = this.info.highRevision()
    if (this.listed && isNewer(highAtSend, header.revision) && isNewer(high, header.revision)) {
      this.listed = false
      this.meter.notWatching(`the store answered at revision ${header.revision} after ${highAtSend}`)
      this.following.abort()
      return false
    }
    if (this.info.answered(header)) void this.members.refresh(this.stopping.signal)
    return true
  }

  private async chores(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      this.leases.track()
      this.reported.tend()
      this.info.update()
      if (turn % 120 === 119) this.elections.forgetEmpty()
      await sleep(CHORES_EVERY_MS, signal)
    }
  }
}
