'use client'
import type { ElectionState } from '../../lib/election/types.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { useServerNow } from '../live/use-live.ts'
import { ribbonWords } from './ribbon-words.ts'
import { TenureRibbon } from './tenure-ribbon.tsx'
import type { SeenCluster } from './use-seen.ts'

const HOUR_MS = 3_600_000
// A pixel is 18 s: a ribbon is drawn anew when something happened, else every 5 s.
const STEP_MS = 5_000

export function LiveRibbon({ state, seen, height }: { state: ElectionState; seen: SeenCluster; height?: number }) {
  const now = useServerNow(1)
  if (now === null) return null
  const stepped = instant(Math.ceil(msOf(now) / STEP_MS) * STEP_MS)
  return (
    <TenureRibbon
      clusterGaps={seen.gaps}
      frozenAt={seen.frozenAt}
      height={height}
      label={ribbonWords(state, instant(msOf(stepped) - HOUR_MS))}
      now={stepped}
      raftLeaderChanges={seen.raftLeaderChanges}
      state={state}
      stops={seen.stops}
    />
  )
}
