'use client'
import { useSearchParams } from 'next/navigation'
import { instant } from '../../lib/shared/clock.ts'
import { usePastAt } from '../live/use-live.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'
import { type Range, type Span, stepRange, type View, viewFrom, withView } from './detail-range.ts'

export interface ViewControls {
  view: View
  setRange(range: Range): void
  /** Follows the clock, or holds the time still at the right edge of `span`. */
  toggleLive(span: Span): void
}

/** As the address has it now; what is rendered may be a key press behind. */
const addressed = () => new URLSearchParams(window.location.search)

/** The shown time lives in the URL, so that a link or a reload shows the same. */
export function useView(): ViewControls {
  const params = useSearchParams()
  const pastAt = usePastAt()
  const asked = viewFrom(params)
  // Of what came after the moment that is shown nothing is drawn.
  const view = { ...asked, end: pastAt !== null && (asked.end === null || asked.end > pastAt) ? pastAt : asked.end }
  const set = (next: View) => {
    const query = withView(addressed(), next).toString()
    window.history.replaceState(null, '', query === '' ? window.location.pathname : `?${query}`)
  }
  return {
    view,
    setRange: (range) => set({ ...viewFrom(addressed()), range }),
    toggleLive: (span) => pastAt === null && set({ ...view, end: view.end === null ? instant(span.toMs) : null }),
  }
}

/** `[` `]` change the range, `l` goes back to the clock. */
export function useViewKeys({ view, setRange, toggleLive }: ViewControls, span: Span): void {
  useShortcuts({
    '[': () => setRange(stepRange(viewFrom(addressed()).range, -1)),
    ']': () => setRange(stepRange(viewFrom(addressed()).range, 1)),
    l: () => view.end !== null && toggleLive(span),
  })
}
