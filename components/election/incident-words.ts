import type { Incident } from '../../lib/election/incidents.ts'
import { type Surroundings, surroundingWords } from '../../lib/election/surroundings.ts'
import { elapsedMs } from '../../lib/shared/clock.ts'
import { count, seconds, timeOfDay } from '../../lib/shared/format.ts'

/** One line for losses that belong together: when, how many, what they had in common, and what etcd was like. */
export function incidentWords({ kind, from, to, leases, elections }: Incident, around: Surroundings | null): string {
  const etcd = around && surroundingWords(around)
  const when = `${timeOfDay(from)} UTC`
  const lost = `${count(elections.length, 'election')} lost their leader`
  if (kind === 'lease') return `${when}: ${lost} with one lease${etcd === null ? '' : `, ${etcd}`}`
  const within = seconds(Math.max(100, elapsedMs(from, to)))
  return `${when}: ${lost} within ${within}, ${etcd ?? `on ${count(leases.length, 'lease')}`}`
}
