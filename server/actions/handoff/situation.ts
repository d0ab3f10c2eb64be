/** What the policy is asked of a handoff: an election in a view, or as it was just read. */
import type { Situation } from '../../../lib/election/policy.ts'
import type { ElectionState } from '../../../lib/election/types.ts'
import type { ActionParts } from '../parts.ts'
import type { Reach } from '../reach.ts'
import type { ElectionNow } from '../read-election.ts'
import { situationOf } from '../situation.ts'
import type { Seats } from './seat.ts'

/** A single key's standbys are known by what they say of themselves, or not at all. */
export function hasStandby({ layout }: Pick<ElectionState, 'layout'>, seats: Seats, now: ElectionNow): boolean {
  if (layout === 'single-key') return waitingOf(now) > 0
  const [next] = seats.waiters
  return next !== undefined && !next.isNested
}

export function waitingOf({ present }: ElectionNow): number {
  return [...present.values()].filter(({ says }) => says?.state === 'waiting').length
}

export function handoffSituation(
  { operations }: Pick<ActionParts, 'operations'>,
  reach: Reach,
  state: ElectionState,
  more: { hasStandby?: boolean; overridesNoStandby?: boolean } = {},
): Situation {
  return situationOf(reach, state, { actionInFlight: operations.isInFlight(reach.name, state.ref), ...more })
}
