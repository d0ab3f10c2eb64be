/** Many failovers in a few numbers. */
import { groupsOf, MASS_ELECTIONS } from './incidents.ts'
import {
  isOpen,
  PARTS,
  type Transition,
  type TransitionKind,
  type TransitionPart,
  transitionMs,
  unknownParts,
} from './transitions.ts'
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

/** Of the failovers that ended and whose vacancy is known: `measured` of them. */
export interface Quantiles {
  measured: number
  /** Of those, the ones that lack a part: they took longer than they count for. */
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
  medianMs: number | null
  parts: Record<`${TransitionPart}Ms`, number | null>
}

/** Five or more elections whose leaders were lost within three seconds; it counts as its members everywhere else. */
export interface MassEvent {
  fromMs: number
  toMs: number
  elections: number
  failovers: number
  open: number
  leastMs: number | null
  medianMs: number | null
  mostMs: number | null
}

const isNumber = (value: number | null): value is number => value !== null
const ascending = (values: Iterable<number>) => Float64Array.from(values).sort()

/** The least value that `share` of them do not exceed. */
export function quantileOf(sorted: Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null
}

export const failoversOf = (transitions: readonly Transition[]) => transitions.filter(({ kind }) => kind === 'failover')

export function totalsOf(transitions: readonly Transition[]): Totals {
  const totals: Totals = { failovers: 0, planned: 0, unobserved: 0, open: 0 }
  for (const transition of transitions) {
    totals[transition.kind === 'failover' ? 'failovers' : transition.kind] += 1
    if (isOpen(transition)) totals.open += 1
  }
  return totals
}

export function quantilesOf(failovers: readonly Transition[], { withinMs }: FailoverObjective): Quantiles {
  const measured = failovers.filter((each) => transitionMs(each) !== null)
  const sorted = ascending(measured.map((each) => transitionMs(each) ?? 0))
  return {
    measured: sorted.length,
    partly: measured.filter((each) => unknownParts(each).length > 0).length,
    p50Ms: quantileOf(sorted, 0.5),
    p95Ms: quantileOf(sorted, 0.95),
    withinObjective: sorted.filter((ms) => ms <= withinMs).length,
  }
}

/** `failovers` ascend. The members of each come with it. */
export function massesOf(failovers: readonly Transition[]): { mass: MassEvent; members: Transition[] }[] {
  return groupsOf(failovers, ({ atMs }) => atMs).flatMap((members) => {
    const elections = members.length < MASS_ELECTIONS ? 0 : new Set(members.map(({ ref }) => ref)).size
    return elections < MASS_ELECTIONS ? [] : [{ mass: massOf(members, elections), members }]
  })
}

function massOf(members: readonly Transition[], elections: number): MassEvent {
  const sorted = ascending(members.map(transitionMs).filter(isNumber))
  return {
    fromMs: members[0]?.atMs ?? 0,
    toMs: members.at(-1)?.atMs ?? 0,
    elections,
    failovers: members.length,
    open: members.filter(isOpen).length,
    leastMs: sorted[0] ?? null,
    medianMs: quantileOf(sorted, 0.5),
    mostMs: sorted.at(-1) ?? null,
  }
}

const STEPS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 3_600_000]
const BINS = 25

/** Of equal width up to where the objective and 95 % of them lie well inside; what is longer is in the last one. */
export function distributionOf(
  failovers: readonly Transition[],
  members: ReadonlySet<Transition>,
  objective: FailoverObjective,
): DurationBin[] {
  const { p95Ms } = quantilesOf(failovers, objective)
  const reachMs = Math.max(objective.withinMs * 1.6, (p95Ms ?? 0) * 1.2)
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
    const ms = transitionMs(failover)
    const bin = ms === null ? undefined : bins[Math.min(BINS, Math.floor(ms / stepMs))]
    if (bin === undefined) continue
    bin.count += 1
    if (members.has(failover)) bin.mass += 1
  }
  return bins
}

const KINDS: readonly TransitionKind[] = ['failover', 'planned', 'unobserved']

/** Failovers first, then what was planned; the most frequent of each first. */
export function causesOf(transitions: readonly Transition[], members: ReadonlySet<Transition>): CauseFigures[] {
  const groups = new Map<string, Transition[]>()
  for (const transition of transitions) {
    const key = `${transition.kind} ${transition.cause}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [transition])
    else group.push(transition)
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      return first === undefined ? [] : [causeFigures(first, group, members)]
    })
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count)
}

function causeFigures(
  { cause, kind }: Transition,
  group: readonly Transition[],
  members: ReadonlySet<Transition>,
): CauseFigures {
  const medianOf = (read: (each: Transition) => number | null) =>
    quantileOf(ascending(group.map(read).filter(isNumber)), 0.5)
  const [detectMs, refillMs, vacancyMs, takeoverMs] = PARTS.map((part) => medianOf((each) => each[`${part}Ms`]))
  return {
    cause,
    kind,
    count: group.length,
    mass: group.filter((each) => members.has(each)).length,
    medianMs: medianOf(transitionMs),
    parts: {
      detectMs: detectMs ?? null,
      refillMs: refillMs ?? null,
      vacancyMs: vacancyMs ?? null,
      takeoverMs: takeoverMs ?? null,
    },
  }
}
