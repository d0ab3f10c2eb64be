'use client'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { duration, shortDuration } from '../../lib/shared/format.ts'
import { useServerNow } from '../live/use-live.ts'

/** Time since a moment, by the server's clock; it goes on counting while the view is stale. */
export function Age({ since, short = false }: { since: Instant; short?: boolean }) {
  const now = useServerNow(1)
  if (now === null) return '–'
  return (short ? shortDuration : duration)(elapsedMs(since, now))
}
