'use client'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import { day, hourAndMinute } from '../../lib/shared/format.ts'
import { Segmented } from '../ui/segmented.tsx'
import type { Span } from './detail-range.ts'

interface Offered {
  id: string
  label: string
}

interface RangePickerProps<Range extends Offered> {
  ranges: readonly Range[]
  view: { range: Range; end: Instant | null }
  span: Span
  onRange: (range: Range) => void
  onLive: () => void
}

const NAMES: Readonly<Record<string, string>> = {
  '15m': '15 minutes',
  '1h': '1 hour',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
}

/** Which stretch of time the charts show, and whether it follows the clock. */
export function RangePicker<Range extends Offered>(props: RangePickerProps<Range>) {
  const { ranges, view, span, onRange, onLive } = props
  const live = view.end === null
  const from = instant(span.fromMs)
  const to = instant(span.toMs)
  const otherDay = day(from) !== day(to)
  return (
    <>
      <Segmented
        label="Time range"
        onChange={(id) => onRange(ranges.find((range) => range.id === id) ?? view.range)}
        segments={ranges.map(({ id, label }) => ({ value: id, label, name: NAMES[id] ?? label }))}
        value={view.range.id}
      />
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
      <span className="whitespace-nowrap text-sm text-t2 max-sm:ml-auto">
        {otherDay && <span className="max-sm:hidden">{day(from)} </span>}
        {hourAndMinute(from)} to {hourAndMinute(to)}
        <span className="max-sm:hidden"> UTC</span>
      </span>
    </>
  )
}
