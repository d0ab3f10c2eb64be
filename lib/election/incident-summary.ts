/** An incident in one or two sentences, as the first thing a reader sees. */
import { elapsedMs, msOf } from '../shared/clock.ts'
import { brief, count, duration } from '../shared/format.ts'
import { lengthMs, merged } from './availability.ts'
import type { IncidentElection, IncidentSeen } from './incident-report.ts'
import { raftChanges } from './surroundings.ts'

/** Nothing is known after the report was made. */
const knownTo = ({ to, madeAt }: Pick<IncidentSeen, 'to' | 'madeAt'>) => (to < madeAt ? to : madeAt)

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

export function incidentSummary(elections: readonly IncidentElection[], seen: IncidentSeen): string {
  const of = (pick: (figures: IncidentElection['figures']) => number) =>
    sum(elections.map(({ figures }) => pick(figures)))
  const [failovers, planned, unknown] = [of((f) => f.failovers), of((f) => f.planned), of((f) => f.unobservedChanges)]
  const moved = elections.filter(({ figures: f }) => f.failovers + f.planned + f.unobservedChanges > 0).length
  const length = duration(elapsedMs(seen.from, knownTo(seen)))
  const changes = [
    ...(failovers > 0 ? [count(failovers, 'failover')] : []),
    ...(planned > 0 ? [count(planned, 'other change')] : []),
    ...(unknown > 0 ? [count(unknown, 'change of unknown cause', 'changes of unknown cause')] : []),
  ]
  const leaderlessMs = of((f) => f.leaderlessMs)
  const what = changes.length === 0 ? 'No leader changed' : `${listed(changes)} in ${count(moved, 'election')}`
  if (changes.length === 0 && unseenMs(seen) >= elapsedMs(seen.from, knownTo(seen))) {
    return `Not observed: nothing is known of these ${length}.`
  }
  const without = leaderlessMs > 0 ? `; ${brief(leaderlessMs)} without a leader, all elections together` : ''
  const others = surroundings(seen)
  return `${what} in ${length}${without}.${others === '' ? '' : ` ${others}.`}`
}

const spanOf = (seen: Pick<IncidentSeen, 'from' | 'to' | 'madeAt'>) => ({
  fromMs: msOf(seen.from),
  toMs: msOf(knownTo(seen)),
})
const unseenMs = (seen: IncidentSeen) =>
  lengthMs(
    merged(
      seen.gaps.map((gap) => ({ fromMs: msOf(gap.from), toMs: msOf(gap.to) })),
      spanOf(seen),
    ),
  )

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

function surroundings(seen: IncidentSeen): string {
  const { conditions, stops, masses, from, to } = seen
  const raft = raftChanges(conditions).filter((change) => change.to >= from && change.to < to).length
  const span = spanOf(seen)
  const periods = (list: readonly { from: string; to: string | null }[]) =>
    lengthMs(
      merged(
        list.map((each) => ({ fromMs: msOf(each.from), toMs: each.to === null ? Infinity : msOf(each.to) })),
        span,
      ),
    )
  const quorumMs = periods(conditions.filter(({ kind }) => kind === 'no-quorum'))
  const unseen = unseenMs(seen)
  const stoppedMs = periods(stops)
  const words = [
    ...(masses.length > 0 ? [count(masses.length, 'mass event')] : []),
    ...(raft > 0 ? [`the etcd raft leader changed ${raft === 1 ? 'once' : `${raft} times`}`] : []),
    ...(quorumMs > 0 ? [`etcd had no quorum for ${brief(quorumMs)}`] : []),
    ...(unseen > 0 ? [`nothing was observed for ${brief(unseen)}`] : []),
    ...(stoppedMs > 0 ? [`a kill switch held for ${brief(stoppedMs)}`] : []),
  ].join('; ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
