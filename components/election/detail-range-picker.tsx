'use client'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { instant } from '../../lib/shared/clock.ts'
import { day, dayAndMonth, hourAndMinute, timeOfDay } from '../../lib/shared/format.ts'
import { usePastAt } from '../live/use-live.ts'
import { Segmented } from '../ui/segmented.tsx'
import { RANGES, type Span } from './detail-range.ts'
import type { ViewControls } from './detail-view.ts'

interface RangePickerProps {
  controls: Omit<ViewControls, 'setSpan'>
  span: Span
}

/** Shorter ranges tell seconds. */
const TO_THE_SECOND_MS = 600_000

const NAMES = new Map<string, string>([
  ['15m', '15 minutes'],
  ['1h', '1 hour'],
  ['6h', '6 hours'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
])

/** Which stretch of time the charts show, and whether it follows the clock. */
export function RangePicker({ controls, span }: RangePickerProps) {
  const { view, setRange, shift, toggleLive } = controls
  const { range } = view
  const isUsual = RANGES.some(({ id }) => id === range.id)
  const shown = isUsual ? RANGES : [...RANGES, range]
  const live = view.end === null
  const isPast = usePastAt() !== null
  const from = instant(span.fromMs)
  const to = instant(span.toMs)
  const otherDay = day(from) !== day(to)
  const clock = range.ms < TO_THE_SECOND_MS ? timeOfDay : hourAndMinute
  return (
    <>
      <Segmented
        label="Time range"
        onChange={(id) => setRange(shown.find((each) => each.id === id) ?? range)}
        segments={shown.map(({ id, label }) => ({
          value: id,
          label,
          name: NAMES.get(id) ?? label,
          className: 'max-sm:px-2',
        }))}
        value={view.range.id}
      />
      {!isPast && (
        <button
          aria-keyshortcuts="l"
          aria-pressed={live}
          className={`inline-flex h-7 items-center gap-2 rounded-md border border-ctl px-2.5 font-semibold text-sm max-sm:h-10 ${live ? 'text-t1' : 'text-t2'}`}
          onClick={() => toggleLive(span)}
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
      <ShiftButtons onShift={shift} />
      <span className="whitespace-nowrap text-sm text-t2 max-sm:ml-auto">
        {otherDay ? `${dayAndMonth(from)} ` : ''}
        {clock(from)} to {otherDay && !live ? `${dayAndMonth(to)} ` : ''}
        {live ? 'now' : clock(to)}
        <span className="max-sm:hidden"> UTC</span>
      </span>
    </>
  )
}

function ShiftButtons({ onShift }: { onShift: (by: 1 | -1) => void }) {
  const look = 'grid h-7 w-7 place-items-center border border-ctl text-t2 hover:text-t1 max-sm:h-10 max-sm:w-10'
  return (
    <span className="inline-flex">
      <button
        aria-keyshortcuts="{"
        aria-label="Earlier"
        className={`${look} rounded-l-md`}
        onClick={() => onShift(-1)}
        title="Half a range earlier"
        type="button"
      >
        <ChevronLeft aria-hidden="true" size={14} />
      </button>
      <button
        aria-keyshortcuts="}"
        aria-label="Later"
        className={`${look} rounded-r-md border-l-0`}
        onClick={() => onShift(1)}
        title="Half a range later"
        type="button"
      >
        <ChevronRight aria-hidden="true" size={14} />
      </button>
    </span>
  )
}
