/** What etcd itself was like: who was etcd raft leader when, and what was wrong. "Was it us or etcd?" */
import type { Instant } from '../shared/clock.ts'

export const CONDITION_KINDS = ['raft-leader', 'no-quorum', 'slow-probe', 'alarm'] as const
export type ConditionKind = (typeof CONDITION_KINDS)[number]

export interface Condition {
  kind: ConditionKind
  /** A member's name; for an alarm its type and the member's name; empty for the quorum. */
  subject: string
  from: Instant
  /** null while it lasts. */
  to: Instant | null
  words?: string
  /** Of an etcd raft leader: a higher one is another time of leading, by the same member as well. */
  raftTerm?: string
}

/** A renewal of the probe that takes longer than this is slow; one without an answer is, too. */
export const SLOW_PROBE_MS = 500
export const OPENS_AFTER_SLOW = 3
/** The words of a slow probe that was silent. */
export const NOT_ANSWERED = 'not answered'
export const CLOSES_AFTER_GOOD = 10

/** One look at the cluster. What is not known now is null: then what lasted goes on. */
export interface ClusterSeen {
  at: Instant
  /** When the newest question that etcd answered was sent. */
  answeredAt: Instant | null
  /** The members answer, but know no etcd raft leader. */
  quorumLost: boolean
  /** `since`: the first answer in this raft term. `leader` is null until a member has named it. */
  raft: { term: string; since: Instant; leader: string | null } | null
  alarms: readonly { type: string; member: string }[] | null
}

/** One renewal of the probe of a member; `rttMs` is null without an answer. */
export interface Probed {
  at: Instant
  member: string
  rttMs: number | null
}

interface Run {
  slow: number
  good: number
  /** When the run of equal ones began. */
  since: Instant
  unanswered: boolean
}

export interface ConditionState {
  /** Those that last. */
  open: readonly Condition[]
  /** The newest answer in the raft term of the open span. */
  raftProvenAt: Instant | null
  runs: ReadonlyMap<string, Run>
}

export const NO_CONDITIONS: ConditionState = { open: [], raftProvenAt: null, runs: new Map() }

export interface Followed {
  state: ConditionState
  /** Those that began or ended, as they stand now. */
  changed: readonly Condition[]
}

/** Ends and begins what `wanted` of one kind says; those in both go on as they are. */
function turn(open: readonly Condition[], kind: ConditionKind, wanted: readonly Condition[], to: Instant) {
  const isSame = (a: Condition, b: Condition) => a.subject === b.subject && a.raftTerm === b.raftTerm
  const ended = open
    .filter((each) => each.kind === kind && !wanted.some((want) => isSame(want, each)))
    .map((each) => ({ ...each, to: to < each.from ? each.from : to }))
  const begun = wanted.filter((want) => !open.some((each) => each.kind === kind && isSame(want, each)))
  const stays = open.filter((each) => each.kind !== kind || wanted.some((want) => isSame(want, each)))
  return { open: [...stays, ...begun], changed: [...ended, ...begun] }
}

function followRaft(state: ConditionState, { raft, answeredAt }: ClusterSeen): Followed {
  if (raft === null) return { state, changed: [] }
  const span = state.open.find(({ kind }) => kind === 'raft-leader')
  if (span?.raftTerm === raft.term) return { state: { ...state, raftProvenAt: answeredAt }, changed: [] }
  const wanted: Condition[] =
    raft.leader === null
      ? []
      : [{ kind: 'raft-leader', subject: raft.leader, from: raft.since, to: null, raftTerm: raft.term }]
  const { open, changed } = turn(state.open, 'raft-leader', wanted, state.raftProvenAt ?? raft.since)
  return { state: { ...state, open, raftProvenAt: wanted.length > 0 ? answeredAt : null }, changed }
}

function followQuorum(state: ConditionState, seen: ClusterSeen): Followed {
  const known = state.open.find(({ kind }) => kind === 'no-quorum')
  // It lasts until an answer has come, to a question asked since: members that fall silent altogether prove nothing new.
  const over = known !== undefined && seen.answeredAt !== null && seen.answeredAt > known.from
  const from = seen.answeredAt ?? seen.at
  const wanted: Condition[] =
    known !== undefined && !over ? [known] : seen.quorumLost ? [{ kind: 'no-quorum', subject: '', from, to: null }] : []
  const { open, changed } = turn(state.open, 'no-quorum', wanted, seen.at)
  return { state: { ...state, open }, changed }
}

function followAlarms(state: ConditionState, { at, alarms }: ClusterSeen): Followed {
  if (alarms === null) return { state, changed: [] }
  const wanted = alarms.map(
    ({ type, member }): Condition => ({ kind: 'alarm', subject: `${type} ${member}`, from: at, to: null }),
  )
  const { open, changed } = turn(state.open, 'alarm', wanted, at)
  return { state: { ...state, open }, changed }
}

export function followCluster(state: ConditionState, seen: ClusterSeen): Followed {
  const changed: Condition[] = []
  let now = state
  for (const follow of [followRaft, followQuorum, followAlarms]) {
    const followed = follow(now, seen)
    now = followed.state
    changed.push(...followed.changed)
  }
  return { state: now, changed }
}

function runAfter(run: Run | undefined, { at, rttMs }: Probed): Run {
  const unanswered = rttMs === null
  if (unanswered || rttMs > SLOW_PROBE_MS) {
    const goesOn = run !== undefined && run.slow > 0
    return {
      slow: (run?.slow ?? 0) + 1,
      good: 0,
      since: goesOn ? run.since : at,
      unanswered: unanswered || (goesOn && run.unanswered),
    }
  }
  const goesOn = run !== undefined && run.good > 0
  return { slow: 0, good: (run?.good ?? 0) + 1, since: goesOn ? run.since : at, unanswered: false }
}

/** Opens after three slow or unanswered ones in a row, from the first of them; closes at the first of ten good ones. */
export function followProbe(state: ConditionState, probed: Probed): Followed {
  const { member } = probed
  const run = runAfter(state.runs.get(member), probed)
  const runs = new Map(state.runs).set(member, run)
  const known = state.open.find(({ kind, subject }) => kind === 'slow-probe' && subject === member)
  if (known === undefined && run.slow >= OPENS_AFTER_SLOW) {
    const words = run.unanswered ? NOT_ANSWERED : `slower than ${SLOW_PROBE_MS} ms`
    const begun: Condition = { kind: 'slow-probe', subject: member, from: run.since, to: null, words }
    return { state: { ...state, runs, open: [...state.open, begun] }, changed: [begun] }
  }
  if (known !== undefined && run.good >= CLOSES_AFTER_GOOD) {
    const open = state.open.filter((each) => each !== known)
    return { state: { ...state, runs, open }, changed: [{ ...known, to: run.since }] }
  }
  return { state: { ...state, runs }, changed: [] }
}
