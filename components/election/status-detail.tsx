'use client'
import type { Status } from '../../lib/election/status.ts'
import type { ElectionState } from '../../lib/election/types.ts'
import { useServerNow } from '../live/use-live.ts'
import { statusDetail } from './explain.ts'

/** How long, how often, how late: it goes on counting. */
export function StatusDetail({ state, status }: { state: ElectionState; status: Status }) {
  const now = useServerNow(1)
  return now === null ? null : statusDetail(state, status, now)
}
