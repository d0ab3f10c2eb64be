/** The newest change of leader in a few words. */
import { isPending } from '../../lib/election/terms.ts'
import type { Cause, ElectionState } from '../../lib/election/types.ts'
import { called } from './called.ts'

const TITLES: Record<Cause, string> = {
  'resigned or removed': 'Resigned or removed',
  'lease lost': 'Failover · lease lost',
  expired: 'Failover · lease expired',
  'handed off': 'Handoff',
  revoked: 'Lease revoked',
  'kill switch': 'Kill switch',
  'store rolled back': 'Store rolled back',
  unobserved: 'Changed unobserved',
}

export interface ChangeWords {
  title: string
  /** Whom it concerned; the age goes after it. */
  who: string
  at: string | null
}

export function changeWords(state: ElectionState): ChangeWords {
  const last = state.ended.at(-1)
  if (last?.to == null || last.endedBy === null) {
    return { title: 'No change seen', who: '', at: null }
  }
  if (isPending(last.endedBy))
    return { title: 'Seat freed, cause open', who: `was ${called(last.leader)}`, at: last.to }
  const who = last.endedBy.by ?? `was ${called(last.leader)}`
  return { title: TITLES[last.endedBy.cause], who, at: last.to }
}
