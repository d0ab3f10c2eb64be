/** Many changes of leader as few marks on a plane of time and duration. */
import { isOpen, type Transition, type TransitionKind } from './transitions.ts'
import { CAUSES, type Cause, type ElectionRef } from './types.ts'

/** One change, or `count` of one cause that lie close together, with the extremes of both axes. */
export interface TransitionPoint {
  atMs: number
  /** Of the newest; equal to `atMs` for one alone. */
  toMs: number
  cause: Cause
  kind: TransitionKind
  count: number
  /** null: how long is not known, or not yet. */
  leastMs: number | null
  mostMs: number | null
  /** Nobody has led since; always alone. */
  open?: true
  /** Of one alone. */
  ref?: ElectionRef
}

export interface PointSpan {
  fromMs: number
  toMs: number
}

export const MOST_POINTS = 1_500
const SLOTS = 600
const STEPS_PER_DECADE = 8

/**
 * At most `MOST_POINTS`: failovers that go on come first, then the other failovers, then what was planned. Each of
 * the three is kept singly while it fits into what is left, and binned as finely as it fits otherwise.
 */
export function pointsOf(transitions: readonly Transition[], span: PointSpan): TransitionPoint[] {
  const open: Transition[] = []
  const failovers: Transition[] = []
  const others: Transition[] = []
  for (const each of transitions) (isOpen(each) ? open : each.kind === 'failover' ? failovers : others).push(each)
  const third = MOST_POINTS / 3
  // More than these that go on at once are one event, and told as that.
  const points = open.slice(-third).map(single)
  points.push(...fitted(failovers, span, MOST_POINTS - points.length - (others.length > 0 ? third : 0)))
  points.push(...fitted(others, span, MOST_POINTS - points.length))
  return points.sort((a, b) => a.atMs - b.atMs)
}

function single(transition: Transition): TransitionPoint {
  const { atMs, cause, kind, ref, totalMs } = transition
  const point = { atMs, toMs: atMs, cause, kind, count: 1, leastMs: totalMs, mostMs: totalMs, ref }
  return isOpen(transition) ? { ...point, open: true } : point
}

function fitted(all: readonly Transition[], span: PointSpan, most: number): TransitionPoint[] {
  if (all.length <= most) return all.map(single)
  let slots = SLOTS
  let perDecade = STEPS_PER_DECADE
  let bins: TransitionPoint[] = []
  // Coarser until they fit; each round works on what the one before has left.
  for (let round = 0; ; round += 1) {
    const raster = { fromMs: span.fromMs, slotMs: (span.toMs - span.fromMs) / slots, perDecade }
    bins = round === 0 ? firstBins(all, raster) : coarser(bins, raster)
    if (bins.length <= most || (slots === 1 && perDecade === 1)) return bins
    slots = Math.max(1, Math.floor(slots / 2))
    perDecade = Math.max(1, perDecade / 2)
  }
}

interface Raster {
  fromMs: number
  slotMs: number
  perDecade: number
}

const KINDS: readonly TransitionKind[] = ['failover', 'planned', 'unobserved']
/** No duration has more: 2^53 ms. */
const MOST_STEPS = 16 * STEPS_PER_DECADE

function binOf(at: Pick<TransitionPoint, 'atMs' | 'leastMs' | 'cause' | 'kind'>, raster: Raster): number {
  const slot = Math.floor((at.atMs - raster.fromMs) / raster.slotMs)
  const step = at.leastMs === null ? 0 : 1 + Math.round(Math.log10(Math.max(1, at.leastMs)) * raster.perDecade)
  const sort = CAUSES.indexOf(at.cause) * KINDS.length + KINDS.indexOf(at.kind)
  return (slot * MOST_STEPS + step) * CAUSES.length * KINDS.length + sort
}

function firstBins(all: readonly Transition[], raster: Raster): TransitionPoint[] {
  const bins = new Map<number, TransitionPoint>()
  for (const transition of all) {
    const { atMs, totalMs, cause, kind } = transition
    const key = binOf({ atMs, leastMs: totalMs, cause, kind }, raster)
    const bin = bins.get(key)
    if (bin === undefined) {
      bins.set(key, single(transition))
      continue
    }
    bin.toMs = atMs
    bin.count += 1
    if (totalMs !== null) {
      bin.leastMs = Math.min(bin.leastMs ?? totalMs, totalMs)
      bin.mostMs = Math.max(bin.mostMs ?? totalMs, totalMs)
    }
    delete bin.ref
  }
  return [...bins.values()]
}

function coarser(points: readonly TransitionPoint[], raster: Raster): TransitionPoint[] {
  const bins = new Map<number, TransitionPoint>()
  for (const point of points) {
    const key = binOf(point, raster)
    const bin = bins.get(key)
    bins.set(key, bin === undefined ? point : joined(bin, point))
  }
  return [...bins.values()]
}

function joined({ ref: _, ...a }: TransitionPoint, b: TransitionPoint): TransitionPoint {
  return {
    ...a,
    atMs: Math.min(a.atMs, b.atMs),
    toMs: Math.max(a.toMs, b.toMs),
    count: a.count + b.count,
    leastMs: a.leastMs === null || b.leastMs === null ? null : Math.min(a.leastMs, b.leastMs),
    mostMs: a.mostMs === null || b.mostMs === null ? null : Math.max(a.mostMs, b.mostMs),
  }
}
