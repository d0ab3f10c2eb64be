'use client'
import { useSearchParams } from 'next/navigation'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import { usePastAt } from '../live/use-live.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import {
  brushed,
  type Range,
  type Span,
  shifted,
  stepRange,
  upToMoment,
  type View,
  viewFrom,
  withView,
} from './detail-range.ts'

export interface ViewControls {
  view: View
  setRange(range: Range): void
  /** Exactly what lies between two times. */
  setSpan(fromMs: number, toMs: number): void
  /** Half a range earlier or later. */
  shift(by: 1 | -1): void
  /** Follows the clock, or holds the time still at the right edge of `span`. */
  toggleLive(span: Span): void
}

/** As the address has it now; what is rendered may be a key press behind. */
const addressed = () => new URLSearchParams(window.location.search)

/** The shown time lives in the URL, so that a link or a reload shows the same. */
export function useView(now: Instant): ViewControls {
  const params = useSearchParams()
  const pastAt = usePastAt()
  const view = upToMoment(viewFrom(params), pastAt)
  const set = (next: View) => {
    const query = withView(addressed(), next).toString()
    window.history.replaceState(null, '', query === '' ? window.location.pathname : `?${query}`)
  }
  return {
    view,
    setRange: (range) => set({ ...viewFrom(addressed()), range }),
    setSpan: (fromMs, toMs) => set(brushed(fromMs, toMs)),
    shift: (by) => set(shifted(viewFrom(addressed()), by, now)),
    toggleLive: (span) => pastAt === null && set({ ...view, end: view.end === null ? instant(span.toMs) : null }),
  }
}

/** `[` `]` change the range, `{` `}` go earlier and later, `l` goes back to the clock. */
export function useViewKeys({ view, setRange, shift, toggleLive }: ViewControls, span: Span): void {
  useShortcuts({
    '[': () => setRange(stepRange(viewFrom(addressed()).range, -1)),
    ']': () => setRange(stepRange(viewFrom(addressed()).range, 1)),
    '{': () => shift(-1),
    '}': () => shift(1),
    l: () => view.end !== null && toggleLive(span),
  })
}
