import { blockerOf, competitors, heldHeadOf } from '../../../lib/election/queue.ts'
import type { StandingSwitch } from '../../../lib/election/scopes.ts'
import { kindOf, LEADERLESS_AFTER_MS } from '../../../lib/election/status.ts'
import { isPending, isUnplanned } from '../../../lib/election/terms.ts'
import type { ElectionState, Term } from '../../../lib/election/types.ts'
import { elapsedMs } from '../../../lib/shared/clock.ts'
import { brief, count, day, timeOfDay } from '../../../lib/shared/format.ts'
import type { ElectionRuleOf, ElectionSeen } from './finding.ts'

/** Where no look-up has told the TTL yet, as after a restart. */
export const ASSUMED_TTL_MS = 15_000

/** Nobody leads for too long. A stop is meant to leave the seat empty: only a leader that died by itself counts then. */
export const leaderless: ElectionRuleOf = (seen) => {
  const { state, name, now, thresholds, leader, stopped, ttlMs } = seen
  const since = state.leaderlessSince
  if (since === null || leader !== null || kindOf(state) === 'mutex') return null
  const last = state.ended.at(-1)
  if (stopped !== null && !diedDuring(last, stopped)) return null
  const { severity, forMs: set, isForSet, ttls } = thresholds.leaderless
  const forMs = isForSet ? set : ttls * (ttlMs ?? ASSUMED_TTL_MS)
  // Between two leaders of a quick change nobody leads either.
  if (elapsedMs(since, now) < Math.min(forMs, LEADERLESS_AFTER_MS)) return null
  return {
    rule: 'leaderless',
    severity,
    forMs,
    about: state.ref,
    subject: name,
    since,
    summary: `${name} has no leader${competitors(state.candidates).length === 0 ? ' and no candidates' : ''}`,
    detail: [
      `Nobody has led since ${timeOfDay(since)} UTC.`,
      ended(last),
      waiting(state),
      waits(seen, forMs),
      held(stopped),
    ]
      .filter((part) => part !== '')
      .join(' '),
  }
}

function diedDuring(last: Term | undefined, { record }: StandingSwitch): boolean {
  if (last?.to == null || last.endedBy === null || !isUnplanned(last.endedBy.cause)) return false
  return record === null || last.to >= record.at
}

function ended(last: Term | undefined): string {
  if (last?.to == null) return ''
  const who = last.leader.identity || '(empty)'
  const why = last.endedBy === null || isPending(last.endedBy) ? 'the cause is not known yet' : last.endedBy.cause
  return `The term of ${who} ended at ${timeOfDay(last.to)} UTC: ${why}.`
}

function waiting(state: ElectionState): string {
  const held = heldHeadOf(state.candidates)?.held
  if (held) return `A key that an enforced stop of ${held.by} put first in the queue still stands, so nobody can lead.`
  const blocker = blockerOf(state.candidates)
  const waiters = competitors(state.candidates).length
  if (blocker !== null) return `The older key ${blocker.key} stands first in the queue, so nobody can lead.`
  return waiters === 0 ? 'Nobody waits to take over.' : `${count(waiters, 'candidate')} in the queue.`
}

function waits({ thresholds: { leaderless: own }, ttlMs }: ElectionSeen, forMs: number): string {
  // Right after a start none is known, and what was waited for before is not either.
  if (own.isForSet || ttlMs === null) return ''
  return `It waits for ${own.ttls} × the TTL of ${brief(ttlMs)}: ${brief(forMs)}.`
}

function held(stopped: StandingSwitch | null): string {
  if (stopped === null) return ''
  const { record } = stopped
  if (record === null) return 'No failover will happen: a kill switch that cannot be read holds it.'
  return `No failover will happen: kill switch on since ${day(record.at)} ${timeOfDay(record.at)} UTC by ${record.by} (“${record.reason}”).`
}
