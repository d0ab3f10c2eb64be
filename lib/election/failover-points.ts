/** Many changes of leader as few marks on a plane of time and duration. */
import { isOpen, type Transition, type TransitionKind, transitionMs } from './transitions.ts'
import type { Cause, ElectionRef } from './types.ts'

/** One change, or `count` of one cause that lie close together, with the extremes of both axes. */
export interface TransitionPoint {
  atMs: number
  /** Of the newest; equal to `atMs` for one alone. */
  toMs: number
  cause: Cause
  kind: TransitionKind
  count: number
  /** null: how long is not known. Of one that goes on, since when is `atMs`. */
  leastMs: number | null
  mostMs: number | null
  /** Nobody has led since; always alone. */
  open?: true
  /** Of one alone. */
  ref?: ElectionRef
}

export const MOST_POINTS = 1_500
const SLOTS = 600
const STEPS_PER_DECADE = 8

/**
 * At most `MOST_POINTS`: failovers that go on come first, then other failovers, then what was planned. Each of
 * the three is kept singly while it fits into what is left, and binned as finely as it fits otherwise.
 */
export function pointsOf(
  transitions: readonly Transition[],
  span: { fromMs: number; toMs: number },
): TransitionPoint[] {
  const open = transitions.filter(isOpen)
  const failovers = transitions.filter((each) => each.kind === 'failover' && !isOpen(each))
  const others = transitions.filter(({ kind }) => kind !== 'failover')
  // The newest that go on: more than these at once are one event, and told as that.
  const points = open.slice(-MOST_POINTS / 3).map(single)
  points.push(...fitted(failovers, span, MOST_POINTS - points.length - (others.length > 0 ? MOST_POINTS / 3 : 0)))
  points.push(...fitted(others, span, MOST_POINTS - points.length))
  return points.sort((a, b) => a.atMs - b.atMs)
}

function single(transition: Transition): TransitionPoint {
  const { atMs, cause, kind, ref } = transition
  const ms = transitionMs(transition)
  const point: TransitionPoint = { atMs, toMs: atMs, cause, kind, count: 1, leastMs: ms, mostMs: ms, ref }
  return isOpen(transition) ? { ...point, open: true } : point
}

function fitted(all: readonly Transition[], span: { fromMs: number; toMs: number }, most: number): TransitionPoint[] {
  if (all.length <= most) return all.map(single)
  let bins = [...all.map(single)]
  let slots = SLOTS
  let perDecade = STEPS_PER_DECADE
  // Coarser until they fit; each round works on what the one before has left.
  for (;;) {
    bins = binned(bins, { fromMs: span.fromMs, slotMs: (span.toMs - span.fromMs) / slots, perDecade })
    if (bins.length <= most || (slots === 1 && perDecade <= 1)) return bins
    slots = Math.max(1, Math.floor(slots / 2))
    perDecade = Math.max(1, perDecade / 2)
  }
}

interface Raster {
  fromMs: number
  slotMs: number
  perDecade: number
}

function binned(points: readonly TransitionPoint[], { fromMs, slotMs, perDecade }: Raster): TransitionPoint[] {
  const bins = new Map<string, TransitionPoint>()
  for (const point of points) {
    const { atMs, cause, kind, leastMs } = point
    const step = leastMs === null ? '' : Math.round(Math.log10(Math.max(1, leastMs)) * perDecade)
    const key = `${Math.floor((atMs - fromMs) / slotMs)} ${step} ${kind} ${cause}`
    const bin = bins.get(key)
    bins.set(key, bin === undefined ? point : joined(bin, point))
  }
  return [...bins.values()]
}

function joined(a: TransitionPoint, b: TransitionPoint): TransitionPoint {
  const { ref: _, ...rest } = a
  return {
    ...rest,
    atMs: Math.min(a.atMs, b.atMs),
    toMs: Math.max(a.toMs, b.toMs),
    count: a.count + b.count,
    leastMs: a.leastMs === null || b.leastMs === null ? (a.leastMs ?? b.leastMs) : Math.min(a.leastMs, b.leastMs),
    mostMs: a.mostMs === null || b.mostMs === null ? (a.mostMs ?? b.mostMs) : Math.max(a.mostMs, b.mostMs),
  }
}
