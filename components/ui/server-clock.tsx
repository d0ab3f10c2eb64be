'use client'
import { day, hourAndMinute, timeOfDay } from '../../lib/shared/format.ts'
import { useServerNow } from '../live/use-live.ts'

/** The server's time: every age on the page counts from it. */
export function ServerClock() {
  const now = useServerNow(1)
  return (
    <span className="shrink-0 whitespace-nowrap text-right leading-[15px]" title="The server's clock">
      <b className="font-display text-[15px] leading-[17px] max-sm:hidden">
        {now === null ? '––:––:––' : timeOfDay(now)}
      </b>
      <span className="block text-t3 text-xs leading-[13px] max-sm:hidden">
        UTC{now === null ? '' : ` · ${day(now)}`}
      </span>
      <span className="sm:hidden">
        <b>{now === null ? '––:––' : hourAndMinute(now)}</b> <span className="text-sm text-t2">UTC</span>
      </span>
    </span>
  )
}
