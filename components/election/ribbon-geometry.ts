/** Where everything of a tenure ribbon stands. Pure; x and widths are fractions of the window, y is in pixels. */
import { nextUpOf } from '../../lib/election/queue.ts'
import { kindOf } from '../../lib/election/status.ts'
import { type Stop, stops } from '../../lib/election/stops.ts'
import { isFailover, isPending, KEEP } from '../../lib/election/terms.ts'
import type { ElectionState, Gap, Term } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import type { LaneSlot } from './lane-colours.ts'
import { lanesOf } from './lanes.ts'

export type MarkType = 'handoff' | 'resigned' | 'failover' | 'revoke' | 'kill'

export interface Band {
  key: string
  x: number
  width: number
}

export interface Segment extends Band {
  y: number
  colour: LaneSlot | undefined
}

export interface Ribbon {
  laneHeight: number
  /** Top of each lane. */
  lanes: readonly number[]
  segments: readonly Segment[]
  joins: readonly { key: string; x: number; y1: number; y2: number }[]
  leaderless: readonly Band[]
  /** Held by a kill switch. */
  stopped: readonly Band[]
  gaps: readonly Band[]
  /** Terms that the live view does not keep: the election's page has them. */
  untold: readonly Band[]
  marks: readonly { key: string; x: number; type: MarkType }[]
  raftChanges: readonly number[]
}

export interface RibbonInput {
  state: ElectionState
  now: Instant
  /** Since when nothing is observed any more; null while live. */
  frozenAt: Instant | null
  raftLeaderChanges: readonly Instant[]
  /** Times in which nothing of the cluster was confirmed. */
  clusterGaps?: readonly Gap[]
  /** Kill switches of the cluster that held within the hour. */
  stops?: readonly Stop[]
  windowMs?: number
  height?: number
}

/** Room for the marks above the lanes. */
const TOP = 7
const MOST_LANES = 6
/** A part that exists is seen: 2.5 px of the 196 px of a row. */
const LEAST = 2.5 / 196
/** Between terms narrower than this a join would hide them. */
const JOINED_FROM = 4 / 196
/** Marks are 7.4 px wide. */
const MARK_APART = 6 / 196
/** A free seat for less than this after a planned change is no vacancy. */
const VACANCY_MS = 1_000

type Scale = (at: Instant) => number

export function markOf(term: Term): MarkType | null {
  if (term.endedBy === null || isPending(term.endedBy)) return null
  if (isFailover(term.endedBy)) return 'failover'
  switch (term.endedBy.cause) {
    case 'revoked':
      return 'revoke'
    case 'kill switch':
      return 'kill'
    case 'handed off':
      return 'handoff'
    case 'resigned or removed':
      return 'resigned'
    default:
      return null
  }
}

/** Lane keys that are drawn: everyone who led, and the next ones up to three lanes. */
function drawnLanes(state: ElectionState, terms: readonly Term[]): string[] {
  const { lanes, keyOf } = lanesOf(state)
  const led = new Set(terms.map((term) => keyOf(term.leader)))
  const next = nextUpOf(state.candidates)
  if (next !== null && led.size < MOST_LANES) led.add(keyOf(next))
  for (const { key } of lanes) if (led.size < 3) led.add(key)
  return lanes.map(({ key }) => key).filter((key) => led.has(key))
}

function laneTops(count: number, height: number): { tops: number[]; laneHeight: number } {
  const room = height - TOP - 3
  const laneHeight = Math.min(6.4, room / (count * 1.25))
  const pitch = count < 3 ? laneHeight * 1.35 : Math.min(laneHeight * 1.35, (room - laneHeight) / (count - 1))
  const first = TOP + (height - TOP - ((count - 1) * pitch + laneHeight)) / 2
  return { tops: Array.from({ length: count }, (_, at) => first + at * pitch), laneHeight }
}

function band(key: string, from: number, to: number): Band {
  const width = Math.max(LEAST, to - from)
  return { key, x: Math.min(from, 1 - width), width }
}

/** Times in which nobody led, as far as that was seen. */
function vacancies(state: ElectionState, terms: readonly Term[], end: Instant, x: Scale): Band[] {
  if (kindOf(state) === 'mutex') return []
  const bands = terms.flatMap((term, at) => {
    const before = terms[at - 1]
    if (before?.to == null || term.gapMs === null) return []
    const unplanned = isFailover(before.endedBy)
    return term.gapMs >= VACANCY_MS || (unplanned && term.gapMs > 0)
      ? [band(term.token, x(before.to), x(term.from))]
      : []
  })
  if (state.term === null && state.leaderlessSince !== null) bands.push(band('now', x(state.leaderlessSince), x(end)))
  return bands
}

