import type { Instant } from '../../lib/shared/clock.ts'
import { day, hourAndMinute } from '../../lib/shared/format.ts'

/** A moment, to the minute, in UTC as everywhere. */
export function When({ at }: { at: Instant }) {
  return (
    <time dateTime={at}>
      {day(at)} {hourAndMinute(at)} UTC
    </time>
  )
}
