/** The page of an election at the moment of an entry, so that its chart shows what happened around it. */
import type { ElectionRef } from '../../lib/election/types.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { RANGES, withView } from '../election/detail-range.ts'
import { electionHref } from '../election/election-href.ts'

const SHOWN = RANGES[0]

/** In the middle of a quarter of an hour; nearer to the edge where there is no later yet. */
export function momentHref(cluster: string, ref: string, at: Instant, now: Instant): string {
  const endMs = Math.max(msOf(at), Math.min(msOf(at) + SHOWN.ms / 2, msOf(now)))
  const params = withView(new URLSearchParams(), { range: SHOWN, end: instant(endMs) })
  return `${electionHref(cluster, ref as ElectionRef)}?${params}`
}
