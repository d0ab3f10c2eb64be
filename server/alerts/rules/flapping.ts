import { FLAPPING_FAILOVERS, kindOf, recentFailovers } from '../../../lib/election/status.ts'
import type { Cause, ElectionState } from '../../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../../lib/shared/clock.ts'
import { brief } from '../../../lib/shared/format.ts'
import type { ElectionRuleOf } from './finding.ts'

/** What somebody did by Tenure, and what a rollback undid, says nothing of how steady the election is. */
const BY_SOMEBODY: ReadonlySet<Cause> = new Set(['handed off', 'revoked', 'kill switch', 'store rolled back'])

/** Ends of terms within the window. A mutex changes hands all day: that is its work. */
function recentChanges(state: ElectionState, now: Instant, withinMs: number): Instant[] {
  const newest = state.ended.at(-1)
  const from = instant(msOf(now) - withinMs)
  if (newest?.to == null || newest.to < from || kindOf(state) === 'mutex') return []
  return state.ended.flatMap(({ to, endedBy }) =>
    to === null || to < from || (endedBy !== null && BY_SOMEBODY.has(endedBy.cause)) ? [] : [to],
  )
}

/** Leadership goes to and fro: many changes in a short time, or the status says so. */
export const flapping: ElectionRuleOf = ({ state, name, now, thresholds, stopped }) => {
  if (stopped !== null || state.ended.length === 0) return null
  const { severity, forMs, changes, withinMs } = thresholds.flapping
  const recent = recentChanges(state, now, withinMs)
  const failovers = recentFailovers(state, now)
  const isMany = recent.length >= changes
  const most = Math.max(FLAPPING_FAILOVERS, changes)
  if (!isMany && failovers < most) return null
  const what = isMany ? `${recent.length} changes of leader in ${brief(withinMs)}` : `${failovers} failovers in an hour`
  const since = isMany ? recent[changes - 1] : state.failovers.at(most - 1 - failovers)
  return {
    rule: 'flapping',
    severity,
    forMs,
    about: state.ref,
    subject: name,
    since: since ?? null,
    summary: `${name} flaps: ${what}`,
    detail: `${what}; ${isMany ? `${changes} are too many` : `${most} are too many`}. Changes that somebody made by Tenure are not counted.`,
  }
}
