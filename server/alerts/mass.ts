/** Many leaders lost at once: one event, whose elections need not each be told of. */
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { MASS_ELECTIONS, MASS_WINDOW_MS } from '../../lib/election/incidents.ts'
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
/** What is wrong with one of its elections because of it began so long before it at most, as a late lease does, … */
const BEFORE_MS = 120_000
/** … or so long after it. */
const AFTER_MS = 5_000
const NAMED = 5

interface Loss {
  ref: ElectionRef
  token: Revision
  atMs: number
}

interface Mass {
  /** Names it: its beginning, as it was recognised first, so the same after a restart. */
  about: string
  key: string
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
  private readonly view: ClusterView
  private losses: Loss[] = []
  private masses: Mass[] = []
  private readonly newest = new Map<ElectionRef, Revision>()
  /** Of each election, the events that it is in and that are not over. */
  private readonly byRef = new Map<ElectionRef, Mass[]>()
  private isDirty = false

  constructor(cluster: string, view: ClusterView) {
    this.cluster = cluster
    this.view = view
  }

  /** Looks at ends of terms of these elections that are new. */
  note(refs: Iterable<ElectionRef>, now: Instant): void {
    const oldestMs = msOf(now) - REMEMBERED_MS
    for (const ref of refs) {
      const ended = this.view.elections.get(ref)?.ended ?? []
      const last = ended.at(-1)
      const known = this.newest.get(ref)
      if (last === undefined || known === last.token) continue
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
    this.byRef.clear()
    if (this.losses.length === 0) {
      this.masses = []
      return
    }
    const nowMs = msOf(now)
    this.losses = this.losses
      .filter((loss) => nowMs - loss.atMs < REMEMBERED_MS && this.kindOf(loss, nowMs) !== 'none')
      .sort((a, b) => a.atMs - b.atMs)
    this.masses = chainsOf(this.losses).flatMap((chain) => this.massOf(chain, nowMs) ?? [])
    for (const mass of this.masses) {
      if (mass.isOver) continue
      for (const ref of mass.refs) this.byRef.set(ref, [...(this.byRef.get(ref) ?? []), mass])
    }
  }

  /** Key of the event that what is wrong with an election since then belongs to; null where it is a matter of its own. */
  keyFor(ref: ElectionRef, since: Instant): string | null {
    const atMs = msOf(since)
    const mass = this.byRef.get(ref)?.find(({ fromMs, toMs }) => fromMs - BEFORE_MS <= atMs && atMs <= toMs + AFTER_MS)
    return mass?.key ?? null
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

  /** What a rollback undid was lost by nobody: it has an alert of its own. */
  private kindOf({ ref, token, atMs }: Loss, nowMs: number): 'proven' | 'open' | 'none' {
    const endedBy = this.view.elections.get(ref)?.ended.findLast((each) => each.token === token)?.endedBy
    if (endedBy == null || endedBy.cause === 'store rolled back') return 'none'
    if (isFailover(endedBy)) return 'proven'
    return isPending(endedBy) && nowMs - atMs < UNPROVEN_MS ? 'open' : 'none'
  }

  private massOf(losses: readonly Loss[], nowMs: number): Mass | null {
    const [first, last] = [losses[0], losses.at(-1)]
    if (first === undefined || last === undefined || !isDense(losses)) return null
    const refs = new Set(losses.map(({ ref }) => ref))
    const proven = new Set(losses.filter((loss) => this.kindOf(loss, nowMs) === 'proven').map(({ ref }) => ref))
    const known = this.masses.find(({ fromMs, toMs }) => fromMs <= last.atMs && toMs >= first.atMs)
    const about = known?.about ?? String(first.atMs)
    const span = { fromMs: first.atMs, toMs: last.atMs, refs }
    return {
      about,
      key: keyOf({ cluster: this.cluster }, { rule: 'mass-event', about }),
      ...span,
      proven: proven.size >= MASS_ELECTIONS,
      isOver: nowMs - last.atMs > LASTS_MS && this.missing(span).length === 0,
    }
  }

  /** Those that nobody has led since it; one that is lost again later is another matter. */
  private missing({ toMs, refs }: Pick<Mass, 'toMs' | 'refs'>): ElectionState[] {
    return [...refs].flatMap((ref) => {
      const state = this.view.elections.get(ref)
      const since = state?.leaderlessSince
      return state === undefined || since == null || msOf(since) > toMs + AFTER_MS ? [] : [state]
    })
  }

  private story({ fromMs, toMs, refs }: Mass, { raftLeaderChanges }: Cluster): string {
    const withinS = Math.max(1, Math.ceil((toMs - fromMs) / 1_000))
    const from = instant(fromMs)
    const change = raftLeaderChanges.findLast((at) => at <= instant(toMs) && elapsedMs(at, from) < RAFT_BEFORE_MS)
    const raft = change === undefined ? '' : ` The etcd raft leader changed at ${timeOfDay(change)} UTC.`
    return `${count(refs.size, 'election')} lost their leaders within ${withinS} s at ${timeOfDay(from)} UTC.${raft}`
  }

  private rest(mass: Mass): string {
    const missing = this.missing(mass)
    if (missing.length === 0) return 'All of them are led again.'
    const names = missing.slice(0, NAMED).map((state) => this.view.nameOf(state))
    const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
    return `${missing.length} ${missing.length === 1 ? 'has' : 'have'} no leader: ${names.join(', ')}${more}.`
  }
}

/** Each loss follows the one before within the window: what is lost over six seconds is one event, too. */
function chainsOf(losses: readonly Loss[]): Loss[][] {
  const chains: Loss[][] = []
  for (const loss of losses) {
    const last = chains.at(-1)
    const before = last?.at(-1)
    if (last !== undefined && before !== undefined && loss.atMs - before.atMs <= MASS_WINDOW_MS) last.push(loss)
    else chains.push([loss])
  }
  return chains
}

/** Somewhere within it enough elections were lost within the window. */
function isDense(losses: readonly Loss[]): boolean {
  return losses.some((first, at) => {
    const within = new Set<ElectionRef>()
    for (let next = at; next < losses.length; next += 1) {
      const loss = losses[next]
      if (loss === undefined || loss.atMs - first.atMs > MASS_WINDOW_MS) break
      within.add(loss.ref)
      if (within.size >= MASS_ELECTIONS) return true
    }
    return false
  })
}
