/** How the fake looks back. */
import { edgesOf, type Moment, type MomentChange, nearest, STEPS } from '../../lib/election/moments.ts'
import { pastElection, until, windowsOf } from '../../lib/election/past.ts'
import { holdingAt, stops } from '../../lib/election/stops.ts'
import { isFailover } from '../../lib/election/terms.ts'
import type { Gap } from '../../lib/election/types.ts'
import { type Instant, msOf } from '../../lib/shared/clock.ts'
import type { Remembered, RememberedCluster } from './fake-memory.ts'
import type { BesideQuery, Past } from './history.ts'
import { NOTHING_KEPT, unconfirmed } from './past.ts'

const byStart = (a: Gap, b: Gap) => (a.from < b.from ? -1 : 1)

export function pastOf(cluster: RememberedCluster, at: Instant): Past {
  const { keptSince, mark } = cluster
  if (keptSince === null || at < keptSince) return { ...NOTHING_KEPT, keptSince }
  const { hour } = windowsOf(at)
  const gaps = cluster.gaps.filter(({ from, to }) => from <= at && to >= hour).sort(byStart)
  const known = [...cluster.elections.values()]
  const epoch = Math.max(0, ...known.flatMap((election) => epochsOf(election, at)))
  return {
    keptSince,
    epoch,
    elections: known.flatMap((election) => pastElection(keptOf(election, { at, epoch, gaps }), at) ?? []),
    gaps: gaps.map((gap) => until(gap, at)),
    unseen: gaps.find(({ to }) => to > at) ?? unconfirmed(mark === null ? null : msOf(mark.at), at),
    stops: [...cluster.stops.values()]
      .filter(({ from, to }) => from <= at && (to === null || to >= hour))
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map((stop) => holdingAt(stop, at)),
  }
}

function keptOf(
  { identity, terms, candidacies, gaps: own }: Remembered,
  { at, epoch, gaps }: { at: Instant; epoch: number; gaps: readonly Gap[] },
) {
  const { hour, day } = windowsOf(at)
  const begun = terms.filter(({ from }) => from <= at)
  const newestEnded = begun.findLast(({ to }) => to !== null && to <= at)
  return {
    identity,
    epoch,
    candidates: candidacies
      .filter(({ from, to }) => from <= at && (to === null || to > at))
      .map(({ candidate }) => candidate),
    terms: begun.filter((term) => term === newestEnded || term.to === null || term.to >= hour),
    failovers: begun.flatMap(({ to, endedBy }) => (to && to >= day && to <= at && isFailover(endedBy) ? [to] : [])),
    gaps: [...gaps, ...own.filter(({ from, to }) => from <= at && to >= hour)],
  }
}

function epochsOf({ terms, candidacies }: Remembered, at: Instant): number[] {
  return [...terms, ...candidacies].filter(({ from }) => from <= at).map(({ epoch }) => epoch)
}

export function besideOf(cluster: RememberedCluster, { ref, at, direction }: BesideQuery): Moment | null {
  const known = ref === undefined ? undefined : cluster.elections.get(ref)
  if (ref !== undefined && known === undefined) return null
  const elections = known === undefined ? [...cluster.elections.values()] : [known]
  const events = elections.flatMap(({ identity, events }): MomentChange[] =>
    events
      .filter(({ row }) => STEPS.includes(row.type))
      .map(({ row }) => ({ type: 'election', ref: identity.ref, event: row })),
  )
  const held = [...cluster.stops.values()].filter((stop) => !known || stops(stop, known.identity.prefixBase64))
  return nearest([...events, ...edgesOf([...cluster.gaps, ...(known?.gaps ?? [])], held)], at, direction)
}
