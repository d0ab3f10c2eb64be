/** How old may be what a tab shows: since the last frame, and before it, since the server knew it to be current. */
import type { Cluster } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'

const SILENT_AFTER_MS = 3_000
/** The server calls a view live for 3 s after its last proof; both times together must stay under 5 s. */
const OLD_AFTER_MS = 4_500

/** Of the clusters that the server called live in a frame of that time: the longest since the last proof. */
export function provenAgoMs(clusters: Iterable<Pick<Cluster, 'freshness' | 'asOf'>>, serverTime: Instant): number {
  let longest = 0
  for (const { freshness, asOf } of clusters) {
    if (freshness === 'live' && asOf !== null) longest = Math.max(longest, elapsedMs(asOf, serverTime))
  }
  return longest
}

/** `silentMs` since the last frame, which showed what had been proven `provenMs` before it. */
export function isTooOld(silentMs: number, provenMs: number): boolean {
  return silentMs > SILENT_AFTER_MS || (silentMs > 1_000 && silentMs + provenMs > OLD_AFTER_MS)
}
