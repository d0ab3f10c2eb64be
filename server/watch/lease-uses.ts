/** Which leases to look up, how urgently, and in which elections each is used. */
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { leaderOf, nextUpOf } from '../../lib/election/queue.ts'
import type { ElectionRef, ElectionState, LeaseId } from '../../lib/election/types.ts'
import type { Rank } from './lease-lookups.ts'

const MOST_VIEWED = 50

export interface LeaseUse {
  ref: ElectionRef
  leads: boolean
  rank: Rank
}

/** What one election asked for when it was looked at last. */
interface Interest {
  leader: LeaseId | null
  nextUp: LeaseId | null
  viewed: boolean
  leases: readonly LeaseId[]
}

/** A lease has another rank now; null when nobody asks for it any more. */
export type OnRank = (lease: LeaseId, rank: Rank | null) => void

export class LeaseUses {
  private readonly uses = new Map<LeaseId, LeaseUse[]>()
  private readonly interests = new Map<ElectionRef, Interest>()
  private readonly viewed = new Map<ElectionRef, number>()

  /** Somebody has the election on a screen; it goes first for a while. */
  view(refs: readonly ElectionRef[], untilMonoMs: number): void {
    for (const ref of refs) this.viewed.set(ref, untilMonoMs)
  }

  /**
   * Leaders and next-ups of all elections; every candidate of those that are on a screen. Called twice a
   * second for ten thousand elections, so what asks for the same as before costs two comparisons.
   */
  follow(view: ClusterView, nowMonoMs: number, onRank: OnRank): void {
    for (const [ref, until] of this.viewed) if (until < nowMonoMs) this.viewed.delete(ref)
    for (const state of view.elections.values()) {
      const viewed = this.viewed.has(state.ref)
      const leader = leaderOf(state.candidates)?.lease ?? null
      const nextUp = nextUpOf(state.candidates)?.lease ?? null
      const known = this.interests.get(state.ref)
      if (!viewed && known?.viewed === false && known.leader === leader && known.nextUp === nextUp) continue
      this.ask(state, { leader, nextUp, viewed }, onRank)
    }
    if (this.interests.size === view.elections.size) return
    for (const [ref, { leases }] of this.interests) {
      if (view.elections.has(ref)) continue
      this.interests.delete(ref)
      for (const lease of leases) this.release(ref, lease)
      for (const lease of leases) onRank(lease, this.rankOf(lease))
    }
  }

  of(lease: LeaseId): readonly LeaseUse[] {
    return this.uses.get(lease) ?? []
  }

  /** Leases of leaders, and how many of them `isSampled`. */
  countLeaders(isSampled: (lease: LeaseId) => boolean): { leaders: number; sampled: number } {
    let leaders = 0
    let sampled = 0
    // Twice a second over twenty thousand leases: `forEach` makes no pair of each.
    this.uses.forEach((uses, lease) => {
      if (!uses.some(({ leads }) => leads)) return
      leaders += 1
      if (isSampled(lease)) sampled += 1
    })
    return { leaders, sampled }
  }

  private ask(state: ElectionState, interest: Omit<Interest, 'leases'>, onRank: OnRank): void {
    const { ref } = state
    const { leader, nextUp, viewed } = interest
    const wanted = viewed ? state.candidates.slice(0, MOST_VIEWED).map(({ lease }) => lease) : [leader, nextUp]
    const leases = [...new Set(wanted)].filter((lease) => lease !== null)
    const before = this.interests.get(ref)?.leases ?? []
    for (const lease of before) this.release(ref, lease)
    for (const lease of leases) {
      const leads = lease === leader
      const use: LeaseUse = { ref, leads, rank: viewed ? 0 : leads ? 1 : 2 }
      this.uses.set(lease, [...this.of(lease), use])
    }
    this.interests.set(ref, { ...interest, leases })
    for (const lease of before) if (!leases.includes(lease)) onRank(lease, this.rankOf(lease))
    for (const lease of leases) onRank(lease, this.rankOf(lease))
  }

  private release(ref: ElectionRef, lease: LeaseId): void {
    const left = this.of(lease).filter((use) => use.ref !== ref)
    if (left.length === 0) this.uses.delete(lease)
    else this.uses.set(lease, left)
  }

  private rankOf(lease: LeaseId): Rank | null {
    const uses = this.of(lease)
    return uses.reduce<Rank | null>((best, { rank }) => (best === null || rank < best ? rank : best), null)
  }
}
