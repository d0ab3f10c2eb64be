import type { ElectionRef } from '../../lib/election/types.ts'
import type { Runtime } from '../runtime-slot.ts'

/** What an election is called on every page; null where it is not known (any more). */
export function electionName(runtime: Runtime, cluster: string, ref: string): string | null {
  const view = runtime.watchers.get(cluster)?.elections.view
  const state = view?.elections.get(ref as ElectionRef)
  return view === undefined || state === undefined ? null : view.nameOf(state)
}
