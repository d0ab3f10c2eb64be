/** Failovers of many elections at once. */
import { instant } from '../shared/clock.ts'
import type { Condition } from './conditions.ts'
import { groupEnd, MASS_ELECTIONS } from './incidents.ts'
import { surroundingsOf, surroundingWords } from './surroundings.ts'
import { isOpen, type Transition } from './transitions.ts'

/** Five or more elections whose leaders were lost within three seconds; it counts as its members everywhere else. */
export interface MassEvent {
  fromMs: number
  toMs: number
  elections: number
  failovers: number
  /** Of these, the ones after which nobody has led yet. */
  open: number
  leastMs: number | null
  medianMs: number | null
  mostMs: number | null
}

export interface Masses {
  /** Oldest first. */
  events: MassEvent[]
  members: ReadonlySet<Transition>
}

/** `failovers` ascend. */
export function massesOf(failovers: readonly Transition[]): Masses {
  const events: MassEvent[] = []
  const members = new Set<Transition>()
  const atMs = (index: number) => failovers[index]?.atMs ?? 0
  for (let from = 0; from < failovers.length; ) {
    const end = groupEnd(failovers.length, atMs, from)
    if (end - from >= MASS_ELECTIONS) {
      const group = failovers.slice(from, end)
      const elections = new Set(group.map(({ ref }) => ref)).size
      if (elections >= MASS_ELECTIONS) {
        events.push(massOf(group, elections))
        for (const member of group) members.add(member)
      }
    }
    from = end
  }
  return { events, members }
}

function massOf(group: readonly Transition[], elections: number): MassEvent {
  const sorted = group.flatMap(({ totalMs }) => (totalMs === null ? [] : [totalMs])).sort((a, b) => a - b)
  return {
    fromMs: group[0]?.atMs ?? 0,
    toMs: group.at(-1)?.atMs ?? 0,
    elections,
    failovers: group.length,
    open: group.filter(isOpen).length,
    leastMs: sorted[0] ?? null,
    medianMs: sorted[Math.ceil(sorted.length / 2) - 1] ?? null,
    mostMs: sorted.at(-1) ?? null,
  }
}

/** "14 elections moved within 2 s" */
export function massWords({ elections, fromMs, toMs }: MassEvent): string {
  const withinS = Math.max(1, Math.ceil((toMs - fromMs) / 1_000))
  return `${elections.toLocaleString('en-US')} elections moved within ${withinS} s`
}

/** "…, etcd raft leader changed 1 s before". `conditions` oldest first, from a little before it. */
export function massStory(event: MassEvent, conditions: readonly Condition[]): string {
  const around = surroundingWords(surroundingsOf(instant(event.fromMs), conditions))
  return around === null ? massWords(event) : `${massWords(event)}, ${around}`
}
