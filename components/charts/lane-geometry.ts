/** Where terms, vacancies and changes stand in the lanes. Pure pixels; the drawing is in `lane-chart.tsx`. */
import { clampedX, type Plot, type Span } from './time-axis.ts'

export interface LaneTerm {
  key: string
  lane: number
  label: string
  /** Longer form for a segment with room: "#42 · token 182,331". */
  longLabel: string
  fromMs: number
  toMs: number
  /** It began before it was seen. */
  openStart: boolean
  /** How it ended; null while it goes on. */
  end: ChangeKind | null
  /** It follows the one before without an unobserved stretch. */
  joined: boolean
}

export type ChangeKind = 'handoff' | 'failover' | 'revoke' | 'kill' | 'resigned' | 'unobserved'

export interface Period {
  fromMs: number
  toMs: number
}

export interface Segment {
  key: string
  lane: number
  x: number
  width: number
  label: string
  /** No rounded corner where it goes on outside the plot or was cut. */
  openStart: boolean
}

export interface Change {
  key: string
  kind: ChangeKind
  x: number
  /** Lanes that hand over; the same twice where the candidate succeeded itself. */
  from: number
  to: number | null
  /** Where the next one begins. */
  toX: number
}

const CHARACTER_PX = 6.6
const PAD_PX = 12
const VACANCY_PX = 3
const MARK_PX = 7
const LOUDNESS: Record<ChangeKind, number> = { kill: 5, failover: 4, revoke: 3, handoff: 2, resigned: 1, unobserved: 0 }

function fitting(term: LaneTerm, width: number): string {
  const fits = (text: string) => text.length * CHARACTER_PX + PAD_PX <= width
  return fits(term.longLabel) ? term.longLabel : fits(term.label) ? term.label : ''
}

/** The parts of `period` that no gap covers. `gaps` ascend. */
export function observedParts(period: Period, gaps: readonly Period[]): Period[] {
  const parts: Period[] = []
  let fromMs = period.fromMs
  for (const gap of gaps) {
    if (gap.toMs <= fromMs || gap.fromMs >= period.toMs) continue
    if (gap.fromMs > fromMs) parts.push({ fromMs, toMs: gap.fromMs })
    fromMs = Math.max(fromMs, gap.toMs)
  }
  if (fromMs < period.toMs) parts.push({ fromMs, toMs: period.toMs })
  return parts
}

const visible = (period: Period, span: Span) => period.toMs > span.fromMs && period.fromMs < span.toMs

/** `terms` ascend. Neighbours too thin to tell apart in one lane become one, so that a day stays drawable. */
export function laneSegments(terms: readonly LaneTerm[], gaps: readonly Period[], span: Span, plot: Plot): Segment[] {
  const segments: Segment[] = []
  const lastInLane = new Map<number, Segment>()
  for (const term of terms) {
    for (const part of observedParts(term, gaps)) {
      if (!visible(part, span)) continue
      const x = clampedX(span, plot, part.fromMs)
      const width = Math.max(1, clampedX(span, plot, part.toMs) - x)
      const last = lastInLane.get(term.lane)
      if (last !== undefined && width < 2 && x - (last.x + last.width) < 1) {
        last.width = Math.max(last.width, x + width - last.x)
        last.label = ''
        continue
      }
      const cut = part.fromMs > term.fromMs || part.fromMs < span.fromMs || term.openStart
      const segment = {
        key: `${term.key}@${part.fromMs}`,
        lane: term.lane,
        x,
        width,
        label: fitting(term, width),
        openStart: cut,
      }
      segments.push(segment)
      lastInLane.set(term.lane, segment)
    }
  }
  return segments
}

/** Ends of terms, each with its successor. Of those that would overlap, the loudest mark stays. */
export function laneChanges(terms: readonly LaneTerm[], span: Span, plot: Plot): Change[] {
  const changes: Change[] = []
  terms.forEach((term, at) => {
    if (term.end === null || term.toMs < span.fromMs || term.toMs > span.toMs) return
    const next = terms[at + 1]
    const x = clampedX(span, plot, term.toMs)
    changes.push({
      key: term.key,
      kind: term.end,
      x,
      from: term.lane,
      to: next?.joined ? next.lane : null,
      toX: next === undefined ? x : clampedX(span, plot, next.fromMs),
    })
  })
  return thinned(changes)
}

export interface Vacancy extends Period {
  /** Nobody planned it: it is seen even where it was shorter than a pixel. */
  loud: boolean
}

/** The seat without a leader. */
export function laneVacancies(vacancies: readonly Vacancy[], span: Span, plot: Plot): { x: number; width: number }[] {
  return vacancies.flatMap((vacancy) => {
    if (vacancy.toMs < span.fromMs || vacancy.fromMs > span.toMs) return []
    const x = clampedX(span, plot, vacancy.fromMs)
    const width = clampedX(span, plot, vacancy.toMs) - x
    if (width >= VACANCY_PX) return [{ x, width }]
    return vacancy.loud ? [{ x: x - VACANCY_PX / 2, width: VACANCY_PX }] : []
  })
}

function thinned(changes: readonly Change[]): Change[] {
  const kept: Change[] = []
  for (const change of changes) {
    const last = kept.at(-1)
    if (last === undefined || change.x - last.x >= MARK_PX) kept.push(change)
    else if (LOUDNESS[change.kind] > LOUDNESS[last.kind]) kept[kept.length - 1] = change
  }
  return kept
}
