/** Is the cluster all right? Worst first; never more than was observed. */

import type { MemberShape } from '../../lib/election/series.ts'
import type { Cluster, MemberSummary } from '../../lib/election/types.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { count, timeOfDay } from '../../lib/shared/format.ts'
import type { Sentence } from './list-sentence.ts'

const NEARLY_FULL = 0.8

function raftLeader(cluster: Cluster): string {
  const leader = cluster.members.find((member) => member.isRaftLeader)
  return leader === undefined ? 'No member says who is etcd raft leader.' : `${leader.name} is etcd raft leader.`
}

function memberTroubles(members: readonly MemberShape[]): string[] {
  const troubles = members.flatMap(({ name, alarms, error, dbSize, dbQuota }) => [
    ...alarms.map((alarm) => `${name} raised the alarm ${alarm}.`),
    ...(error === undefined ? [] : [`${name} does not answer.`]),
    ...(dbQuota !== null && dbQuota > 0 && dbSize / dbQuota > NEARLY_FULL
      ? [`${name} has used ${Math.round((100 * dbSize) / dbQuota)} % of its space.`]
      : []),
  ])
  const versions = new Set(members.map(({ version }) => version).filter(Boolean))
  return versions.size > 1 ? [...troubles, `Members run ${[...versions].sort().join(' and ')}.`] : troubles
}

/** A member that shows the past, or may come to: nothing is taken from it. */
function lagWords({ name, lag, noRaftLeader }: MemberSummary): string[] {
  const alone = noRaftLeader ? 'knows no etcd raft leader' : ''
  const behind = lag ? `lags, at revision ${groupDigits(lag.revision)} of ${groupDigits(lag.reached)}` : ''
  const words = [alone, behind].filter(Boolean).join(' and ')
  return words === '' ? [] : [`${name} ${words}.`]
}

/** Of the past it is known whether Tenure saw the cluster, and no more. */
export function pastClusterSentence({ name, freshness, quorum, reason = 'nothing is known' }: Cluster): Sentence {
  if (freshness === 'live' && !quorum) return { strong: `${name} had no quorum.`, rest: '' }
  if (freshness === 'live') return { strong: `${name} answered.`, rest: 'Who its members were is not kept.' }
  return { strong: `${name} was not seen:`, rest: `${reason}.` }
}

export function clusterSentence(cluster: Cluster, members: readonly MemberShape[]): Sentence {
  const total = cluster.members.length
  const up = cluster.members.filter(({ reachable }) => reachable).length
  const since = cluster.asOf === null ? '' : ` since ${timeOfDay(cluster.asOf)} UTC`
  if (cluster.freshness === 'unreachable') {
    return {
      strong: `${cluster.name} cannot be reached${since}.`,
      rest: cluster.asOf === null ? '' : 'What follows was seen last.',
    }
  }
  if (!cluster.quorum) {
    return {
      strong: `${cluster.name} has no quorum.`,
      rest: `${up} of ${count(total, 'member')} answer; renewals fail and nothing can be written.`,
    }
  }
  if (cluster.freshness === 'stale') {
    return { strong: `${cluster.name} has not answered${since}.`, rest: 'What follows was true then.' }
  }
  const troubles = [...cluster.members.flatMap(lagWords), ...memberTroubles(members)]
  if (up < total) {
    return {
      strong: `${total - up} of ${count(total, 'member')} of ${cluster.name} do not answer.`,
      rest: raftLeader(cluster),
    }
  }
  const [first, ...others] = troubles
  if (first !== undefined) return { strong: first, rest: [...others, raftLeader(cluster)].join(' ') }
  return { strong: `${cluster.name} is healthy.`, rest: `All ${count(total, 'member')} answer; ${raftLeader(cluster)}` }
}
