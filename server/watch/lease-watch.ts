/** Everything that lease look-ups tell: time left, renewal margins, and why a key went. */

import type { Etcd } from '../../lib/election/ports.ts'
import { leaderOf } from '../../lib/election/queue.ts'
import type { ElectionRef, ElectionState, EndedBy, LeaseId, Revision, Term } from '../../lib/election/types.ts'
import { latin1 } from '../../lib/shared/bytes.ts'
import { type Clock, instant, msOf } from '../../lib/shared/clock.ts'
import type { History } from '../history/history.ts'
import type { Elections, LeftOpen } from './elections.ts'
import { LeaseLookups, type Looked } from './lease-lookups.ts'
import type { LeaseMetrics } from './lease-metrics.ts'
import { LeaseUses } from './lease-uses.ts'
import type { Members } from './members.ts'
import { findCause, type ProvenLife } from './removal-evidence.ts'

const VIEWED_MS = 10_000
/** All viewers share one look at the keys of a lease. */
const KEYS_FOR_MS = 2_000

const ANOTHER_STORE = {
  cause: 'unobserved',
  evidence: 'the store was rolled back before its lease was looked up',
} as const

interface LeaseWatchOptions {
  name: string
  etcd: Etcd
  history: History
  clock: Clock
  elections: Elections
  members: Members
  whyEnded?: (ref: ElectionRef, token: Revision, signal: AbortSignal) => Promise<EndedBy | null>
  /** The same cause, with what a kill switch has to do with it. */
  duringStop: (ref: ElectionRef, end: Revision, endedBy: EndedBy) => Promise<EndedBy>
  /** How long an event that is handed on now may have gone unseen. */
  unseenMs: () => number
  leaseMetrics: LeaseMetrics | null
}

export class LeaseWatch {
  private readonly options: LeaseWatchOptions
  private readonly lookups: LeaseLookups
  private readonly uses = new LeaseUses()
  private readonly keys = new Map<LeaseId, { askedMs: number; keys: Promise<string[]> }>()
  private signal = new AbortController().signal

  constructor(options: LeaseWatchOptions) {
    this.options = options
    this.lookups = new LeaseLookups({
      etcd: options.etcd,
      clock: options.clock,
      endpoint: () => options.members.raftLeaderEndpoint(),
      onSample: (looked) => this.sampled(looked),
      onDenied: (lease) => this.publish(lease, { type: 'lease-denied', lease }),
    })
  }

  run(signal: AbortSignal): Promise<void> {
    this.signal = signal
    return this.lookups.run(signal)
  }

  /** Follows the elections: call it now and then. */
  track(): void {
    const { elections, clock } = this.options
    this.uses.follow(elections.view, clock.monoMs(), (lease, rank) => this.lookups.want(lease, rank))
  }

  /** Somebody has these elections on a screen. */
  viewed(refs: readonly ElectionRef[]): void {
    this.uses.view(refs, this.options.clock.monoMs() + VIEWED_MS)
  }

  /** Every key on a lease, read from etcd now; latin1. */
  keysOn(lease: LeaseId): Promise<string[]> {
    const now = this.options.clock.monoMs()
    const known = this.keys.get(lease)
    if (known !== undefined && now - known.askedMs < KEYS_FOR_MS) return known.keys
    for (const [other, { askedMs }] of this.keys) if (now - askedMs >= KEYS_FOR_MS) this.keys.delete(other)
    const keys = this.askKeys(lease)
    this.keys.set(lease, { askedMs: now, keys })
    return keys
  }

  private async askKeys(lease: LeaseId): Promise<string[]> {
    const { lease: found } = await this.options.etcd.timeToLive(lease, {
      deadlineMs: 2_000,
      keys: true,
      signal: this.signal,
    })
    return (found?.keys ?? []).map(latin1)
  }

  sampling(): { leaders: number; sampled: number } {
    return this.uses.countLeaders((lease) => this.lookups.sampledDensely(lease))
  }

  /** Looks for the cause of a term's end and publishes it. */
  explain(ref: ElectionRef, ended: { term: Term; revision: Revision }, before: ElectionState | undefined): void {
    const { etcd, members, clock, leaseMetrics } = this.options
    const { term } = ended
    const seen = { ...ended, unseenMs: this.options.unseenMs() }
    const endpoint = members.raftLeaderEndpoint()
    const seenAt = { monoMs: clock.monoMs(), unseenMs: seen.unseenMs }
    const context = {
      signal: this.signal,
      monoMs: () => clock.monoMs(),
      ...(endpoint ? { endpoint } : {}),
      ...(leaseMetrics ? { proof: () => leaseMetrics.proofOf(seenAt, this.signal) } : {}),
    }
    void findCause(etcd, seen, provenBy(before), context).then(async (found) => {
      const why = (await this.options.whyEnded?.(ref, term.token, this.signal)) ?? found
      if (why === null) return
      const endedBy = await this.options.duringStop(ref, ended.revision, why)
      this.options.elections.publish([{ ref, change: { type: 'cause', token: term.token, endedBy } }])
    })
  }

  /** Terms that an earlier run saw end, stopped before it had looked their leases up. One by one: there may be many. */
  async explainLeft(left: readonly LeftOpen[], revision: Revision): Promise<void> {
    const { etcd, clock, elections } = this.options
    const context = { signal: this.signal, monoMs: () => clock.monoMs() }
    for (const { ref, term } of left) {
      const seen = { term, revision, unseenMs: 0, restarted: true } as const
      const sameStore = term.epoch === elections.view.info.epoch
      const endedBy = sameStore ? await findCause(etcd, seen, { earliestExpiry: null }, context) : ANOTHER_STORE
      if (endedBy === null) return
      elections.publish([{ ref, change: { type: 'cause', token: term.token, endedBy } }])
    }
  }

  private sampled({ lease, sample, dense }: Looked): void {
    this.publish(lease, { type: 'lease', lease, sample })
    if (!dense) return
    const { history, name, elections } = this.options
    const margin = (sample.remainingMs / sample.grantedMs) * 100
    for (const { ref, leads } of this.uses.of(lease)) {
      const leader = leads ? leaderOf(elections.view.elections.get(ref)?.candidates ?? []) : null
      if (leader?.lease !== lease) continue
      history.sample({ cluster: name, source: 'margin', ref, identity: leader.identity }, sample.asOf, margin)
    }
  }

  private publish(lease: LeaseId, change: Parameters<Elections['publish']>[0][number]['change']): void {
    this.options.elections.publish(this.uses.of(lease).map(({ ref }) => ({ ref, change })))
  }
}

/** A look-up's remaining time is a lower bound, so the lease could not expire before it ran out. */
function provenBy(before: ElectionState | undefined): ProvenLife {
  const ttl = before === undefined ? null : (leaderOf(before.candidates)?.ttl ?? null)
  return { earliestExpiry: ttl === null ? null : instant(msOf(ttl.asOf) + ttl.remainingMs) }
}
