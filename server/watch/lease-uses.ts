/** Which leases to look up, and what of the answers is kept as a renewal margin. */
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { leaderOf, nextUpOf } from '../../lib/election/queue.ts'
import type { ElectionRef, LeaseId } from '../../lib/election/types.ts'
import type { Rank } from './lease-lookups.ts'

export interface LeaseUse {
  ref: ElectionRef
  leads: boolean
}

export class LeaseUses {
  private uses = new Map<LeaseId, LeaseUse[]>()
  private readonly viewed = new Map<ElectionRef, number>()

  /** Somebody has the election on a screen; it goes first for a while. */
  view(refs: readonly ElectionRef[], untilMonoMs: number): void {
    for (const ref of refs) this.viewed.set(ref, untilMonoMs)
  }

  /** Leaders and next-ups of all elections; every candidate of those that are on a screen. */
  collect(view: ClusterView, nowMonoMs: number): ReadonlyMap<LeaseId, Rank> {
    const wanted = new Map<LeaseId, Rank>()
    this.uses = new Map()
    for (const [ref, until] of this.viewed) if (until < nowMonoMs) this.viewed.delete(ref)
    for (const state of view.elections.values()) {
      const leader = leaderOf(state.candidates)
      const next = nextUpOf(state.candidates)
      const viewed = this.viewed.has(state.ref)
      const candidates = viewed ? state.candidates.slice(0, 50) : [leader, next]
      for (const candidate of candidates) {
        if (!candidate?.lease) continue
        const leads = candidate === leader
        const rank: Rank = viewed ? 0 : leads ? 1 : 2
        wanted.set(candidate.lease, Math.min(rank, wanted.get(candidate.lease) ?? 2) as Rank)
        this.uses.set(candidate.lease, [...(this.uses.get(candidate.lease) ?? []), { ref: state.ref, leads }])
      }
    }
    return wanted
  }

  of(lease: LeaseId): readonly LeaseUse[] {
    return this.uses.get(lease) ?? []
  }

  leaders(): LeaseId[] {
    return [...this.uses].filter(([, uses]) => uses.some(({ leads }) => leads)).map(([lease]) => lease)
  }
}
