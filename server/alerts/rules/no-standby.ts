import { nextUpOf } from '../../../lib/election/queue.ts'
import { kindOf } from '../../../lib/election/status.ts'
import type { ElectionRuleOf } from './finding.ts'

/** Whoever leads leads alone. In the single-key layout those who wait cannot be seen. */
export const noStandby: ElectionRuleOf = ({ state, name, thresholds, leader, stopped }) => {
  if (leader === null || stopped !== null || state.layout !== 'queue') return null
  if (nextUpOf(state.candidates) !== null || kindOf(state) !== 'election') return null
  const { severity, forMs } = thresholds['no-standby']
  return {
    rule: 'no-standby',
    severity,
    forMs,
    about: state.ref,
    subject: name,
    since: null,
    summary: `${name} has no standby`,
    detail: `${leader.identity || '(empty)'} leads and nobody waits: if it goes, the seat stays empty.`,
  }
}
