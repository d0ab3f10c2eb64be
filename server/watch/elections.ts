/** The elections of one cluster on the server: every change goes through the reducer, into history, and out. */
import { queueChange } from '../../lib/election/candidacies.ts'
import type { ElectionChange, Fact, Seed } from '../../lib/election/changes.ts'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import { parseRef } from '../../lib/election/ids.ts'
import { EMPTY_FOR_MS } from '../../lib/election/past.ts'
import { kindOf } from '../../lib/election/status.ts'
import { isPending } from '../../lib/election/terms.ts'
import type { Cluster, ElectionRef, ElectionState, Gap, Revision, Term } from '../../lib/election/types.ts'
import { type Clock, elapsedMs, type Instant, instant } from '../../lib/shared/clock.ts'
import type { ElectionIdentity, History, KnownElection } from '../history/history.ts'
import type { ElectionIndex, Found, Moment, RoutedChange } from './election-index.ts'
import type { RevisionEvents } from './event-stream.ts'
import type { Hub } from './hub.ts'

const MOVES: ReadonlySet<ElectionChange['type']> = new Set([
  'opened',
  'revision',
  'relisted',
  'rolled-back',
  'confirmed',
])
const CONFIRMED_BY = 'confirmed by '

export interface ElectionsOptions {
  info: Cluster
  index: ElectionIndex
  history: History
  hub: Hub
  clock: Clock
  /** A term ended and its cause is open: `state` is that before the end. */
  onPending: (ref: ElectionRef, ended: { term: Term; revision: Revision }, before: ElectionState | undefined) => void
}

/** What earlier runs knew. */
export interface Past {
  elections: readonly KnownElection[]
  /** Of elections that came back after a long time. */
  seeds: ReadonlyMap<ElectionRef, Seed>
  /** The store was rolled back since then, from this revision. */
  rolledBackFrom?: Revision
  /** The time since they were last watched. */
  unseen?: Gap
}

/** A term whose end was seen, but not its cause. */
export interface LeftOpen {
  ref: ElectionRef
  term: Term
}

export class Elections {
  readonly view: ClusterView
  private readonly options: ElectionsOptions
  private readonly listeners = new Set<(refs: readonly ElectionRef[]) => void>()
  private readonly hearers = new Set<(refs: readonly ElectionRef[]) => void>()

  constructor(options: ElectionsOptions) {
    this.options = options
    this.view = new ClusterView(options.info)
    options.hub.add(this.view)
  }

  /** The first listing: what is there, together with what earlier runs knew. Returns what they left to be looked up. */
  open(found: readonly Found[], past: Past, moment: Moment): LeftOpen[] {
    const remembered = new Map(past.elections.map((election) => [election.ref, election.seed]))
    for (const { ref, foundBy } of past.elections) {
      if (foundBy.startsWith(CONFIRMED_BY)) this.options.index.confirm(ref, foundBy)
    }
    const there = new Set(found.map(({ ref }) => ref))
    const gone = past.elections.filter(({ ref }) => !there.has(ref)).map((election) => this.recall(election))
    this.publish(
      [...found, ...gone].map((each) => {
        const seed = remembered.get(each.ref) ?? past.seeds.get(each.ref)
        const opened = this.options.index.opening(each, moment, false)
        const { rolledBackFrom, unseen } = past
        return {
          ref: each.ref,
          change: seed
            ? { ...opened, seed, ...(unseen ? { unseen } : {}), ...(rolledBackFrom ? { rolledBackFrom } : {}) }
            : opened,
        }
      }),
    )
    return [...this.view.elections.values()].flatMap(({ ref, ended }) =>
      ended.filter(({ endedBy }) => isPending(endedBy)).map((term) => ({ ref, term })),
    )
  }

  /** A listing after `gap`: elections that are new to us were found, not seen to begin. */
  relist(found: readonly Found[], moment: Moment, gap: Gap): void {
    const { index } = this.options
    this.publish(
      found.map((each) => ({
        ref: each.ref,
        change: this.view.elections.has(each.ref)
          ? { type: 'relisted', ...moment, keys: index.keysOf(each), gap }
          : index.opening(each, moment, false),
      })),
    )
  }

  /** Everything known is over; what was found counts in `epoch`. */
  rollBack(found: readonly Found[], moment: Moment, rollback: { epoch: number; from: Revision }): void {
    const { index } = this.options
    const there = new Map(found.map((each) => [each.ref, each]))
    const known: RoutedChange[] = [...this.view.elections.keys()].map((ref) => {
      const now = there.get(ref)
      return {
        ref,
        change: { type: 'rolled-back', ...moment, ...rollback, keys: now === undefined ? [] : index.keysOf(now) },
      }
    })
    const fresh = found.filter(({ ref }) => !this.view.elections.has(ref))
    this.publish([...known, ...fresh.map((each) => ({ ref: each.ref, change: index.opening(each, moment, false) }))])
  }

