/** What a kill switch has to do with the end of a term. */
import { parseRef } from '../../lib/election/ids.ts'
import type { KvPort } from '../../lib/election/ports.ts'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import { isUnplanned } from '../../lib/election/terms.ts'
import type { ElectionRef, EndedBy, Revision } from '../../lib/election/types.ts'
import { timeOfDay } from '../../lib/shared/format.ts'
import type { ClusterInfo } from './cluster-info.ts'
import { readSwitches } from './switch-watch.ts'

export interface EndToExplain {
  ref: ElectionRef
  /** The revision of the end. */
  end: Revision
  endedBy: EndedBy
}

/** Asks etcd where a leader left on its own and no stop is known: the record may be newer than what was read. */
export async function explainByStop(
  options: { etcd: KvPort; metaPrefix: string },
  info: ClusterInfo,
  { ref, end, endedBy }: EndToExplain,
  signal: AbortSignal,
): Promise<EndedBy> {
  const prefix = parseRef(ref).prefixLatin1
  const known = info.switchMemory.stopAt(prefix, end)
  if (known !== null || endedBy.cause !== 'resigned or removed') return endedUnder(known, endedBy)
  try {
    info.switchesAre(await readSwitches(options, signal), true)
  } catch {
    // What is known has to do.
  }
  return endedUnder(info.switchMemory.stopAt(prefix, end), endedBy)
}

/** Pure: who leaves a seat while a stop holds it leaves because of the stop; what else happens is during it. */
export function endedUnder(stop: StandingSwitch | null, endedBy: EndedBy): EndedBy {
  if (stop === null) return endedBy
  if (isUnplanned(endedBy.cause)) return { ...endedBy, duringStop: true }
  if (endedBy.cause !== 'resigned or removed') return endedBy
  const { record } = stop
  if (record === null)
    return { cause: 'kill switch', evidence: `${endedBy.evidence}; a switch that cannot be read stops it` }
  const evidence = `${endedBy.evidence}; kill switch engaged by ${record.by} at ${timeOfDay(record.at)} UTC`
  return { cause: 'kill switch', by: record.by, evidence }
}
