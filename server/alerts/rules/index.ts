/** Every rule, by what it looks at. */
import { dualClaim } from './dual-claim.ts'
import { certificates, etcdAlarms, quorumLost, rolledBack, viewStale } from './etcd.ts'
import type { ClusterRuleOf, ClusterSeen, ElectionRuleOf, ElectionSeen, Finding } from './finding.ts'
import { flapping } from './flapping.ts'
import { leaderWithoutLease } from './leader-without-lease.ts'
import { leaderless } from './leaderless.ts'
import { leaseMargin } from './lease-margin.ts'
import { noStandby } from './no-standby.ts'
import { renewalSlow } from './renewal-slow.ts'
import { forgotten, switchTroubles } from './switches.ts'

const OF_ELECTIONS: readonly ElectionRuleOf[] = [
  dualClaim,
  leaderless,
  flapping,
  noStandby,
  leaseMargin,
  renewalSlow,
  leaderWithoutLease,
]
const OF_CLUSTERS: readonly ClusterRuleOf[] = [
  quorumLost,
  viewStale,
  rolledBack,
  etcdAlarms,
  switchTroubles,
  forgotten,
  certificates,
]

/** A look-alike is shown, and nobody is called for it. */
export function electionFindings(seen: ElectionSeen): Finding[] {
  if (!seen.state.confirmed) return []
  const found: Finding[] = []
  for (const rule of OF_ELECTIONS) {
    const finding = rule(seen)
    if (finding !== null && !seen.thresholds[finding.rule].off) found.push(finding)
  }
  return found
}

export function clusterFindings(seen: ClusterSeen): Finding[] {
  return OF_CLUSTERS.flatMap((rule) => rule(seen)).filter(({ rule }) => !seen.thresholds[rule].off)
}
