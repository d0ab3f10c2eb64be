import { ZERO } from '../../lib/election/ids.ts'
import type { Cluster } from '../../lib/election/types.ts'
import { base64FromLatin1, escapeLatin1 } from '../../lib/shared/bytes.ts'

/** What is told of a cluster before its first answer. `watch` is latin1. */
export function emptyInfo(options: { name: string; watch: readonly string[]; readOnly: boolean }): Cluster {
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
