/** The cluster and the election that an action names. */
import type { ElectionRef, ElectionState } from '../../lib/election/types.ts'
import type { ActionParts } from './parts.ts'
import { repeated } from './raw-request.ts'
import type { Reach } from './reach.ts'
import { Refused } from './refused.ts'

/** Throws `Refused` for a name that is not configured. */
export function reachOf({ reaches }: ActionParts, cluster: string): Reach {
  const reach = reaches.get(cluster)
  if (reach !== undefined) return reach
  const why = `No cluster "${repeated(cluster)}" is configured.`
  throw new Refused({ code: 'unknown-election', why, fix: `There is ${[...reaches.keys()].join(', ')}.` })
}

/** Throws `Refused` for an election that is not there. */
export function electionOf(parts: ActionParts, cluster: string, ref: string): { reach: Reach; state: ElectionState } {
  const reach = reachOf(parts, cluster)
  const state = reach.view.elections.get(ref as ElectionRef)
  if (state !== undefined) return { reach, state }
  const why = `There is no election ${repeated(ref)} in cluster "${repeated(cluster)}".`
  throw new Refused({ code: 'unknown-election', why, fix: 'elections.list names those there are.' })
}