/** The part of the window before the first thing known, and whether it was seen but not kept. */
function unknownStart(state: ElectionState, first: Term | undefined, x: Scale): { gaps: Band[]; untold: Band[] } {
  const from = first?.from ?? state.leaderlessSince
  if (from === null || x(from) <= 0) return { gaps: [], untold: [] }
  const start = [{ key: 'start', x: 0, width: x(from) }]
  if (first === undefined || first.fromAtLeast) return { gaps: start, untold: [] }
  return first.ordinal > 1 && state.ended.length >= KEEP.terms ? { gaps: [], untold: start } : { gaps: [], untold: [] }
}

function scale(now: Instant, windowMs: number): Scale {
  const endMs = msOf(now)
  return (at) => Math.min(1, Math.max(0, 1 - (endMs - msOf(at)) / windowMs))
}

const isPlanned = (type: MarkType) => type === 'handoff' || type === 'resigned'

/** Marks that would cover each other give way: to the later one, and a planned change to anything else. */
function thinned(marks: Ribbon['marks']): Ribbon['marks'] {
  const shown: Ribbon['marks'][number][] = []
  for (const mark of marks) {
    const last = shown.at(-1)
    if (last === undefined || mark.x - last.x >= MARK_APART) shown.push(mark)
    else if (!isPlanned(mark.type) || isPlanned(last.type)) shown[shown.length - 1] = { ...mark, x: last.x }
  }
  return shown
}

function joinsOf(segments: readonly Segment[], terms: readonly Term[], laneHeight: number) {
  return terms.flatMap((term, at) => {
    const [before, here] = [segments[at - 1], segments[at]]
    if (before === undefined || here === undefined || before.y === here.y || term.gapMs === null) return []
    if (here.x <= 0 || Math.min(before.width, here.width) < JOINED_FROM) return []
    const [y1, y2] = [before.y + laneHeight / 2, here.y + laneHeight / 2]
    return here.x - before.x - before.width > 2 * LEAST ? [] : [{ key: here.key, x: here.x, y1, y2 }]
  })
}

/** Begins and ends within one of the bands, by what a pixel shows. */
function isInside(from: number, width: number, bands: readonly Band[]): boolean {
  return bands.some((each) => from >= each.x - LEAST && from + width <= each.x + each.width + LEAST)
}

export function ribbonOf(input: RibbonInput): Ribbon {
  const { state, now, frozenAt, windowMs = 3_600_000, height = 34 } = input
  const x = scale(now, windowMs)
  const end = frozenAt ?? now
  const all = state.term === null ? state.ended : [...state.ended, state.term]
  const terms = all.filter((term) => term.to === null || x(term.to) > 0)
  const { lanes, keyOf } = lanesOf(state)
  const keys = drawnLanes(state, terms)
  const { tops, laneHeight } = laneTops(Math.max(1, Math.min(keys.length, MOST_LANES)), height)
  const segments = terms.map((term) => {
    const key = keyOf(term.leader)
    const from = x(term.from)
    return {
      key: term.token,
      x: from,
      width: Math.max(LEAST / 2, x(term.to ?? end) - from),
      y: tops[keys.indexOf(key) % tops.length] ?? tops[0] ?? TOP,
      colour: lanes.find((lane) => lane.key === key)?.colour,
    }
  })
  const start = unknownStart(state, all[0], x)
  const known = [...state.gaps, ...(input.clusterGaps ?? [])]
  const unobserved = known
    .filter((gap) => x(gap.to) > 0)
    .map((gap) => band(`${gap.from} ${gap.reason}`, x(gap.from), x(gap.to)))
  const blind = frozenAt !== null && x(frozenAt) < 1 ? [band('blind', x(frozenAt), 1)] : []
  const stopped = (input.stops ?? [])
    .filter((stop) => stops(stop, state.prefixBase64) && (stop.to === null || x(stop.to) > 0))
    .map((stop) => band(`${stop.scopeBase64} ${stop.from}`, x(stop.from), x(stop.to ?? end)))
  const marks = terms.flatMap((term) => {
    const type = markOf(term)
    return type === null || term.to === null ? [] : [{ key: term.token, x: x(term.to), type }]
  })
  return {
    laneHeight,
    lanes: tops,
    segments,
    joins: joinsOf(segments, terms, laneHeight),
    leaderless: vacancies(state, terms, end, x).filter(({ x: from, width }) => !isInside(from, width, stopped)),
    stopped,
    gaps: [...start.gaps, ...unobserved, ...blind],
    untold: start.untold,
    marks: thinned(marks),
    raftChanges: input.raftLeaderChanges.map(x).filter((at) => at > 0),
  }
}
