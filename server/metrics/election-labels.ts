/** The labels of each election: one object as long as its name stays, which is then written out only once. */
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import type { ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { distinctLabelOf, labelOf } from './label-text.ts'

export interface ElectionLabels {
  readonly cluster: string
  readonly election: string
}

export class LabelBook {
  private before = new Map<ElectionRef, ElectionLabels>()

  /** For all that have series, in one go: no two of them get the same. */
  of(view: ClusterView, states: readonly ElectionState[]): ReadonlyMap<ElectionRef, ElectionLabels> {
    const cluster = view.info.name
    const now = new Map<ElectionRef, ElectionLabels>()
    const taken = new Set<string>()
    for (const state of states) {
      const { ref } = state
      const label = labelOf(view.nameOf(state), ref)
      const election = taken.has(label) ? distinctLabelOf(label, ref) : label
      taken.add(election)
      const known = this.before.get(ref)
      now.set(ref, known?.election === election ? known : { cluster, election })
    }
    this.before = now
    return now
  }
}
