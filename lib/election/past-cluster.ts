/** A cluster as it was at a moment of the past, in the shape in which live ones are told. Pure. */
import type { Instant } from '../shared/clock.ts'
import { compareDecimal } from '../shared/decimal.ts'
import type { Condition } from './conditions.ts'
import { ZERO } from './ids.ts'
import { type Stop, switchesAt } from './stops.ts'
import type { Cluster, ElectionState, Gap } from './types.ts'

export interface ClusterThen {
  epoch: number
  elections: readonly ElectionState[]
  gaps: readonly Gap[]
  unseen: Gap | null
  stops: readonly Stop[]
  /** Of the hour before, oldest first. */
  conditions: readonly Condition[]
}

/** `now` gives only what configuration says. Members, probes and rights of that time are not kept. */
export function pastCluster(now: Cluster, then: ClusterThen, at: Instant): Cluster {
  const { epoch, elections, gaps, unseen, stops, conditions } = then
  const held = conditions.filter(({ from, to }) => from <= at && (to === null || to > at))
  const revision = elections.reduce(
    (newest, each) => (compareDecimal(newest, each.revision) < 0 ? each.revision : newest),
    ZERO,
  )
  return {
    ...configuredOf(now),
    revision,
    epoch,
    freshness: unseen === null ? 'live' : 'unreachable',
    asOf: unseen === null ? at : unseen.from,
    quorum: unseen === null && !held.some(({ kind }) => kind === 'no-quorum'),
    raftTerm: held.find(({ kind }) => kind === 'raft-leader')?.raftTerm ?? '0',
    raftLeaderChanges: raftLeaderChanges(conditions, at),
    ...(unseen === null ? {} : { reason: `Tenure was not watching then: ${unseen.reason}` }),
    gaps,
    stops,
    switches: switchesAt(stops, at),
  }
}

/** The first one that is known follows none that it could be a change from. */
function raftLeaderChanges(conditions: readonly Condition[], at: Instant): Instant[] {
  const spans = conditions.filter(({ kind, from }) => kind === 'raft-leader' && from <= at)
  return spans.slice(1).map(({ from }) => from)
}

/** Nothing is known of that time, which is not to say that nobody led. */
export function unkeptCluster(now: Cluster, keptSince: Instant | null): Cluster {
  const since = keptSince === null ? 'yet' : `before ${keptSince}`
  return { ...configuredOf(now), reason: `nothing is kept of ${now.name} ${since}` }
}

function configuredOf({ name, clusterId, watched, readOnly }: Cluster): Cluster {
  return {
    name,
    clusterId,
    watched,
    readOnly,
    revision: ZERO,
    epoch: 0,
    freshness: 'unreachable',
    asOf: null,
    quorum: false,
    members: [],
    probeP95Ms: null,
    raftTerm: '0',
    raftLeaderChanges: [],
    gaps: [],
    sampling: { leaders: 0, sampled: 0 },
  }
}
