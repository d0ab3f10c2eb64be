/** That nothing was found ends an alert only where something could have been found. */
import type { Alert } from '../../lib/election/alerts.ts'
import type { Cluster } from '../../lib/election/types.ts'

/** By then every candidate has reported again, and everybody has had to write history. */
export const SETTLED_MS = 30_000
/** As long as renewals are remembered. */
const RENEWALS_MS = 5 * 60_000

export interface Sight {
  cluster: Cluster
  /** It is live, and its elections have been looked at. */
  isSeen: boolean
  /** It has been since this server began. */
  wasSeen: boolean
  /** etcd told its alarms. */
  knowsAlarms: boolean
  /** Every file and endpoint has shown its certificate. */
  knowsCertificates: boolean
}

/** Of a cluster's own alerts. */
export function clusterGoesOn({ rule, subject }: Pick<Alert, 'rule' | 'subject'>, sight: Sight): boolean {
  const { cluster, isSeen, wasSeen } = sight
  switch (rule) {
    case 'certificate-expiring':
      return !sight.knowsCertificates
    case 'quorum-lost':
    case 'store-rolled-back':
      return !wasSeen
    case 'etcd-alarm':
      return !isSeen || !sight.knowsAlarms
    case 'switch-vanished':
      // Whoever began after it went cannot know of it: it ends when a record stands there again.
      return (
        !isSeen ||
        !(cluster.switches ?? []).some(
          ({ scope, state }) => state !== 'unreadable' && (scope || 'everything') === subject,
        )
      )
    case 'mass-event':
    case 'lease-margin':
    case 'no-standby':
    case 'renewal-slow':
    case 'flapping':
    case 'leader-without-lease':
      return !isSeen
    case 'switch-unreadable':
    case 'switch-overdue':
    case 'switch-forgotten':
      return !isSeen || cluster.switches === undefined
    default:
      return false
  }
}

/**
 * Of an election's alerts, in a cluster that has been seen for so long since this server began. That nobody leads is
 * no end of what was wrong with the leader.
 */
export function electionGoesOn(
  { rule }: Pick<Alert, 'rule'>,
  { seenForMs, isLed }: { seenForMs: number; isLed: boolean },
): boolean {
  switch (rule) {
    case 'dual-claim':
      return seenForMs < SETTLED_MS
    case 'renewal-slow':
      return !isLed || seenForMs < RENEWALS_MS
    case 'no-standby':
    case 'lease-margin':
      return !isLed
    default:
      return false
  }
}
