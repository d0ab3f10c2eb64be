/** What is said of a handoff on its way, and what may be claimed of it. */
import { msOf } from '../../../lib/shared/clock.ts'
import { groupDigits } from '../../../lib/shared/decimal.ts'
import type { HandoffPlan } from './plan.ts'
import type { Sent } from './sending.ts'

export const HOW = {
  ask: 'asked to hand over',
  'revoke-session': 'its session was revoked',
  'remove-key': 'its key alone was removed',
} as const

export function requestedWords({ method, leader }: HandoffPlan, { revision }: Sent): string {
  const at = groupDigits(revision)
  const token = groupDigits(leader.createRevision)
  switch (method) {
    case 'ask':
      return `Request written at revision ${at}, on condition that the token is still ${token}.`
    case 'revoke-session':
      return `Lease ${leader.lease} revoked; revision ${at}, read directly before, showed the same key, token and lease.`
    case 'remove-key':
      return `Key removed at revision ${at}, on condition of token ${token} and mod revision ${groupDigits(leader.modRevision)}.`
  }
}

/** The answer is missing and the key is gone. */
export const UNPROVEN = ' Nothing shows whether by this request or because its lease ended by itself.'

/** Of an intent that an earlier version stored, nothing is known. */
export function canHaveExpired({ leader, lastsUntil }: HandoffPlan, nowMs: number): boolean {
  return leader.lease !== null && (!lastsUntil || nowMs >= msOf(lastsUntil))
}
