/** What viewers are told of the cluster itself, and the log lines about its troubles. */
import type { AlertsTold } from '../../lib/election/alerts.ts'
import type { Rollback } from '../../lib/election/epoch.ts'
import { isNewer, ZERO } from '../../lib/election/ids.ts'
import type { Header } from '../../lib/election/ports.ts'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import type { Cluster, ElectionRef, Gap, Revision } from '../../lib/election/types.ts'
import { type Clock, type Instant, instant } from '../../lib/shared/clock.ts'
import { compareDecimal } from '../../lib/shared/decimal.ts'
import type { History } from '../history/history.ts'
import { ConditionKeeper } from './condition-keeper.ts'
import type { Elections } from './elections.ts'
import type { FreshnessMeter } from './freshness.ts'
import type { Hub } from './hub.ts'
import type { LeaseWatch } from './lease-watch.ts'
import { hexId, type Members } from './members.ts'
import { ProbeTimes } from './probe-times.ts'
import type { ProvenRevisions } from './proven-revisions.ts'
import { StopKeeper } from './stop-keeper.ts'
import { type SeenSwitch, type SwitchesRead, SwitchMemory } from './switch-memory.ts'
import type { Troubles } from './troubles.ts'

const HOUR_MS = 3_600_000

/** It goes to every viewer every second: the newest steps have to do. */
const TOLD_STEPS = 10

function toldOf({ record, ...standing }: SeenSwitch): StandingSwitch {
  return { ...standing, record: record && { ...record, log: record.log.slice(-TOLD_STEPS) } }
}

interface ClusterInfoOptions {
  name: string
  history: History
  hub: Hub
  clock: Clock
  troubles: Troubles
  elections: Elections
  members: Members
  meter: FreshnessMeter
  leases: LeaseWatch
  proven: ProvenRevisions
}

export class ClusterInfo {
  /** As read last; undefined until then. */
  private switches: readonly StandingSwitch[] | undefined
  private switchesError: string | undefined
  private readonly stops: StopKeeper
  private readonly conditions: ConditionKeeper
  private handingOff: readonly ElectionRef[] = []
  private alerts: AlertsTold | undefined
  readonly switchMemory = new SwitchMemory()
  readonly switchListeners = new Set<() => void>()
  private missingRights: readonly string[] = []
  private readonly options: ClusterInfoOptions
  private readonly probes = new ProbeTimes()
  private staleSince: Instant | null = null
  private gaps: Gap[] = []
  /** What the account may not read, in words. */
  limits: string | null = null
  epoch = 0
  /** The newest epoch that etcd itself is known to have held. */
  storedEpoch = 0
  /** What earlier runs left has been read, so that a mark of this run may replace theirs. */
  remembering = false
  private rollback: Rollback | undefined
  private header: Header | null = null
  /** The raft term, and when it answered first. */
  private raft: { term: string; since: Instant } | null = null
  private raftLeaderChanges: Instant[] = []

  constructor(options: ClusterInfoOptions) {
    this.options = options
    this.stops = new StopKeeper(options)
    this.conditions = new ConditionKeeper(options)
  }

  clusterId(): string | undefined {
    return this.header?.clusterId
  }

  highRevision(): Revision {
    return this.header?.revision ?? ZERO
  }

  /** Says so when an answer comes from another cluster than the one that is watched. */
  strangerIn(header: Header): string | null {
    const own = this.header?.clusterId
    if (own === undefined || own === header.clusterId) return null
    return `an endpoint answers for cluster ${hexId(header.clusterId)}, but ${hexId(own)} is watched: give each cluster a name of its own`
  }

  /** An earlier run saw it, and nobody has acknowledged it since. */
  stillRolledBack(rollback: Rollback): void {
    this.rollback = rollback
  }

  /** Somebody looked at what is in etcd now: it counts. */
  acknowledgeRollback(): void {
    this.rollback = undefined
    this.update(true)
    const at = this.options.meter.provenAt()
    if (at !== null) this.seen(this.highRevision(), at)
  }

  rolledBack(rollback: Rollback): void {
    this.rollback = rollback
    this.options.proven.reset()
    if (this.header !== null) this.header = { ...this.header, revision: rollback.to }
  }

  /** Takes a heartbeat's answer; true when the members should be asked who leads etcd now. */
  answered(header: Header): boolean {
    const before = this.header
    if (before === null || isNewer(header.revision, before.revision)) this.header = header
    this.options.proven.proven(header.revision)
    const now = instant(this.options.clock.nowMs())
    const provenAt = this.options.meter.provenAt()
    if (this.remembering && provenAt !== null) this.seen(this.highRevision(), provenAt)
    this.options.troubles.resolved('heartbeat')
    if (this.raft === null || compareDecimal(header.raftTerm, this.raft.term) > 0) {
      this.raft = { term: header.raftTerm, since: now }
    }
    if (before === null || compareDecimal(header.raftTerm, before.raftTerm) <= 0) return false
    this.raftLeaderChanges.push(now)
    this.header = { ...header, revision: this.header?.revision ?? header.revision }
    return true
  }

  /** Leaves a mark for the next run: so far did this one see. */
  seen(revision: Revision, at: Instant): void {
    const clusterId = this.header?.clusterId
    const { rollback, storedEpoch } = this
    const memory = {
      ...(clusterId ? { clusterId } : {}),
      ...(storedEpoch > 0 ? { storedEpoch } : {}),
      ...(rollback ? { rolledBack: rollback } : {}),
    }
    this.options.history.alive(this.options.name, { ...memory, at, epoch: this.epoch, revision })
  }

