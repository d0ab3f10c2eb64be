/** What is promised of elections. */
import type { FailoverObjective } from './failover-figures.ts'
import { matchesElection } from './layouts.ts'

export interface Objectives {
  /** Per cent of the time that was observed and not stopped. */
  led: number
  failover: FailoverObjective
  /** The first whose pattern fits an election's prefix counts instead of `led`. */
  elections: readonly { pattern: string; led: number }[]
}

/** Per cent of the time in which an election is to be led. `prefix` as it is shown; a last `/` makes no difference. */
export function ledObjective(prefix: string, { led, elections }: Objectives): number {
  return elections.find(({ pattern }) => matchesElection(pattern, prefix))?.led ?? led
}
