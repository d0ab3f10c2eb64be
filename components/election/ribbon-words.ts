/** A ribbon in words, for those who do not see it. */
import { leaderOf } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { count } from '../../lib/shared/format.ts'
import { called } from './called.ts'
import { markOf } from './ribbon-geometry.ts'

export function ribbonWords(state: ElectionState, hourAgo: string): string {
  const leader = leaderOf(state.candidates)
  const recent = state.ended.filter((term) => (term.to ?? '') >= hourAgo)
  const failovers = recent.filter((term) => markOf(term) === 'failover').length
  const handoffs = recent.filter((term) => markOf(term) === 'handoff').length
  const changes =
    recent.length === 0 ? 'no change of leader' : `${count(failovers, 'failover')}, ${count(handoffs, 'handoff')}`
  return `Last hour: ${changes}; ${leader === null ? 'nobody' : called(leader)} leads now`
}