  /** null: the member did not answer. */
  probed(endpoint: string, rttMs: number | null): void {
    const { members, clock, history, name } = this.options
    members.noteRtt(endpoint, rttMs)
    // Under its address it would be another series for ever.
    const member = members.memberAt(endpoint)
    if (member !== null && this.remembering) this.conditions.probed(member, rttMs)
    if (rttMs === null) return
    this.probes.add(clock.monoMs(), rttMs)
    if (member !== null) history.sample({ cluster: name, source: 'probe', member }, instant(clock.nowMs()), rttMs)
  }

  private noteConditions(): void {
    if (!this.remembering) return
    const { meter, members } = this.options
    this.conditions.seen({
      answeredAt: meter.answeredAt(),
      quorumLost: meter.quorumLost(),
      raft: this.raft && { ...this.raft, leader: members.raftLeaderIn(this.raft.term) },
      alarms: members.activeAlarms(),
    })
  }

  addGap(gap: Gap): void {
    this.gaps.push(gap)
  }

  /** Viewers are told at once: what is stopped is nothing to wait for. */
  switchesAre(read: SwitchesRead, isAside = false): void {
    if (!this.switchMemory.take(read, instant(this.options.clock.nowMs()), isAside)) return
    const switches = read.switches.map(toldOf)
    const isNew = JSON.stringify(switches) !== JSON.stringify(this.switches) || this.switchesError !== undefined
    this.switches = switches
    this.switchesError = undefined
    if (!isNew) return
    this.update(true)
    void this.stops.follow(switches).then(() => this.update(true))
    for (const listener of this.switchListeners) listener()
  }

  /** What is wrong, by the rules for alerts. */
  alertsAre(told: AlertsTold): void {
    this.alerts = told
    this.update(true)
  }

  handingOffAre(refs: readonly ElectionRef[]): void {
    this.handingOff = refs
    this.update(true)
  }

  switchesUnreadable(reason: string): void {
    if (this.switchesError === reason) return
    this.switchesError = reason
    this.update(true)
  }

  /** What this account may not do, in words; nothing when it may do everything, or when etcd does not tell. */
  rightsAre(missing: readonly string[]): void {
    if (JSON.stringify(missing) === JSON.stringify(this.missingRights)) return
    this.missingRights = missing
    this.update(true)
  }

  /** The same, when the freshness is another than the view's. */
  updateIfTurned(): boolean {
    const { meter, elections } = this.options
    if (meter.read().freshness === elections.view.info.freshness) return false
    this.update()
    return true
  }

  /** Puts the newest state into the view; viewers get it with the next heartbeat, or at once when it turned. */
  update(atOnce = false): void {
    const { elections, meter, members, clock, leases, hub, history } = this.options
    const now = instant(clock.nowMs())
    const wasUnwritten = elections.view.info.historyError !== undefined
    const before = lasting(elections.view.info)
    const state = meter.read()
    this.noteGap(state.freshness === 'live', state.asOf, state.reason, now)
    this.noteConditions()
    const hourAgo = instant(clock.nowMs() - HOUR_MS)
    this.raftLeaderChanges = this.raftLeaderChanges.filter((at) => at > hourAgo)
    this.gaps = this.gaps.filter(({ to }) => to > hourAgo)
    const written = history.state()
    if (written.ok && wasUnwritten) elections.recordQueues()
    const switchTroubles = this.switchMemory.tell(now)
    const info: Cluster = {
      ...before,
      ...state,
      clusterId: this.header?.clusterId ?? before.clusterId,
      revision: this.header?.revision ?? before.revision,
      raftTerm: this.header?.raftTerm ?? before.raftTerm,
      members: members.summaries(),
      probeP95Ms: this.probes.p95Ms(clock.monoMs()),
      raftLeaderChanges: this.raftLeaderChanges,
      gaps: this.gaps,
      sampling: leases.sampling(),
      epoch: this.epoch,
      ...(state.reason === undefined && this.limits !== null ? { reason: this.limits } : {}),
      ...(this.rollback ? { rolledBack: this.rollback } : {}),
      ...(written.ok ? {} : { historyError: written.error }),
      ...(this.switches ? { switches: this.switches, stops: this.stops.recent() } : {}),
      ...(this.switchesError ? { switchesError: this.switchesError } : {}),
      ...(this.alerts ? { alerts: this.alerts } : {}),
      ...(this.handingOff.length > 0 ? { handingOff: this.handingOff } : {}),
      ...(switchTroubles.length > 0 ? { switchTroubles } : {}),
      ...(this.missingRights.length > 0 ? { missingRights: this.missingRights } : {}),
    }
    const turned = atOnce || info.freshness !== before.freshness
    const change = { type: 'cluster', cluster: info.name, info } as const
    elections.view.apply(change)
    if (turned) hub.push([change])
    if (state.freshness !== 'live' && state.asOf !== null)
      this.options.troubles.note('heartbeat', state.reason ?? state.freshness)
  }

  /** Time that could not be confirmed becomes a gap when it is over. */
  private noteGap(live: boolean, asOf: Instant | null, reason: string | undefined, now: Instant): void {
    if (!live) {
      this.staleSince ??= asOf
      this.lastReason = reason ?? this.lastReason
    } else if (this.staleSince !== null) {
      const gap = { from: this.staleSince, to: now, reason: this.lastReason }
      this.staleSince = null
      this.gaps.push(gap)
      this.options.history.recordGap(this.options.name, gap)
    }
  }
  private lastReason = 'not confirmed'
}

/** Told only while it is so. */
const PASSING = [
  'reason',
  'historyError',
  'rolledBack',
  'switchesError',
  'switchTroubles',
  'missingRights',
  'handingOff',
] as const

function lasting(info: Cluster): Omit<Cluster, (typeof PASSING)[number]> {
  const rest = { ...info }
  for (const field of PASSING) delete rest[field]
  return rest
}
