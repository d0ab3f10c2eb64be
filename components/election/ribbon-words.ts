/** A ribbon in words, for those who do not see it. */
import { leaderOf } from '../../lib/election/queue.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { count } from '../../lib/shared/format.ts'
import { called } from './called.ts'
import { type MarkType, markOf } from './ribbon-geometry.ts'

export function ribbonWords(state: ElectionState, hourAgo: string): string {
  const leader = leaderOf(state.candidates)
  const recent = state.ended.filter((term) => (term.to ?? '') >= hourAgo)
  const marked = (type: MarkType) => recent.filter((term) => markOf(term) === type).length
  const kinds = [count(marked('failover'), 'failover'), count(marked('handoff'), 'handoff')]
  if (marked('resigned') > 0) kinds.push(`${marked('resigned')} resigned`)
  const changes = recent.length === 0 ? 'no change of leader' : kinds.join(', ')
  return `Last hour: ${changes}; ${leader === null ? 'nobody' : called(leader)} leads now`
}
