/** What is wrong with etcd itself, or with how it can be seen. */

import type { Cluster } from '../../../lib/election/types.ts'
import { instant, msOf } from '../../../lib/shared/clock.ts'
import { brief, count, day, timeOfDay } from '../../../lib/shared/format.ts'
import type { ClusterRuleOf } from './finding.ts'

const DAY_MS = 24 * 3_600_000
const lastAnswer = ({ asOf }: Cluster) =>
  asOf === null ? 'etcd has not answered yet.' : `The last proven answer is of ${timeOfDay(asOf)} UTC.`

/** Nothing can be elected, renewed or proven. */
export const quorumLost: ClusterRuleOf = ({ cluster, thresholds }) => {
  // A server that begins in the middle of it has no answer of its own yet: then members that know no leader say so.
  const isLost = cluster.asOf === null ? cluster.members.some(({ noRaftLeader }) => noRaftLeader) : !cluster.quorum
  if (!isLost) return []
  const { severity, forMs } = thresholds['quorum-lost']
  const detail = `etcd answers no linearizable read: no lease can be renewed and nobody can be elected. ${lastAnswer(cluster)} ${cluster.reason ?? ''}`
  return [
    {
      rule: 'quorum-lost',
      severity,
      forMs,
      about: '',
      subject: cluster.name,
      since: cluster.asOf,
      summary: `etcd cluster ${cluster.name} has lost its quorum`,
      detail: detail.trim(),
    },
  ]
}

/** What is shown is old, for whatever reason. */
export const viewStale: ClusterRuleOf = ({ cluster, thresholds }) => {
  if (cluster.freshness === 'live') return []
  const { severity, forMs } = thresholds['view-stale']
  return [
    {
      rule: 'view-stale',
      severity,
      forMs,
      about: '',
      subject: cluster.name,
      since: cluster.asOf,
      summary: `Tenure cannot see etcd cluster ${cluster.name}`,
      detail: `${lastAnswer(cluster)} Whatever has happened to its elections since is not known, and no other alert of them can begin or end.${cluster.reason ? ` Reason: ${cluster.reason}` : ''}`,
    },
  ]
}

export const rolledBack: ClusterRuleOf = ({ cluster, thresholds }) => {
  const { rolledBack: back } = cluster
  if (back === undefined) return []
  const { severity, forMs } = thresholds['store-rolled-back']
  return [
    {
      rule: 'store-rolled-back',
      severity,
      forMs,
      about: '',
      subject: cluster.name,
      since: back.at,
      summary: `The store of etcd cluster ${cluster.name} was rolled back`,
      detail: `It went from revision ${back.from} to ${back.to}, as after a restore from a backup: fencing tokens of before and after do not compare without the epoch. Actions are frozen until an admin acknowledges it.`,
    },
  ]
}

export const etcdAlarms: ClusterRuleOf = ({ cluster, thresholds, alarms }) => {
  const { severity, forMs } = thresholds['etcd-alarm']
  return (alarms ?? []).map(({ type, member }) => ({
    rule: 'etcd-alarm' as const,
    severity,
    forMs,
    about: `${type} ${member}`,
    subject: member,
    since: null,
    summary: `etcd cluster ${cluster.name}: ${type} alarm on ${member}`,
    detail: ALARMS[type] ?? `etcd has raised the alarm ${type}.`,
  }))
}

const ALARMS: Readonly<Record<string, string>> = {
  NOSPACE:
    'etcd takes no writes: no candidate can join, and no kill switch can be engaged. Renewals, resigning and revoking go on.',
  CORRUPT: 'A member holds other data than the others: what it answers cannot be relied on.',
}

/** Every way in which a certificate stops working is a lost view, or a lost cluster. */
export const certificates: ClusterRuleOf = ({ cluster, now, thresholds, certificates: known }) => {
  const { severity, forMs, withinDays } = thresholds['certificate-expiring']
  const until = instant(msOf(now) + withinDays * DAY_MS)
  return known
    .filter(({ expiresAt }) => expiresAt <= until)
    .map(({ what, expiresAt }) => {
      const leftMs = msOf(expiresAt) - msOf(now)
      const when =
        leftMs <= 0
          ? 'has expired'
          : `expires in ${leftMs < DAY_MS ? brief(leftMs) : count(Math.floor(leftMs / DAY_MS), 'day')}`
      return {
        rule: 'certificate-expiring' as const,
        severity,
        forMs,
        about: what,
        subject: what,
        since: instant(msOf(expiresAt) - withinDays * DAY_MS),
        summary: `etcd cluster ${cluster.name}: the ${what} ${leftMs <= 0 ? 'has expired' : 'expires soon'}`,
        detail: `The ${what} ${when}: ${day(expiresAt)} ${timeOfDay(expiresAt)} UTC.`,
      }
    })
}
