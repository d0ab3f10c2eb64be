/** The time before anybody watched: nothing is known of it, which is not that nothing happened. */
import type { Instant } from '../shared/clock.ts'
import type { Gap } from './types.ts'

const REASON = 'Tenure had not begun to watch'

/** The part of the range that lies before `since`, as a gap; `since` is null where nothing was ever observed. */
export function unwatched(since: Instant | null, { from, to }: { from: Instant; to: Instant }): Gap[] {
  if (since !== null && since <= from) return []
  return [{ from, to: since !== null && since < to ? since : to, reason: REASON }]
}
