/**
 * How leaderships are spread over those who may lead, and which handoffs would even it out. Each moves one
 * election to whoever is next up there: that is where a handoff leads without asking anybody to yield.
 */
import { competitors, leaderOf, nextUpOf } from './queue.ts'
import { kindOf, sharedIdentities } from './status.ts'
import type { Candidate, ElectionRef, ElectionState } from './types.ts'

export interface Holder {
  /** Names of two who are in one election at once are told apart by their leases. */
  name: string
  leads: number
  /** Elections in which it stands, led or not. */
  standsIn: number
}

export interface Move {
  ref: ElectionRef
  from: string
  to: string
}

export interface Skew {
  /** Most leaderships first. */
  holders: Holder[]
  /** Elections that were counted. */
  elections: number
  moves: Move[]
  /** Leaderships of each holder after the moves, by its name. */
  after: ReadonlyMap<string, number>
}

const MOST_MOVES = 200

interface Seat {
  ref: ElectionRef
  leader: string
  next: string | null
}

/** `isLeft(state)`: not to be moved, as one that is stopped; its leadership counts all the same. */
export function skewOf(states: Iterable<ElectionState>, isLeft: (state: ElectionState) => boolean): Skew {
  const counted = [...states].filter((state) => state.confirmed && kindOf(state) === 'election' && state.term !== null)
  const shared = new Set(counted.flatMap(({ candidates }) => [...sharedIdentities(candidates)]))
  const nameOf = ({ identity, lease }: Candidate) =>
    shared.has(identity) ? `${identity} (lease ${lease ?? 'none'})` : identity
  const leads = new Map<string, number>()
  const stands = new Map<string, number>()
  const seats: Seat[] = []
  for (const state of counted) {
    const leader = leaderOf(state.candidates)
    if (leader === null) continue
    const next = isLeft(state) ? null : nextUpOf(state.candidates)
    const seat = { ref: state.ref, leader: nameOf(leader), next: next === null ? null : nameOf(next) }
    seats.push(seat)
    add(leads, seat.leader)
    for (const name of new Set(competitors(state.candidates).map(nameOf))) add(stands, name)
  }
  const holders = [...stands].map(([name, standsIn]) => ({
    name,
    leads: leads.get(name) ?? 0,
    standsIn,
  }))
  holders.sort((a, b) => b.leads - a.leads || (a.name < b.name ? -1 : 1))
  return { holders, elections: seats.length, ...evenOut(seats, leads) }
}

const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)

/** From whoever leads most, while somebody who is next up leads two fewer: each election moves once at most. */
function evenOut(seats: readonly Seat[], before: ReadonlyMap<string, number>): Pick<Skew, 'moves' | 'after'> {
  const after = new Map(before)
  const open = new Set(seats.filter(({ leader, next }) => next !== null && next !== leader))
  const moves: Move[] = []
  while (moves.length < MOST_MOVES) {
    const best = bestMove(open, after)
    if (best === null) break
    const { ref, leader, next } = best
    open.delete(best)
    if (next === null) break
    after.set(leader, (after.get(leader) ?? 0) - 1)
    after.set(next, (after.get(next) ?? 0) + 1)
    moves.push({ ref, from: leader, to: next })
  }
  return { moves, after }
}

/** The one that takes most from the fullest and gives it to the emptiest; null when none makes it more even. */
function bestMove(open: ReadonlySet<Seat>, leads: ReadonlyMap<string, number>): Seat | null {
  let best: Seat | null = null
  let most = 1
  for (const seat of open) {
    const gain = (leads.get(seat.leader) ?? 0) - (leads.get(seat.next ?? '') ?? 0)
    if (gain > most) {
      best = seat
      most = gain
    }
  }
  return best
}
