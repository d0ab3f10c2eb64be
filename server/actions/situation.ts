/** What is known now of an election or a cluster, as the policy asks for it. */
import { NOWHERE, type Situation } from '../../lib/election/policy.ts'
import { nextUpOf } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import type { Reach } from './reach.ts'

export function situationOf(
  reach: Reach,
  state: ElectionState | null,
  more: Partial<Pick<Situation, 'actionInFlight' | 'overridesNoStandby' | 'hasStandby'>> = {},
): Situation {
  const { info } = reach.view
  return {
    ...NOWHERE,
    readOnly: reach.readOnly,
    freshness: info.freshness,
    rolledBack: info.rolledBack !== undefined,
    confirmed: state === null ? null : state.confirmed,
    hasStandby: state === null ? null : nextUpOf(state.candidates) !== null,
    ...more,
  }
}
