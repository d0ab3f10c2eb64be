/** Which elections have series of their own. Who has them keeps them, so that no series comes and goes. */
import type { ElectionRef } from '../../lib/election/types.ts'

export class Places {
  private readonly most: number
  private readonly held = new Map<string, Set<ElectionRef>>()

  constructor(most: number) {
    this.most = most
  }

  /** Free places go to newcomers in the order of the clusters, and in each in the order of their refs. */
  settle(clusters: ReadonlyMap<string, ReadonlySet<ElectionRef>>): void {
    for (const [cluster, held] of this.held) {
      const there = clusters.get(cluster)
      for (const ref of held) if (!there?.has(ref)) held.delete(ref)
    }
    let free = this.most - [...this.held.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [cluster, refs] of clusters) {
      const held = this.held.get(cluster) ?? new Set()
      this.held.set(cluster, held)
      if (held.size === refs.size || free === 0) continue
      const newcomers = [...refs].filter((ref) => !held.has(ref))
      const admitted = newcomers.length > free ? newcomers.sort().slice(0, free) : newcomers
      for (const ref of admitted) held.add(ref)
      free -= admitted.length
    }
  }

  has(cluster: string, ref: ElectionRef): boolean {
    return this.held.get(cluster)?.has(ref) ?? false
  }
}
