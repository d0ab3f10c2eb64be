import { describe, expect, it } from 'vitest'
import { ClusterView } from '../../lib/election/cluster-view.ts'
import type { Candidate, Cluster, ElectionRef, ElectionState, LeaseId } from '../../lib/election/types.ts'
import type { Rank } from './lease-lookups.ts'
import { LeaseUses } from './lease-uses.ts'

const candidate = (lease: string | null): Candidate => ({ lease, nested: false, keyBase64: lease }) as never
const election = (ref: string, ...leases: (string | null)[]): ElectionState =>
  ({ ref, prefixBase64: btoa(`/${ref}/`), candidates: leases.map(candidate) }) as never

function follower(...elections: ElectionState[]) {
  const view = new ClusterView({ watched: [] } as unknown as Cluster, elections)
  const uses = new LeaseUses()
  const ranks = new Map<string, Rank>()
  const told: string[] = []
  const follow = (nowMs = 0) => {
    told.length = 0
    uses.follow(view, nowMs, (lease, rank) => {
      told.push(lease)
      if (rank === null) ranks.delete(lease)
      else ranks.set(lease, rank)
    })
    return Object.fromEntries(ranks)
  }
  return { view, uses, told, follow }
}

describe('which leases are looked up', () => {
  it('leaders before next-ups, nobody else', () => {
    const { follow } = follower(election('a', 'a1', 'a2', 'a3'), election('b', null, 'b2'))
    expect(follow()).toEqual({ a1: 1, a2: 2, b2: 2 })
  })

  it('everybody of an election that is on a screen, first of all, and only while it is', () => {
    const { follow, uses } = follower(election('a', 'a1', 'a2', 'a3'))
    follow()
    uses.view(['a' as ElectionRef], 10)
    expect(follow(5)).toEqual({ a1: 0, a2: 0, a3: 0 })
    expect(follow(11)).toEqual({ a1: 1, a2: 2 })
  })

  it('follows successions, and forgets elections that are gone', () => {
    const { follow, view } = follower(election('a', 'a1', 'a2', 'a3'), election('b', 'b1'))
    follow()
    view.elections.set('a' as ElectionRef, election('a', 'a2', 'a3'))
    expect(follow()).toEqual({ a2: 1, a3: 2, b1: 1 })
    view.apply({ type: 'forgotten', cluster: '', ref: 'a' as ElectionRef })
    expect(follow()).toEqual({ b1: 1 })
  })

  it('a lease that two elections use keeps the better rank, and stays until both are without it', () => {
    const { follow, view, uses } = follower(election('a', 'a1', 'x'), election('b', 'x'))
    expect(follow()).toEqual({ a1: 1, x: 1 })
    expect(uses.of('x' as LeaseId).map(({ ref }) => ref)).toEqual(['a', 'b'])
    expect(uses.countLeaders((lease) => lease === 'x')).toEqual({ leaders: 2, sampled: 1 })
    view.elections.set('b' as ElectionRef, election('b'))
    expect(follow()).toEqual({ a1: 1, x: 2 })
    view.elections.set('a' as ElectionRef, election('a', 'a1'))
    expect(follow()).toEqual({ a1: 1 })
  })

  it('says nothing of what did not change', () => {
    const { follow, told } = follower(election('a', 'a1', 'a2'), election('b', 'b1'))
    follow()
    expect(told).toHaveLength(3)
    follow()
    expect(told).toEqual([])
  })
})
