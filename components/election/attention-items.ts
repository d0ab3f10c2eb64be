/** What needs attention, by the rules for alerts: which of the clusters' alerts the strip has room for. Pure. */
import { type AlertBrief, type AlertsTold, worstFirst } from '../../lib/election/alerts.ts'

/**
 * The worst of these clusters, those that nobody is told of last. What concerns Tenure as a whole comes
 * with each of its clusters and is there once. null: a cluster has not told its alerts yet.
 */
export function attentionItems(told: readonly (AlertsTold | undefined)[], most: number): AlertBrief[] | null {
  if (told.length === 0 || told.includes(undefined)) return null
  const byId = new Map(told.flatMap((each) => each?.worst ?? []).map((alert) => [alert.id, alert]))
  return [...byId.values()].sort((a, b) => Number(a.silenced) - Number(b.silenced) || worstFirst(a, b)).slice(0, most)
}
