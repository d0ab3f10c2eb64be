/** Many changes of leader in a few numbers. */
import { Durations } from './durations.ts'
import { isOpen, isPartly, PARTS, type Transition, type TransitionKind, type TransitionPart } from './transitions.ts'
import type { Cause } from './types.ts'

/** "95 % within 12 s". */
export interface FailoverObjective {
  percent: number
  withinMs: number
}

export interface Totals {
  failovers: number
  planned: number
  unobserved: number
  /** Failovers after which nobody has led yet. */
  open: number
}

export interface Quantiles {
  /** Failovers that ended and whose vacancy is known: what follows is of these. */
  measured: number
  /** Of these, the ones that lack a part: they took longer than they count for. */
  partly: number
  p50Ms: number | null
  p95Ms: number | null
  withinObjective: number
}

export interface DurationBin {
  fromMs: number
  /** Exclusive; null: everything above. */
  toMs: number | null
  count: number
  /** Of these, the ones that belong to a mass event. */
  mass: number
}

export interface CauseFigures {
  cause: Cause
  kind: TransitionKind
  count: number
  /** Of these, the ones that belong to a mass event. */
  mass: number
  /** Medians of what is known; null where nothing is. */
  totalMs: number | null
  parts: Record<`${TransitionPart}Ms`, number | null>
}

export function totalsOf(transitions: readonly Transition[]): Totals {
  const totals: Totals = { failovers: 0, planned: 0, unobserved: 0, open: 0 }
  for (const transition of transitions) {
    totals[transition.kind === 'failover' ? 'failovers' : transition.kind] += 1
    if (isOpen(transition)) totals.open += 1
  }
  return totals
}

export function quantilesOf(failovers: readonly Transition[], { withinMs }: FailoverObjective): Quantiles {
  const durations = new Durations()
  let partly = 0
  for (const failover of failovers) {
    if (failover.totalMs === null) continue
    durations.add(failover.totalMs)
    if (isPartly(failover)) partly += 1
  }
  return {
    measured: durations.count,
    partly,
    p50Ms: durations.quantile(0.5),
    p95Ms: durations.quantile(0.95),
    withinObjective: durations.within(withinMs),
  }
}

const STEPS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 3_600_000]
const BINS = 25

/** Of equal width up to beyond `reachMs`; what is longer is in the last one. */
export function distributionOf(
  failovers: readonly Transition[],
  members: ReadonlySet<Transition>,
  reachMs: number,
): DurationBin[] {
  const stepMs = STEPS_MS.find((step) => step * BINS >= reachMs) ?? Math.ceil(reachMs / BINS / 3_600_000) * 3_600_000
  const bins = Array.from(
    { length: BINS + 1 },
    (_, at): DurationBin => ({
      fromMs: at * stepMs,
      toMs: at === BINS ? null : (at + 1) * stepMs,
      count: 0,
      mass: 0,
    }),
  )
  for (const failover of failovers) {
    const { totalMs } = failover
    const bin = totalMs === null ? undefined : bins[Math.min(BINS, Math.floor(totalMs / stepMs))]
    if (bin === undefined) continue
    bin.count += 1
    if (members.has(failover)) bin.mass += 1
  }
  return bins
}

const KINDS: readonly TransitionKind[] = ['failover', 'planned', 'unobserved']

/** Failovers first, then what was planned; the most frequent of each first. */
export function causesOf(transitions: readonly Transition[], members: ReadonlySet<Transition>): CauseFigures[] {
  const tallies: Tallies = { failover: new Map(), planned: new Map(), unobserved: new Map() }
  for (const transition of transitions) {
    const ofKind = tallies[transition.kind]
    let tally = ofKind.get(transition.cause)
    if (tally === undefined) {
      tally = new CauseTally(transition)
      ofKind.set(transition.cause, tally)
    }
    tally.add(transition, members.has(transition))
  }
  return KINDS.flatMap((kind) => [...tallies[kind].values()])
    .map((tally) => tally.figures())
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count)
}

type Tallies = Record<TransitionKind, Map<Cause, CauseTally>>

class CauseTally {
  private readonly cause: Cause
  private readonly kind: TransitionKind
  private count = 0
  private mass = 0
  private readonly total = new Durations()
  private readonly parts = PARTS.map((part) => ({ key: `${part}Ms` as const, durations: new Durations() }))

  constructor({ cause, kind }: Transition) {
    this.cause = cause
    this.kind = kind
  }

  add(transition: Transition, isMember: boolean): void {
    this.count += 1
    if (isMember) this.mass += 1
    if (transition.totalMs !== null) this.total.add(transition.totalMs)
    for (const { key, durations } of this.parts) {
      const ms = transition[key]
      if (ms !== null) durations.add(ms)
    }
  }

  figures(): CauseFigures {
    const parts = { detectMs: null, refillMs: null, vacancyMs: null, takeoverMs: null } as CauseFigures['parts']
    for (const { key, durations } of this.parts) parts[key] = durations.quantile(0.5)
    const { cause, kind, count, mass } = this
    return { cause, kind, count, mass, totalMs: this.total.quantile(0.5), parts }
  }
}
