/** What a watcher is given, and what it shows before etcd has answered. */
import { ZERO } from '../../lib/election/ids.ts'
import type { LayoutPattern } from '../../lib/election/layouts.ts'
import type { Etcd } from '../../lib/election/ports.ts'
import type { Cluster, ElectionRef, EndedBy, Revision } from '../../lib/election/types.ts'
import { base64FromLatin1, escapeLatin1 } from '../../lib/shared/bytes.ts'
import type { Clock } from '../../lib/shared/clock.ts'
import type { History } from '../history/history.ts'
import type { Hub } from './hub.ts'
import type { MetricsPort } from './lease-metrics.ts'
import type { Log } from './log.ts'

export interface WatcherOptions {
  name: string
  /** latin1 */
  watch: readonly string[]
  /** latin1 */
  metaPrefix: string
  layouts: readonly LayoutPattern[]
  readOnly: boolean
  probe: boolean
  /** Metrics pages of the members, for exact evidence of how leases ended. */
  metrics?: { urls: readonly string[]; port: MetricsPort }
  etcd: Etcd
  history: History
  hub: Hub
  clock: Clock
  log: Log
  /** Why a term ended that Tenure itself ended; null where it did not. */
  whyEnded?: (ref: ElectionRef, token: Revision, signal: AbortSignal) => Promise<EndedBy | null>
}

export function emptyInfo(options: WatcherOptions): Cluster {
  return {
    name: options.name,
    clusterId: '',
    revision: ZERO,
    epoch: 0,
    freshness: 'unreachable',
    asOf: null,
    quorum: false,
    reason: 'waiting for the first answer of etcd',
    watched: options.watch.map((prefix) => ({ prefix: escapeLatin1(prefix), prefixBase64: base64FromLatin1(prefix) })),
    readOnly: options.readOnly,
    members: [],
    probeP95Ms: null,
    raftTerm: '0',
    raftLeaderChanges: [],
    gaps: [],
    sampling: { leaders: 0, sampled: 0 },
  }
}
