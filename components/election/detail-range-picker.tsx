'use client'
import { instant } from '../../lib/shared/clock.ts'
import { day, hourAndMinute } from '../../lib/shared/format.ts'
import { usePastAt } from '../live/use-live.ts'
import { Segmented } from '../ui/segmented.tsx'
import { RANGES, type Range, type Span, type View } from './detail-range.ts'

interface RangePickerProps {
  view: View
  span: Span
  onRange: (range: Range) => void
  onLive: () => void
}

const NAMES = { '15m': '15 minutes', '1h': '1 hour', '6h': '6 hours', '24h': '24 hours' }

/** Which stretch of time the charts show, and whether it follows the clock. */
export function RangePicker({ view, span, onRange, onLive }: RangePickerProps) {
  const live = view.end === null
  const isPast = usePastAt() !== null
  const from = instant(span.fromMs)
  const to = instant(span.toMs)
  const otherDay = day(from) !== day(to)
  return (
    <>
      <Segmented
        label="Time range"
        onChange={(id) => onRange(RANGES.find((range) => range.id === id) ?? view.range)}
        segments={RANGES.map(({ id, label }) => ({ value: id, label, name: NAMES[id] }))}
        value={view.range.id}
      />
      {!isPast && (
        <button
          aria-keyshortcuts="l"
          aria-pressed={live}
          className={`inline-flex h-7 items-center gap-2 rounded-md border border-ctl px-2.5 font-semibold text-sm max-sm:h-10 ${live ? 'text-t1' : 'text-t2'}`}
          onClick={onLive}
          title={live ? 'Follows the clock; press to hold the time still' : 'Held still; press to follow the clock'}
          type="button"
        >
          <svg aria-hidden="true" height="10" width="10">
            {live ? (
              <circle cx="5" cy="5" fill="var(--ok)" r="4" />
            ) : (
              <circle cx="5" cy="5" fill="none" r="3.5" stroke="currentColor" strokeWidth="1.3" />
            )}
          </svg>
          Live
        </button>
      )}
      <span className="whitespace-nowrap text-sm text-t2 max-sm:ml-auto">
        {otherDay && <span className="max-sm:hidden">{day(from)} </span>}
        {hourAndMinute(from)} to {hourAndMinute(to)}
        <span className="max-sm:hidden"> UTC</span>
      </span>
    </>
  )
}
