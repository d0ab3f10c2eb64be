import { isAtRisk, silentMsAt } from '../../../lib/election/status.ts'
import { elapsedMs, instant, msOf } from '../../../lib/shared/clock.ts'
import { brief } from '../../../lib/shared/format.ts'
import type { ElectionRuleOf } from './finding.ts'

/** The leader's lease runs out for want of renewals. What etcd itself puts on top of it counts for nothing. */
export const leaseMargin: ElectionRuleOf = ({ state, cluster, name, now, thresholds, leader, stopped }) => {
  const ttl = leader?.ttl ?? null
  const { severity, forMs, leftShare } = thresholds['lease-margin']
  if (ttl === null || leader === null || stopped !== null || !isAtRisk(ttl, leftShare)) return null
  // While etcd could not be reached nobody could renew: the holder has to have had the time for it since.
  const seenAgain = cluster.gaps.at(-1)?.to
  if (seenAgain !== undefined && elapsedMs(seenAgain, now) < ttl.grantedMs) return null
  const silentMs = silentMsAt(ttl)
  const refilled =
    ttl.refilledAt === undefined ? '' : ' An etcd raft leader change refilled the lease since: no renewal.'
  return {
    rule: 'lease-margin',
    severity,
    forMs,
    about: state.ref,
    subject: name,
    since: instant(msOf(ttl.asOf) - silentMs + ttl.grantedMs * (1 - leftShare)),
    summary: `${name}: the lease of its leader is not renewed in time`,
    detail: `${leader.identity || '(empty)'} had not renewed for at least ${brief(Math.max(0, silentMs - 1_000))} of a TTL of ${brief(ttl.grantedMs)} when it was looked at.${refilled}`,
  }
}
