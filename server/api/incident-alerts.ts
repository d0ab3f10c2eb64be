/** The alerts that the report of an incident has. */
import type { Alert } from '../../lib/election/alerts.ts'
import type { Untold } from '../../lib/election/incident-report.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import { HistoryUnavailable } from '../history/history.ts'

/** As many as are told of one range. */
const MOST_ALERTS = 200

/** What remembers them: those of the cluster and of Tenure as a whole that fired or were firing, the newest first. */
export interface FiredAlerts {
  /** Throws `HistoryUnavailable`. */
  firedIn(range: { cluster: string; from: Instant; to: Instant }): readonly Alert[]
}

export function readAlerts(
  fired: FiredAlerts,
  range: { cluster: string; from: Instant; to: Instant },
): { alerts: readonly Alert[]; told: Untold['alerts'] } {
  try {
    const alerts = fired.firedIn(range)
    return { alerts, told: alerts.length < MOST_ALERTS ? 'none' : 'newest' }
  } catch (error) {
    if (!(error instanceof HistoryUnavailable)) throw error
    return { alerts: [], told: 'unreadable' }
  }
}
