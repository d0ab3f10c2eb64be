import { milliseconds } from '../../../lib/shared/format.ts'
import type { ElectionRuleOf } from './finding.ts'

export const LEAST_RENEWALS = 20

/** Renewals take so long that one more delay loses the lease. Only where the holder reports them. */
export const renewalSlow: ElectionRuleOf = ({ state, name, thresholds, renewals, leader, ttlMs, stopped }) => {
  if (leader === null || ttlMs === null || stopped !== null) return null
  const { severity, forMs, ttlShare } = thresholds['renewal-slow']
  const slow = renewals(ttlMs * ttlShare)
  if (slow === null || slow.count < LEAST_RENEWALS || slow.p99Ms <= ttlMs * ttlShare) return null
  return {
    rule: 'renewal-slow',
    severity,
    forMs,
    about: state.ref,
    subject: name,
    since: null,
    summary: `${name}: renewals are slow`,
    detail: `p99 of ${slow.count} renewals that ${leader.identity || '(empty)'} reported within five minutes is ${milliseconds(slow.p99Ms)}; ${milliseconds(ttlMs * ttlShare)} is the most for a TTL of ${milliseconds(ttlMs)}.`,
  }
}
