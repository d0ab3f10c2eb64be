/** Changes that belong together: one lease that carried several elections, or many leases lost at once. */
import { type Instant, msOf } from '../shared/clock.ts'
import { isFailover } from './terms.ts'
import type { ElectionRef, ElectionState, LeaseId } from './types.ts'

export const MASS_ELECTIONS = 5
export const MASS_WINDOW_MS = 3_000

export interface Incident {
  from: Instant
  to: Instant
  /** `lease`: one lease took them all; `mass`: several leases went within three seconds. */
  kind: 'lease' | 'mass'
  leases: readonly LeaseId[]
  elections: readonly ElectionRef[]
}

interface Loss {
  at: Instant
  ref: ElectionRef
  lease: LeaseId | null
}

function lossesOf(states: Iterable<ElectionState>): Loss[] {
  const losses: Loss[] = []
  for (const { ref, ended } of states) {
    for (const { to, endedBy, leader } of ended) {
      if (to !== null && isFailover(endedBy)) losses.push({ at: to, ref, lease: leader.lease })
    }
  }
  return losses.sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** Where the group ends that begins at `from`: each loss of it follows its first by at most the window. */
export function groupEnd(count: number, atMs: (index: number) => number, from: number): number {
  const lastMs = atMs(from) + MASS_WINDOW_MS
  let end = from + 1
  while (end < count && atMs(end) <= lastMs) end += 1
  return end
}

function groupsOf(losses: readonly Loss[]): Loss[][] {
  const groups: Loss[][] = []
  const atMs = (index: number) => msOf(losses[index]?.at ?? '')
  for (let from = 0; from < losses.length; ) {
    const end = groupEnd(losses.length, atMs, from)
    groups.push(losses.slice(from, end))
    from = end
  }
  return groups
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]

function incidentOf(kind: Incident['kind'], losses: readonly Loss[]): Incident {
  return {
    kind,
    from: losses[0]?.at ?? '',
    to: losses.at(-1)?.at ?? '',
    leases: unique(losses.flatMap(({ lease }) => (lease === null ? [] : [lease]))),
    elections: unique(losses.map(({ ref }) => ref)),
  }
}

/**
 * Incidents among the terms that `states` still remember, newest first. A mass event swallows the
 * leases in it; it still counts as its members everywhere else.
 */
export function incidentsOf(states: Iterable<ElectionState>): Incident[] {
  const incidents: Incident[] = []
  for (const group of groupsOf(lossesOf(states))) {
    const mass = incidentOf('mass', group)
    if (mass.elections.length >= MASS_ELECTIONS && mass.leases.length > 1) {
      incidents.push(mass)
      continue
    }
    for (const lease of mass.leases) {
      const one = incidentOf(
        'lease',
        group.filter((loss) => loss.lease === lease),
      )
      if (one.elections.length > 1) incidents.push(one)
    }
  }
  return incidents.reverse()
}
