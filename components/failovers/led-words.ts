/** How much of a time an election was led, in words. */
import { FLAPPING_FAILOVERS } from '../../lib/election/status.ts'
import { brief, shortDuration } from '../../lib/shared/format.ts'
import type { FailoverSummaryShape } from '../live/failovers.ts'

export type Led = FailoverSummaryShape['led']['least'][number]

const DAY_MS = 24 * 3_600_000

/** "4.2 s a day"; of less than a day what it was, for nobody knows the rest of it. */
export function leaderlessWords({ judgedMs, leaderlessMs, leaderlessMsPerDay }: Led): string {
  if (leaderlessMsPerDay === null) return '–'
  if (leaderlessMs === 0) return 'never'
  return judgedMs < DAY_MS ? brief(leaderlessMs) : `${brief(leaderlessMsPerDay)} a day`
}

export function betweenWords({ betweenFailoversMs }: Led): string {
  return betweenFailoversMs === null ? '–' : shortDuration(betweenFailoversMs)
}

/** What is not judged, and why; empty when all of it is. */
export function leftOutWords({ unobservedMs, stoppedMs }: Led): string {
  return [
    ...(unobservedMs > 0 ? [`${shortDuration(unobservedMs)} unobserved`] : []),
    ...(stoppedMs > 0 ? [`${shortDuration(stoppedMs)} stopped`] : []),
  ].join(', ')
}

/** The share in per cent against what is promised; null where nothing can be judged. */
export function keepsObjective({ ledShare }: Led, objective: number): boolean | null {
  return ledShare === null ? null : ledShare * 100 >= objective
}

export const isFlapping = ({ mostInAnHour }: Led) => mostInAnHour >= FLAPPING_FAILOVERS
