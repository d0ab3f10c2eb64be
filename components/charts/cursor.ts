/** Moving a cursor over time by pointer and keys. */
import { msPerPx, type Plot, type Span } from './time-axis.ts'

const SNAP_PX = 4
const STEP_PX = 6

/** The event under the pointer, or the pointer's own time. `events` ascend. */
export function snapped(events: readonly number[], ms: number, span: Span, plot: Plot): number {
  const reachMs = SNAP_PX * msPerPx(span, plot)
  let best = ms
  let bestMs = reachMs
  for (const event of events) {
    const offMs = Math.abs(event - ms)
    if (offMs <= bestMs) {
      best = event
      bestMs = offMs
    }
  }
  return best
}

/** A few pixels on, from the right edge when there is no cursor yet. */
export function stepped(at: number | null, by: 1 | -1, span: Span, plot: Plot): number {
  const next = (at ?? span.toMs) + by * STEP_PX * msPerPx(span, plot)
  return Math.round(Math.max(span.fromMs, Math.min(span.toMs, next)))
}

/** The next event in that direction inside the span; where it was when there is none. */
export function nextEvent(events: readonly number[], at: number | null, by: 1 | -1, span: Span): number | null {
  const from = at ?? span.toMs
  const inside = events.filter((event) => event >= span.fromMs && event <= span.toMs)
  const found = by === 1 ? inside.find((event) => event > from) : inside.findLast((event) => event < from)
  return found ?? at
}

/** What a key does to the cursor; undefined when it is none of its keys. `null` lets go of it. */
export function cursorKey(
  key: { key: string; shiftKey: boolean },
  at: number | null,
  events: readonly number[],
  axis: { span: Span; plot: Plot },
): number | null | undefined {
  const by = key.key === 'ArrowLeft' ? -1 : key.key === 'ArrowRight' ? 1 : 0
  if (by !== 0) return key.shiftKey ? nextEvent(events, at, by, axis.span) : stepped(at, by, axis.span, axis.plot)
  if (key.key === 'Home') return axis.span.fromMs
  if (key.key === 'End') return axis.span.toMs
  return key.key === 'Escape' ? null : undefined
}
