/** Looks leases up within a budget: how long each leader has left, for clients that report nothing. */
import { EtcdError, type LeasePort } from '../../lib/election/ports.ts'
import type { LeaseId, LeaseSample } from '../../lib/election/types.ts'
import { sleep } from '../../lib/shared/abort.ts'
import { type Clock, instant } from '../../lib/shared/clock.ts'
import { LookupBudget } from './lookup-budget.ts'

const BUDGET_PER_S = 200
const TICK_MS = 50
/** More than the budget of a tick, so that a late tick does not cost any of it. */
const IN_FLIGHT = 16
const DEADLINE_MS = 2_000
/** Before the TTL is known. */
const UNKNOWN_TTL_MS = 6_000
const DENIED_PAUSE_MS = 60_000
/** etcd tells whole seconds, rounded down. */
const ROUNDING_MS = 1_000

/** Lower goes first: what somebody looks at, then leaders, then next-ups. */
export type Rank = 0 | 1 | 2

interface Tracked {
  lease: LeaseId
  rank: Rank
  dueMs: number
  leftMs: number
  grantedMs: number
  lastSampleMs: number
  asking: boolean
  raftTerm: string
  renewedAtMs: number
  /** Renewals that seem to be up to here are etcd's own refill. */
  refilledAtMs: number
}

const NEVER_ASKED = {
  leftMs: 0,
  grantedMs: UNKNOWN_TTL_MS,
  lastSampleMs: Number.NEGATIVE_INFINITY,
  asking: false,
  raftTerm: '',
  renewedAtMs: 0,
  refilledAtMs: 0,
}

export interface Looked {
  lease: LeaseId
  sample: LeaseSample
  /** Sampled at least three times per TTL, so that a minimum means something. */
  dense: boolean
}

interface Answer {
  grantedMs: number
  remainingMs: number
  askedMs: number
  raftTerm: string
}

export interface LookupsOptions {
  etcd: LeasePort
  clock: Clock
  /** The etcd raft leader's endpoint: the only one that answers without a hop. */
  endpoint: () => string | undefined
  onSample: (looked: Looked) => void
  onDenied: (lease: LeaseId) => void
}

/** By rank, then by when it may run out by the newest sample; one never sampled may have run out already. */
function isBefore(a: Tracked, b: Tracked): boolean {
  return a.rank !== b.rank ? a.rank < b.rank : a.leftMs + a.lastSampleMs < b.leftMs + b.lastSampleMs
}

export class LeaseLookups {
  private readonly options: LookupsOptions
  private readonly tracked = new Map<LeaseId, Tracked>()
  private inFlight = 0
  private readonly dense = new Set<LeaseId>()

  constructor(options: LookupsOptions) {
    this.options = options
  }

  /** Looks the lease up from now on, or no more when `rank` is null; what is known of one that stays is kept. */
  want(lease: LeaseId, rank: Rank | null): void {
    const known = this.tracked.get(lease)
    if (rank === null) this.drop(lease)
    else if (known !== undefined) known.rank = rank
    else {
      this.tracked.set(lease, { lease, rank, dueMs: this.options.clock.monoMs(), ...NEVER_ASKED })
    }
  }

  sampledDensely(lease: LeaseId): boolean {
    return this.dense.has(lease)
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.options
    const budget = new LookupBudget(BUDGET_PER_S, clock.monoMs())
    while (!signal.aborted) {
      const now = clock.monoMs()
      for (const tracked of this.due(now, Math.min(budget.room(now), IN_FLIGHT - this.inFlight))) {
        budget.spend(now)
        void this.look(tracked, signal)
      }
      await sleep(TICK_MS, signal)
    }
  }

  private drop(lease: LeaseId): void {
    this.tracked.delete(lease)
    this.dense.delete(lease)
  }

  /** The `room` most urgent of those that are due, found in one pass: most of many thousand are not. */
  private due(now: number, room: number): Tracked[] {
    const urgent: Tracked[] = []
    if (room <= 0) return urgent
    for (const tracked of this.tracked.values()) {
      if (tracked.asking || tracked.dueMs > now) continue
      const last = urgent[room - 1]
      if (last !== undefined && !isBefore(tracked, last)) continue
      const at = urgent.findIndex((other) => isBefore(tracked, other))
      urgent.splice(at < 0 ? urgent.length : at, 0, tracked)
      if (urgent.length > room) urgent.pop()
    }
    return urgent
  }

  private async look(tracked: Tracked, signal: AbortSignal): Promise<void> {
    const { lease } = tracked
    const { etcd, clock, endpoint, onDenied } = this.options
    tracked.asking = true
    this.inFlight += 1
    const askedMs = clock.monoMs()
    const at = endpoint()
    try {
      const { lease: found, header } = await etcd.timeToLive(lease, {
        deadlineMs: DEADLINE_MS,
        signal,
        ...(at ? { endpoint: at } : {}),
      })
      if (found === null) tracked.dueMs = askedMs + UNKNOWN_TTL_MS
      else this.note(tracked, { ...found, askedMs, raftTerm: header.raftTerm })
    } catch (error) {
      const denied = error instanceof EtcdError && (error.kind === 'denied' || error.kind === 'auth')
      tracked.dueMs = askedMs + (denied ? DENIED_PAUSE_MS : UNKNOWN_TTL_MS)
      if (denied) onDenied(lease)
    } finally {
      tracked.asking = false
      this.inFlight -= 1
    }
  }

  private note(tracked: Tracked, found: Answer): void {
    const { lease } = tracked
    const { grantedMs, remainingMs, askedMs, raftTerm } = found
    const dense = askedMs - tracked.lastSampleMs <= grantedMs / 3
    if (dense) this.dense.add(lease)
    else this.dense.delete(lease)
    const nowMs = this.options.clock.nowMs()
    if (tracked.raftTerm !== '' && tracked.raftTerm !== raftTerm) tracked.refilledAtMs = nowMs
    const renewedAtMs = nowMs + remainingMs - grantedMs
    if (renewedAtMs > tracked.refilledAtMs + ROUNDING_MS || tracked.renewedAtMs === 0) tracked.renewedAtMs = renewedAtMs
    Object.assign(tracked, { grantedMs, raftTerm, leftMs: remainingMs, lastSampleMs: askedMs })
    tracked.dueMs = askedMs + Math.max(500, grantedMs / 6)
    const { refilledAtMs } = tracked
    const sample = {
      grantedMs,
      remainingMs,
      asOf: instant(nowMs),
      renewedAt: instant(tracked.renewedAtMs),
      ...(refilledAtMs > tracked.renewedAtMs ? { refilledAt: instant(refilledAtMs) } : {}),
    }
    this.options.onSample({ lease, dense, sample })
  }
}
