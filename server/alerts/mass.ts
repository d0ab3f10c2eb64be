/** Many leaders lost at once: one event, whose elections need not each be told of. */
import { groupEnd, MASS_ELECTIONS } from '../../lib/election/incidents.ts'
import { isFailover, isPending } from '../../lib/election/terms.ts'
import type { Cluster, ElectionRef, ElectionState, Revision } from '../../lib/election/types.ts'
import { elapsedMs, type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { count, timeOfDay } from '../../lib/shared/format.ts'
import { keyOf } from './keeper.ts'
import type { Finding } from './rules/finding.ts'
import type { Thresholds } from './thresholds.ts'

/** After it the elections speak for themselves, unless somebody is still missing. */
const LASTS_MS = 5 * 60_000
const REMEMBERED_MS = 3_600_000
/** A cause that is not known by then will not be. */
const UNPROVEN_MS = 10_000
/** Looked for before the event, since many clients are slow to lose a lease. */
const RAFT_BEFORE_MS = 15_000
const NAMED = 5

interface Loss {
  ref: ElectionRef
  token: Revision
  atMs: number
}

interface Mass {
  /** Names it: its beginning, as it was recognised first, so the same after a restart. */
  about: string
  fromMs: number
  toMs: number
  refs: ReadonlySet<ElectionRef>
  /** Enough of them are known to be failovers. */
  proven: boolean
  isOver: boolean
}

/** Of one cluster. */
export class MassWatch {
  private readonly cluster: string
  private readonly states: ReadonlyMap<ElectionRef, ElectionState>
  private losses: Loss[] = []
  private masses: Mass[] = []
  private readonly newest = new Map<ElectionRef, Revision>()
  /** Of each election in an event that is not over, the event's key. */
  private readonly keys = new Map<ElectionRef, string>()
  private isDirty = false

  constructor(cluster: string, states: ReadonlyMap<ElectionRef, ElectionState>) {
    this.cluster = cluster
    this.states = states
  }

  /** Looks at ends of terms of these elections that are new. */
  note(refs: Iterable<ElectionRef>, now: Instant): void {
    const oldestMs = msOf(now) - REMEMBERED_MS
    for (const ref of refs) {
      const ended = this.states.get(ref)?.ended ?? []
      const last = ended.at(-1)
      if (last === undefined || this.newest.get(ref) === last.token) continue
      const known = this.newest.get(ref)
      const from = known === undefined ? 0 : ended.findLastIndex(({ token }) => token === known) + 1
      this.newest.set(ref, last.token)
      for (const { to, token, endedBy } of ended.slice(from)) {
        if (to === null || msOf(to) < oldestMs || !(isPending(endedBy) || isFailover(endedBy))) continue
        this.losses.push({ ref, token, atMs: msOf(to) })
        this.isDirty = true
      }
    }
  }

  /** The same, when there are new ones: many at once are weighed once. */
  weighNew(now: Instant): void {
    if (this.isDirty) this.weigh(now)
  }

  /** Causes come in after the end: what was no loss does not count. */
  weigh(now: Instant): void {
    this.isDirty = false
    this.keys.clear()
    if (this.losses.length === 0) {
      this.masses = []
      return
    }
    const nowMs = msOf(now)
    this.losses = this.losses
      .filter((loss) => nowMs - loss.atMs < REMEMBERED_MS && this.kindOf(loss, nowMs) !== 'none')
      .sort((a, b) => a.atMs - b.atMs)
    const masses: Mass[] = []
    const atMs = (index: number) => this.losses[index]?.atMs ?? 0
    for (let from = 0; from < this.losses.length; ) {
      const end = groupEnd(this.losses.length, atMs, from)
      const mass = this.massOf(this.losses.slice(from, end), nowMs)
      if (mass !== null) masses.push(mass)
      from = end
    }
    this.masses = masses
    for (const mass of masses) {
      if (mass.isOver) continue
      const key = keyOf({ cluster: this.cluster }, { rule: 'mass-event', about: mass.about })
      for (const ref of mass.refs) this.keys.set(ref, key)
    }
  }

  /** Key of the event that an election is in and that is not over; null where there is none. */
  keyFor(ref: ElectionRef): string | null {
    return this.keys.get(ref) ?? null
  }

  findings(cluster: Cluster, thresholds: Thresholds): Finding[] {
    const { severity, forMs, off } = thresholds['mass-event']
    if (off) return []
    return this.masses
      .filter((mass) => mass.proven && !mass.isOver)
      .map((mass) => ({
        rule: 'mass-event',
        severity,
        forMs,
        about: mass.about,
        subject: cluster.name,
        since: instant(mass.fromMs),
        summary: `${count(mass.refs.size, 'election')} of etcd cluster ${cluster.name} lost their leaders at once`,
        detail: `${this.story(mass, cluster)} ${this.rest(mass)}`,
      }))
  }

  private kindOf({ ref, token, atMs }: Loss, nowMs: number): 'proven' | 'open' | 'none' {
    const term = this.states.get(ref)?.ended.findLast((each) => each.token === token)
    if (term === undefined) return 'none'
    if (isFailover(term.endedBy)) return 'proven'
    return isPending(term.endedBy) && nowMs - atMs < UNPROVEN_MS ? 'open' : 'none'
  }

  private massOf(losses: readonly Loss[], nowMs: number): Mass | null {
    const refs = new Set(losses.map(({ ref }) => ref))
    if (refs.size < MASS_ELECTIONS) return null
    const proven = new Set(losses.filter((loss) => this.kindOf(loss, nowMs) === 'proven').map(({ ref }) => ref))
    const [first, last] = [losses[0], losses.at(-1)]
    if (first === undefined || last === undefined) return null
    const known = this.masses.find(({ fromMs, toMs }) => fromMs <= last.atMs && toMs >= first.atMs)
    const about = known?.about ?? String(first.atMs)
    const isOver = nowMs - last.atMs > LASTS_MS && this.missing(refs).length === 0
    return { about, fromMs: first.atMs, toMs: last.atMs, refs, proven: proven.size >= MASS_ELECTIONS, isOver }
  }

  private missing(refs: ReadonlySet<ElectionRef>): ElectionState[] {
    return [...refs].flatMap((ref) => {
      const state = this.states.get(ref)
      return state?.leaderlessSince == null ? [] : [state]
    })
  }

  private story({ fromMs, toMs, refs }: Mass, { raftLeaderChanges }: Cluster): string {
    const withinS = Math.max(1, Math.ceil((toMs - fromMs) / 1_000))
    const from = instant(fromMs)
    const change = raftLeaderChanges.findLast((at) => at <= instant(toMs) && elapsedMs(at, from) < RAFT_BEFORE_MS)
    const raft = change === undefined ? '' : ` The etcd raft leader changed at ${timeOfDay(change)} UTC.`
    return `${count(refs.size, 'election')} lost their leaders within ${withinS} s at ${timeOfDay(from)} UTC.${raft}`
  }

  private rest({ refs }: Mass): string {
    const missing = this.missing(refs)
    if (missing.length === 0) return 'All of them are led again.'
    const names = missing.slice(0, NAMED).map(({ prefix }) => prefix)
    const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
    return `${missing.length} ${missing.length === 1 ? 'has' : 'have'} no leader: ${names.join(', ')}${more}.`
  }
}
