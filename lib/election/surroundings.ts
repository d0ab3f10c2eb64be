/** What etcd itself was like around a moment: whether what happened then was us or etcd. */
import { elapsedMs, type Instant } from '../shared/clock.ts'
import { shortDuration } from '../shared/format.ts'
import type { Condition } from './conditions.ts'

/** A change of the etcd raft leader refills leases and delays writes: what follows within this may come of it. */
export const RAFT_REACH_MS = 10_000
/** A change that is not known better than this says nothing of a moment near it: Tenure was away. */
const VAGUE_MS = 60_000

export interface RaftChange {
  /** Last sight of the one before, and first sight of the new one: it changed in between. */
  from: Instant
  to: Instant
  /** Members' names; the same twice where one was elected again. */
  before: string
  after: string
}

export interface Surroundings {
  /** The nearest change of the etcd raft leader in the ten seconds before; `beforeMs` is 0 while it was under way. */
  raftChange: (RaftChange & { beforeMs: number }) | null
  noQuorum: boolean
  /** Members whose probe was slow or silent. */
  slow: readonly string[]
  /** "NOSPACE etcd-1" */
  alarms: readonly string[]
}

type Spans = readonly Condition[]

/** `conditions` oldest first. The first span of all is no change: nothing tells what was before. */
export function raftChanges(conditions: Spans): RaftChange[] {
  const spans = conditions.filter(({ kind }) => kind === 'raft-leader')
  return spans.flatMap((span, at): RaftChange[] => {
    const before = spans[at - 1]
    if (before === undefined || before.raftTerm === span.raftTerm) return []
    return [{ from: before.to ?? span.from, to: span.from, before: before.subject, after: span.subject }]
  })
}

/** `conditions` oldest first, from at least some minutes before `at`. */
export function surroundingsOf(at: Instant, conditions: Spans): Surroundings {
  const lasting = conditions.filter(({ from, to }) => from <= at && (to === null || to >= at))
  const subjects = (kind: Condition['kind']) =>
    lasting.filter((each) => each.kind === kind).map(({ subject }) => subject)
  const near = raftChanges(conditions).filter(({ from, to }) => from <= at && elapsedMs(to, at) <= RAFT_REACH_MS)
  const change = near.findLast(({ from, to }) => elapsedMs(from, to) <= VAGUE_MS)
  return {
    raftChange: change === undefined ? null : { ...change, beforeMs: Math.max(0, elapsedMs(change.to, at)) },
    noQuorum: subjects('no-quorum').length > 0,
    slow: subjects('slow-probe'),
    alarms: subjects('alarm'),
  }
}

/** "etcd raft leader changed 1 s before, etcd had no quorum"; null where etcd was well as far as is known. */
export function surroundingWords({ raftChange, noQuorum, slow, alarms }: Surroundings): string | null {
  const words = [
    ...(raftChange === null ? [] : [changeWords(raftChange.beforeMs)]),
    ...(noQuorum ? ['etcd had no quorum'] : []),
    ...(slow.length === 0 ? [] : [`${slow.join(' and ')} answered slowly or not at all`]),
    ...alarms.map((alarm) => `alarm ${alarm}`),
  ]
  return words.length === 0 ? null : words.join(', ')
}

function changeWords(beforeMs: number): string {
  if (beforeMs === 0) return 'etcd raft leader changed at that time'
  return `etcd raft leader changed ${beforeMs < 1_000 ? 'less than 1 s' : shortDuration(beforeMs)} before`
}
