/** The state of this page's view of etcd: its own stream first, then how fresh the clusters are. */
import type { Cluster } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { groupDigits } from '../../lib/shared/decimal.ts'
import { day, shortDuration, timeOfDay } from '../../lib/shared/format.ts'
import type { Connection } from '../live/live-store.ts'

export interface ConnectionWords {
  tone: 'ok' | 'warn' | 'crit' | 'calm'
  word: string
  /** After the word; `bytes` is set in mono. */
  before: string
  bytes: string
  after: string
  /** The whole reason, for a tooltip. */
  reason: string
}

const plain = { before: '', bytes: '', after: '', reason: '' }

function age(since: Instant | null, now: Instant | null): string {
  return since === null || now === null ? '' : `${shortDuration(elapsedMs(since, now))} ago`
}

function ofOne(cluster: Cluster, now: Instant | null): ConnectionWords {
  const bytes = groupDigits(cluster.revision)
  const reason = cluster.reason ?? ''
  switch (cluster.freshness) {
    case 'live':
      return { ...plain, tone: 'ok', word: 'Live', before: 'revision', bytes, reason }
    case 'stale': {
      const after = age(cluster.asOf, now)
      return { tone: 'warn', word: 'Stale', before: 'last revision', bytes, after: after && `, ${after}`, reason }
    }
    case 'unreachable':
      return cluster.asOf === null
        ? { ...plain, tone: 'crit', word: 'Unreachable', before: 'never seen', reason }
        : {
            tone: 'crit',
            word: 'Unreachable',
            before: 'last revision',
            bytes,
            after: `, ${age(cluster.asOf, now)}`,
            reason,
          }
  }
}

function ofMany(clusters: readonly Cluster[]): ConnectionWords {
  const lost = clusters.filter((cluster) => cluster.freshness !== 'live')
  if (lost.length === 0) return { ...plain, tone: 'ok', word: 'Live', before: `${clusters.length} clusters` }
  const unreachable = lost.some((cluster) => cluster.freshness === 'unreachable')
  return {
    ...plain,
    tone: unreachable ? 'crit' : 'warn',
    word: unreachable ? 'Unreachable' : 'Stale',
    before: lost.map(({ name }) => name).join(', '),
    reason: lost.flatMap(({ name, reason }) => (reason ? [`${name}: ${reason}`] : [])).join('\n'),
  }
}

export function connectionWords(
  connection: Connection,
  clusters: readonly Cluster[],
  now: Instant | null,
): ConnectionWords {
  if (connection.state === 'reconnecting') {
    const { since, reason } = connection
    const before = since === null ? '' : `since ${timeOfDay(since)}, ${age(since, now)}`
    return { ...plain, tone: 'warn', word: 'Reconnecting', before, reason }
  }
  if (connection.state === 'past') {
    return { ...plain, tone: 'calm', word: `As of ${timeOfDay(connection.at)} UTC`, before: day(connection.at) }
  }
  const [first] = clusters
  if (first === undefined) return { ...plain, tone: 'calm', word: 'Connecting' }
  return clusters.length === 1 ? ofOne(first, now) : ofMany(clusters)
}
