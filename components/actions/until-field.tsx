'use client'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { day, hourAndMinute } from '../../lib/shared/format.ts'
import { Segmented } from '../ui/segmented.tsx'

const MINUTE_MS = 60_000
const CHOICES = [
  { value: '15', label: '15 min' },
  { value: '60', label: '1 h' },
  { value: '240', label: '4 h' },
  { value: '1440', label: '24 h' },
  { value: '4320', label: '72 h' },
] as const
export type UntilChoice = (typeof CHOICES)[number]['value']

export function untilOf(choice: UntilChoice, now: Instant): Instant {
  return instant(msOf(now) + Number(choice) * MINUTE_MS)
}

/** "04:13 UTC", with the day where it is another. */
export function untilWords(until: Instant, now: Instant): string {
  const isToday = day(until) === day(now)
  return `${hourAndMinute(until)} UTC${isToday ? '' : ` on ${day(until)}`}`
}

interface UntilFieldProps {
  value: UntilChoice
  onChange: (value: UntilChoice) => void
  now: Instant
}

export function UntilField({ value, onChange, now }: UntilFieldProps) {
  return (
    <div>
      <p className="mb-1.5 font-semibold">Meant to be released in</p>
      <Segmented
        className="w-full"
        label="Meant to be released in"
        onChange={onChange}
        segments={CHOICES}
        value={value}
      />
      <p className="mt-1.5 text-sm text-t2">
        By <b className="text-t1">{untilWords(untilOf(value, now), now)}</b>. Passing it is told on every page; it lets
        nobody lead again.
      </p>
    </div>
  )
}