  /** `late`: it came after a time in which nothing was seen. */
  revision(group: RevisionEvents, at: Instant, late: boolean): void {
    this.publish(this.options.index.apply(group.events, { at, revision: group.revision, ...(late ? { late } : {}) }))
  }

  publish(changes: readonly RoutedChange[]): void {
    if (changes.length === 0) return
    const cluster = this.view.info.name
    for (const { ref, change } of changes) {
      const before = this.view.elections.get(ref)
      const facts = this.view.apply({ type: 'election', cluster, ref, change })
      this.remember(ref, before, facts, change)
    }
    this.options.hub.push(changes.map(({ ref, change }) => ({ type: 'election', cluster, ref, change })))
    for (const hear of this.hearers) hear(changes.map(({ ref }) => ref))
    if (this.listeners.size === 0) return
    const moved = changes.filter(({ change }) => MOVES.has(change.type)).map(({ ref }) => ref)
    if (moved.length > 0) for (const listener of this.listeners) listener(moved)
  }

  /** Some of what was recorded is lost: each queue is recorded as it is now. */
  recordQueues(): void {
    const at = instant(this.options.clock.nowMs())
    for (const state of this.view.elections.values()) {
      const queue = { at, epoch: state.epoch, whole: true, stand: state.candidates, left: [] }
      this.options.history.record(this.view.info.name, identityOf(state), [], queue)
    }
  }

  /** Calls after keys of these elections may have changed. Answers a stop. */
  onMoved(listener: (refs: readonly ElectionRef[]) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Calls after anything of these elections changed: leases, claims and causes too. Answers a stop. */
  onEvery(hear: (refs: readonly ElectionRef[]) => void): () => void {
    this.hearers.add(hear)
    return () => void this.hearers.delete(hear)
  }

  /** From now on it may be acted upon, after restarts as well. */
  confirm(ref: ElectionRef, by: string): void {
    const change = this.options.index.confirm(ref, `${CONFIRMED_BY}${by}`)
    if (change === null) return
    this.publish([change])
    const state = this.view.elections.get(ref)
    if (state !== undefined) this.options.history.record(this.view.info.name, identityOf(state), [])
  }

  /** Elections that stayed empty long enough to be of no interest to anybody. */
  forgetEmpty(): void {
    const now = instant(this.options.clock.nowMs())
    for (const state of this.view.elections.values()) {
      if (state.candidates.length > 0 || state.leaderlessSince === null) continue
      if (elapsedMs(state.leaderlessSince, now) < EMPTY_FOR_MS[kindOf(state)]) continue
      const change = { type: 'forgotten', cluster: this.view.info.name, ref: state.ref } as const
      this.view.apply(change)
      this.options.index.forget(state.layout, parseRef(state.ref).prefixLatin1)
      this.options.hub.push([change])
    }
  }

  private recall(election: KnownElection): Found {
    const { layout, prefixLatin1 } = parseRef(election.ref)
    const found: Found = {
      ref: election.ref,
      layout,
      prefix: prefixLatin1,
      confirmed: election.confirmed,
      foundBy: election.foundBy,
    }
    this.options.index.remember(found)
    return found
  }

  private remember(
    ref: ElectionRef,
    before: ElectionState | undefined,
    facts: readonly Fact[],
    change: ElectionChange,
  ): void {
    const state = this.view.elections.get(ref)
    if (state === undefined) return
    const { history, onPending } = this.options
    const cluster = this.view.info.name
    const queue = queueChange(before, state, change)
    if (facts.length > 0 || queue !== null) history.record(cluster, identityOf(state), facts, queue)
    const known = facts.findLast((fact) => fact.type === 'term-started')?.term ?? before?.term ?? null
    const sameTerm = state.term !== null && known?.token === state.term.token
    if (change.type !== 'lease' && sameTerm && state.term !== null && !isSameTerm(known, state.term)) {
      history.recordTerm(cluster, identityOf(state), state.term)
    }
    for (const fact of facts) {
      if (fact.type === 'term-ended' && isPending(fact.term.endedBy)) onPending(ref, fact, before)
    }
  }
}

/** History may be on another thread: a queue of thousands must not be copied with every fact. */
function identityOf({ ref, layout, prefix, prefixBase64, foundBy, confirmed }: ElectionState): ElectionIdentity {
  return { ref, layout, prefix, prefixBase64, foundBy, confirmed }
}

function isSameTerm(a: Term | null, b: Term): boolean {
  return (
    a !== null &&
    a.takeoverMs === b.takeoverMs &&
    a.leader.identity === b.leader.identity &&
    a.leader.lease === b.leader.lease
  )
}
