import { dualClaimOf } from '../../../lib/election/claims.ts'
import { count, timeOfDay } from '../../../lib/shared/format.ts'
import type { ElectionRuleOf } from './finding.ts'

/** Somebody acts as leader who is not, or two under one token. */
export const dualClaim: ElectionRuleOf = ({ state, cluster, name, now, thresholds }) => {
  const dual = dualClaimOf(state, cluster.gaps, now)
  if (dual === null) return null
  const { severity, forMs } = thresholds['dual-claim']
  const who = dual.claimants.map(({ claim, reason }) => `${claim.identity || '(empty)'} ${REASONS[reason]}`).join(', ')
  return {
    rule: 'dual-claim',
    severity,
    forMs,
    about: state.ref,
    subject: name,
    since: dual.since,
    summary: `${name}: somebody acts as leader who does not hold the seat`,
    detail: `${count(dual.claimants.length, 'instance')} ${dual.claimants.length === 1 ? 'contradicts' : 'contradict'} etcd since ${timeOfDay(dual.since)} UTC: ${who}. What it writes is refused only where a fencing token is checked.`,
  }
}

const REASONS = {
  'same-token': 'claims a token that another instance claims too',
  'term-ended': 'claims a term that has ended',
  'other-lease': 'claims a seat whose key is on another lease',
  'never-led': 'claims a term that etcd has never shown',
} as const
