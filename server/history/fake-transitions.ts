/** How the fake answers for changes of leader: by walking the terms it remembers. */
import { type FailoverSummary, failoverSummaryOf } from '../../lib/election/failover-summary.ts'
import type { Stop } from '../../lib/election/stops.ts'
import { type Transition, transitionKind, transitionParts, transitionTotalMs } from '../../lib/election/transitions.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import { clampLimit, cursorOf, parseParts } from './cursor.ts'
import { positionOf, type Remembered, type RememberedCluster } from './fake-memory.ts'
import type { FailoverQuery, TransitionPage, TransitionQuery, TransitionRow, TransitionRowQuery } from './history.ts'

interface Found {
  position: bigint[]
  transition: Transition
  row: TransitionRow
}

const inRange = (at: Instant, { from, to }: { from: Instant; to: Instant }) => at >= from && at < to
const isAsked = ({ identity }: Remembered, { text }: TransitionQuery) =>
  text === undefined || identity.prefix.toLowerCase().includes(text.toLowerCase())

function endsOf(election: Remembered, id: number): Found[] {
  const { ref, prefix, prefixBase64 } = election.identity
  return election.terms.flatMap((term, at) => {
    if (term.to === null) return []
    const next = election.terms[at + 1] ?? null
    const cause = term.endedBy?.cause ?? 'unobserved'
    const kind = transitionKind(cause, term.endedBy?.duringStop === true)
    const parts = transitionParts(
      kind,
      { silentMs: term.silentMs, refillMs: term.refillMs ?? null },
      { gapMs: next?.gapMs ?? null, takeoverMs: next?.takeoverMs ?? null },
    )
    const nextMs = next === null ? null : msOf(next.from)
    return [
      {
        position: [BigInt(msOf(term.to)), BigInt(id), ...positionOf(term)],
        transition: {
          ref,
          atMs: msOf(term.to),
          nextMs,
          cause,
          kind,
          ...parts,
          totalMs: transitionTotalMs(nextMs, parts),
        },
        row: { ref, prefix, prefixBase64, term, next },
      },
    ]
  })
}

function compare(a: readonly bigint[], b: readonly bigint[]): number {
  const at = a.findIndex((part, each) => part !== b[each])
  return at === -1 ? 0 : (a[at] ?? 0n) < (b[at] ?? 0n) ? -1 : 1
}

/** Oldest first. */
function found(cluster: RememberedCluster, query: TransitionQuery): Found[] {
  return [...cluster.elections.values()]
    .flatMap((election, id) => (isAsked(election, query) ? endsOf(election, id) : []))
    .filter(({ row }) => inRange(row.term.to ?? '', query))
    .sort((a, b) => compare(a.position, b.position))
}

export function failoversOf(cluster: RememberedCluster, query: FailoverQuery, stops: readonly Stop[]): FailoverSummary {
  const asked = [...cluster.elections.values()].filter((each) => isAsked(each, query))
  const gaps = [
    ...cluster.gaps.map((gap) => ({ ...gap, ref: null })),
    ...asked.flatMap(({ identity, gaps: own }) => own.map((gap) => ({ ...gap, ref: identity.ref }))),
  ]
  const observed = {
    stops,
    transitions: found(cluster, query).map(({ transition }) => transition),
    elections: asked.flatMap((each) => ledElection(each, query)),
    gaps: gaps
      .filter(({ from, to }) => to >= query.from && from < query.to)
      .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0)),
  }
  return failoverSummaryOf(observed, query, { fromMs: msOf(query.from), toMs: msOf(query.to) })
}

function ledElection({ identity, terms }: Remembered, { from, to }: TransitionQuery) {
  const { ref, prefix, prefixBase64 } = identity
  const term = terms.find((each) => each.to === null || each.to >= from)
  if (term === undefined || term.from >= to) return []
  return [{ ref, prefix, prefixBase64, ledFrom: term.from, isFirst: term.ordinal === 1 }]
}

export function transitionPageOf(cluster: RememberedCluster, query: TransitionRowQuery): TransitionPage {
  const after = parseParts(query.cursor, 4)
  const isLeftOut = ({ transition, row }: Found) =>
    transition.kind === 'failover' &&
    (query.without ?? []).some(({ from, to }) => (row.term.to ?? '') >= from && (row.term.to ?? '') <= to)
  const all = found(cluster, query)
    .reverse()
    .filter(({ transition }) => query.causes?.includes(transition.cause) ?? true)
    .filter((each) => !isLeftOut(each) && (after === null || compare(each.position, after) < 0))
  const page = all.slice(0, clampLimit(query.limit))
  const last = page.at(-1)
  return {
    rows: page.map(({ row }) => row),
    ...(all.length > page.length && last !== undefined ? { nextCursor: cursorOf(last.position) } : {}),
  }
}
