/** Changes of leader as callers from outside get them: `docs/api.md` documents these shapes. */

import type { ClusterView } from '../../lib/election/cluster-view.ts'
import type { Condition } from '../../lib/election/conditions.ts'
import type { ElectionFigures, ElectionPrefix } from '../../lib/election/election-figures.ts'
import type { FailoverSummary } from '../../lib/election/failover-summary.ts'
import { type MassEvent, massStory } from '../../lib/election/mass-events.ts'
import { shortName } from '../../lib/election/names.ts'
import { ledObjective, type Objectives } from '../../lib/election/objectives.ts'
import { detectErrorMs } from '../../lib/election/terms.ts'
import {
  type TransitionKind,
  type TransitionPart,
  type TransitionParts,
  transitionKind,
  transitionParts,
  transitionTotalMs,
  unknownParts,
} from '../../lib/election/transitions.ts'
import type { Cause, ElectionRef, Revision, Term } from '../../lib/election/types.ts'
import { latin1FromBase64 } from '../../lib/shared/bytes.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import type { TransitionRow } from '../history/history.ts'

/** What a cluster's elections are called: those that are gone as well. `isKnown`: it is watched now. */
export type Naming = (election: ElectionPrefix) => { ref: ElectionRef; name: string; isKnown: boolean }

export function namingOf(view: ClusterView): Naming {
  const watched = view.info.watched.map(({ prefixBase64 }) => latin1FromBase64(prefixBase64))
  return ({ ref, prefixBase64 }) => {
    const state = view.elections.get(ref)
    const name = state === undefined ? shortName(prefixBase64, watched) : view.nameOf(state)
    return { ref, name, isKnown: state !== undefined }
  }
}

export interface FailoverRowShape extends TransitionParts {
  election: ReturnType<Naming>
  at: Instant
  kind: TransitionKind
  cause: Cause
  by?: string
  evidence: string
  former: { identity: string; key: string; ordinal: number; epoch: number; token: Revision }
  /** null while nobody has led since. */
  next: { identity: string; key: string; ordinal: number; epoch: number; token: Revision; from: Instant } | null
  /** Look-ups tell whole seconds: detect, and with it the total, may be so much less. Absent without a detect. */
  detectErrorMs?: number
  /** The sum of the parts that are known; null while it goes on, and where its vacancy is not known. */
  totalMs: number | null
  unknownParts: TransitionPart[]
}

const leaderOf = ({ leader: { identity, key }, ordinal, epoch, token }: Term) => ({
  identity,
  key,
  ordinal,
  epoch,
  token,
})

export function failoverRow({ term, next, ...election }: TransitionRow, naming: Naming): FailoverRowShape {
  const { cause = 'unobserved', by, evidence = '' } = term.endedBy ?? {}
  const kind = transitionKind(cause, term.endedBy?.duringStop === true)
  const ended = { silentMs: term.silentMs, refillMs: term.refillMs ?? null }
  const parts = transitionParts(kind, ended, { gapMs: next?.gapMs ?? null, takeoverMs: next?.takeoverMs ?? null })
  const nextMs = next === null ? null : msOf(next.from)
  return {
    election: naming(election),
    at: term.to ?? term.from,
    kind,
    cause,
    ...(by === undefined ? {} : { by }),
    evidence,
    former: leaderOf(term),
    next: next === null ? null : { ...leaderOf(next), from: next.from },
    ...parts,
    ...(parts.detectMs === null ? {} : { detectErrorMs: detectErrorMs(parts.detectMs) }),
    totalMs: transitionTotalMs(nextMs, parts),
    unknownParts: unknownParts({ kind, nextMs, ...parts }),
  }
}

function massShape({ fromMs, toMs, ...rest }: MassEvent, conditions: readonly Condition[]) {
  const words = massStory({ fromMs, toMs, ...rest }, conditions)
  return { from: instant(fromMs), to: instant(toMs), ...rest, words }
}

interface Shaping {
  naming: Naming
  objectives: Objectives
  /** Oldest first, of the range and a little before. */
  conditions: readonly Condition[]
}

/** Elections are told once; everything else names them by their place in that list. */
export function summaryShape(summary: FailoverSummary, { naming, objectives, conditions }: Shaping) {
  const { points, masses, elections, prefixes, ...rest } = summary
  const placeOf = new Map(prefixes.map(({ ref }, at) => [ref, at]))
  const figures = ({ ref, ...figure }: ElectionFigures) => ({ election: placeOf.get(ref) ?? 0, ...figure })
  return {
    ...rest,
    objective: objectives.failover,
    points: points.map(({ atMs, toMs, ref, ...point }) => ({
      at: instant(atMs),
      ...(toMs === atMs ? {} : { to: instant(toMs) }),
      ...(ref === undefined ? {} : { election: placeOf.get(ref) ?? 0 }),
      ...point,
    })),
    masses: { ...masses, events: masses.events.map((event) => massShape(event, conditions)) },
    led: { count: elections.count, most: elections.most.map(figures), least: elections.leastLed.map(figures) },
    elections: prefixes.map((each) => ({ ...naming(each), ledObjective: ledObjective(each.prefix, objectives) })),
  }
}
