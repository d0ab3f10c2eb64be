'use client'
import type { Instant } from '../../lib/shared/clock.ts'
import { useServerNow } from '../live/use-live.ts'
import { useTickHz } from '../ui/use-media.ts'

/** The server's time for countdowns: four times a second, once for those who asked for less motion. */
export function useCountdownNow(): Instant | null {
  return useServerNow(useTickHz())
}
