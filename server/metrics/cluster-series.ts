/** What is said of one cluster. */
import type { Cluster, SwitchTrouble } from '../../lib/election/types.ts'
import type { Sheet } from './sheet.ts'

/** Until then that nothing was answered says nothing. */
const FIRST_ANSWER_MS = 5_000

const TROUBLES = [
  'vanished',
  'unreadable',
  'rolled-back',
  'too-many',
  'overdue',
] as const satisfies readonly SwitchTrouble['type'][]
const ALARMS = ['NOSPACE', 'CORRUPT'] as const

export interface LookedCluster {
  info: Cluster
  /** Infinity before the first answer. */
  lagMs: number
  upMs: number
  /** null: not told. */
  alarms: readonly { type: string }[] | null
  elections: number
  gapMs: number
}

export function putCluster(sheet: Sheet, { info, lagMs, upMs, alarms, elections, gapMs }: LookedCluster): void {
  const shared = { cluster: info.name }
  const isKnown = Number.isFinite(lagMs) || upMs > FIRST_ANSWER_MS
  sheet.put('tenure_cluster_quorum', shared, isKnown ? info.quorum : null)
  sheet.put('tenure_cluster_live', shared, isKnown ? info.freshness === 'live' : null)
  sheet.put('tenure_cluster_watch_lag_seconds', shared, Number.isFinite(lagMs) ? lagMs / 1_000 : null)
  sheet.put('tenure_cluster_visibility_gap_seconds_total', shared, gapMs / 1_000)
  if (info.asOf !== null) {
    sheet.put('tenure_cluster_rolled_back', shared, info.rolledBack !== undefined)
    sheet.put('tenure_cluster_elections', shared, elections)
  }
  if (info.freshness === 'live' && alarms !== null) {
    for (const alarm of ALARMS) {
      sheet.put('tenure_cluster_etcd_alarms', shared, alarms.filter(({ type }) => type === alarm).length, { alarm })
    }
  }
  if (info.switches !== undefined && info.switchesError === undefined) {
    for (const type of TROUBLES) {
      const troubles = info.switchTroubles?.filter((trouble) => trouble.type === type) ?? []
      sheet.put('tenure_cluster_switch_troubles', shared, troubles.length, { type })
    }
  }
}
