/** Alerts over several clusters. What concerns Tenure as a whole comes with each of them, and counts once. */
import type { AlertBrief, AlertsTold } from '../../lib/election/alerts.ts'

/** Firing, told, and not acknowledged: what a person would be called for. */
export const isLoud = ({ stage, silenced, acknowledged }: AlertBrief) =>
  stage === 'firing' && !silenced && !acknowledged

export function loudOnes(told: readonly (AlertsTold | undefined)[]): AlertBrief[] {
  const all = told.flatMap((each) => each?.worst ?? []).filter(isLoud)
  return [...new Map(all.map((alert) => [alert.id, alert])).values()]
}

export function unacknowledgedOf(told: readonly (AlertsTold | undefined)[]): number {
  const known = told.filter((each) => each !== undefined)
  const sum = known.reduce((total, { unacknowledged }) => total + unacknowledged, 0)
  const wide = loudOnes(known).filter(({ cluster }) => cluster === null).length
  return Math.max(0, sum - wide * Math.max(0, known.length - 1))
}
