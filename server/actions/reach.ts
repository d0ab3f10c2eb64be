/** One cluster as actions reach it: etcd for linearizable reads and writes, and the watcher's view of it. */
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import type { Etcd } from '../../lib/election/ports.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Endings } from './endings.ts'

export interface Reach {
  name: string
  etcd: Etcd
  /** latin1 */
  metaPrefix: string
  readOnly: 'no' | 'cluster' | 'everywhere'
  view: ClusterView
  endings: Endings
  /** A look-alike is an election from now on. */
  confirm(ref: ElectionRef, by: string): void
  /** What is in etcd now is what counts. */
  acknowledgeRollback(): void
  /** These are being handed off now. */
  handingOff(refs: readonly ElectionRef[]): void
  /** Calls after keys of elections may have changed, or (null) the switches. Answers a stop. */
  onChange(listener: (refs: readonly ElectionRef[] | null) => void): () => void
  /** Somebody deletes this record on purpose: that it is gone is no alarm. */
  switchDeleted(scopeBase64: string, by: string): void
  /** The audit log knows this record as engaged, by whom, and it is not there. */
  switchMissing(scopeBase64: string, by: string): void
}
