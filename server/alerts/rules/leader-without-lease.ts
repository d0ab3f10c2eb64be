import type { ElectionRuleOf } from './finding.ts'

/** The key stays whoever dies: nobody can take over, and that its holder lives is not known. */
export const leaderWithoutLease: ElectionRuleOf = ({ state, name, thresholds, leader, stopped }) => {
  if (leader === null || leader.lease !== null || leader.held !== undefined || stopped !== null) return null
  const { severity, forMs } = thresholds['leader-without-lease']
  return {
    rule: 'leader-without-lease',
    severity,
    forMs,
    about: state.ref,
    subject: name,
    since: null,
    summary: `${name}: the leader's key has no lease`,
    detail: `The key ${leader.key} (${leader.identity || 'empty'}) never expires: no live lease is behind it, so it stays when its holder dies, and nobody takes over.`,
  }
}
