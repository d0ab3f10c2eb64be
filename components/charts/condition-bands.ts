/** What etcd itself was like, as charts draw it. Pure pixels; what cannot be told apart becomes one. */
import { type Condition, type ConditionKind, NOT_ANSWERED } from '../../lib/election/conditions.ts'
import { raftChanges } from '../../lib/election/surroundings.ts'
import { msOf } from '../../lib/shared/clock.ts'
import type { Period } from './lane-geometry.ts'
import { clampedX, type Plot, type Span, xOf } from './time-axis.ts'

export type BandKind = Exclude<ConditionKind, 'raft-leader'>

export interface ConditionBand extends Period {
  kind: BandKind
  /** "no quorum", "slow probe", "no answer", "alarm" */
  what: string
  /** A member, or an alarm and its member; empty for the quorum. */
  subject: string
}

export interface RaftSpan extends Period {
  member: string
}

export interface RaftMark {
  ms: number
  /** "etcd raft leader etcd-1 → etcd-2"; "… changed" where only the live view tells so far. */
  words: string
}

/** Both ascend, as what they are made of does. */
export interface EtcdConditions {
  bands: readonly ConditionBand[]
  leaders: readonly RaftSpan[]
  changes: readonly RaftMark[]
}

export const BAND_WORDS: Record<BandKind, string> = {
  'no-quorum': 'no quorum',
  'slow-probe': 'slow probe',
  alarm: 'alarm',
}

/** `live`: moments of change that the cluster told, of which history may not know yet. `endMs` closes what lasts. */
export function etcdConditions(
  conditions: readonly Condition[],
  live: readonly string[],
  endMs: number,
): EtcdConditions {
  const period = ({ from, to }: Condition): Period => ({ fromMs: msOf(from), toMs: to === null ? endMs : msOf(to) })
  const known = raftChanges(conditions).map(({ to, before, after }): RaftMark => {
    const words = before === after ? `${after} elected again` : `${before} → ${after}`
    return { ms: msOf(to), words: `etcd raft leader ${words}` }
  })
  const told = new Set(known.map(({ ms }) => ms))
  const fresh = live.map(msOf).filter((ms) => !told.has(ms))
  const changes = [...known, ...fresh.map((ms): RaftMark => ({ ms, words: 'etcd raft leader changed' }))]
  return {
    bands: conditions.flatMap((each): ConditionBand[] => {
      if (each.kind === 'raft-leader') return []
      const silent = each.kind === 'slow-probe' && each.words === NOT_ANSWERED
      const what = silent ? 'no answer' : BAND_WORDS[each.kind]
      return [{ ...period(each), kind: each.kind, what, subject: each.subject }]
    }),
    leaders: conditions
      .filter(({ kind }) => kind === 'raft-leader')
      .map((each) => ({ ...period(each), member: each.subject })),
    changes: changes.sort((a, b) => a.ms - b.ms),
  }
}

export interface Box {
  x: number
  width: number
}

const LEAST_PX = 2

const isIn = ({ fromMs, toMs }: Period, span: Span) => toMs >= span.fromMs && fromMs <= span.toMs

/** `periods` ascend by their beginning. Those that touch become one, so that a day of short ones stays cheap. */
export function mergedBoxes(periods: readonly Period[], span: Span, plot: Plot): Box[] {
  const boxes: Box[] = []
  for (const period of periods) {
    if (!isIn(period, span)) continue
    const x = clampedX(span, plot, period.fromMs)
    const end = Math.max(x + LEAST_PX, clampedX(span, plot, period.toMs))
    const last = boxes.at(-1)
    if (last !== undefined && x - (last.x + last.width) < 1) last.width = Math.max(last.width, end - last.x)
    else boxes.push({ x, width: end - x })
  }
  return boxes
}

const APART_PX = 3

/** Where marks of changes stand; of those within three pixels the first. */
export function markXs(marks: readonly number[], span: Span, plot: Plot): number[] {
  const xs: number[] = []
  for (const ms of marks) {
    if (ms < span.fromMs || ms > span.toMs) continue
    const x = xOf(span, plot, ms)
    if (x - (xs.at(-1) ?? Number.NEGATIVE_INFINITY) >= APART_PX) xs.push(x)
  }
  return xs
}

/** A stretch of one kind, as every panel shows it. */
export interface BandBox extends Box {
  kind: BandKind
}

export function bandBoxes(bands: readonly ConditionBand[], span: Span, plot: Plot): BandBox[] {
  const kinds = Object.keys(BAND_WORDS) as BandKind[]
  return kinds.flatMap((kind) =>
    mergedBoxes(
      bands.filter((band) => band.kind === kind),
      span,
      plot,
    ).map((box) => ({ ...box, kind })),
  )
}

/** What etcd was like at `ms`, in words; of a change, when it is exactly there. */
export function wordsAt({ bands, changes }: EtcdConditions, ms: number): string[] {
  const lasting = Map.groupBy(
    bands.filter(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs),
    ({ what }) => what,
  )
  const here = changes.filter((change) => change.ms === ms).map(({ words }) => words)
  const named = [...lasting].map(([what, each]) => {
    const subjects = [...new Set(each.map(({ subject }) => subject))].sort()
    return `${what} ${subjects.join(', ')}`.trim()
  })
  return [...new Set([...here, ...named])]
}

export interface LeaderBox extends Box {
  /** Empty where several share it or it has no room. */
  label: string
  /** So many changes too close to be drawn apart. */
  several: boolean
}

const NARROW_PX = 4
const LETTER_PX = 6.4

/** The lane of etcd raft leaders: boxes with names, runs of very short ones as one. */
export function leaderBoxes(leaders: readonly RaftSpan[], span: Span, plot: Plot): LeaderBox[] {
  const boxes: (LeaderBox & { member: string })[] = []
  for (const leader of leaders) {
    if (!isIn(leader, span)) continue
    const x = clampedX(span, plot, leader.fromMs)
    const width = Math.max(1, clampedX(span, plot, leader.toMs) - x)
    const last = boxes.at(-1)
    if (last !== undefined && width < NARROW_PX && x - (last.x + last.width) < NARROW_PX && isSmall(last)) {
      last.width = Math.max(last.width, x + width - last.x)
      last.several = true
    } else boxes.push({ x, width, label: '', several: false, member: leader.member })
  }
  return boxes.map(({ member, ...box }) => {
    const room = !box.several && member.length * LETTER_PX + 12 <= box.width
    return { ...box, label: room ? member : '' }
  })
}

const isSmall = (box: LeaderBox) => box.several || box.width < NARROW_PX
