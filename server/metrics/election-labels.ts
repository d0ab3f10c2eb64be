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
    const names = states.map((state) => [state.ref, labelOf(view.nameOf(state), state.ref)] as const)
    const uses = new Map<string, number>()
    for (const [, name] of names) uses.set(name, (uses.get(name) ?? 0) + 1)
    const now = new Map<ElectionRef, ElectionLabels>()
    const taken = new Set<string>()
    for (const [ref, name] of names) {
      let election = uses.get(name) === 1 ? name : distinctLabelOf(name, ref)
      // Whoever knows how marks are made can name an election so that it looks marked.
      while (taken.has(election)) election += '*'
      taken.add(election)
      const known = this.before.get(ref)
      now.set(ref, known?.election === election ? known : { cluster, election })
    }
    this.before = now
    return now
  }
}
