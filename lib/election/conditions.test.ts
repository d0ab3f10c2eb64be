import { describe, expect, it } from 'vitest'
import { instant } from '../shared/clock.ts'
import { type ClusterSeen, type Condition, followCluster, followProbe, NO_CONDITIONS } from './conditions.ts'

const at = (seconds: number) => instant(Date.parse('2026-03-12T03:00:00Z') + seconds * 1_000)

const seen = (second: number, part: Partial<ClusterSeen> = {}): ClusterSeen => ({
  at: at(second),
  answeredAt: at(second),
  quorumLost: false,
  raft: { term: '3', since: at(0), leader: 'etcd-1' },
  alarms: [],
  ...part,
})

function follow(looks: readonly ClusterSeen[]): { changed: Condition[]; open: readonly Condition[] } {
  let state = NO_CONDITIONS
  const changed: Condition[] = []
  for (const look of looks) {
    const followed = followCluster(state, look)
    state = followed.state
    changed.push(...followed.changed)
  }
  return { changed, open: state.open }
}

const leads = (member: string, term: string, from: number, to: number | null): Condition => ({
  kind: 'raft-leader',
  subject: member,
  from: at(from),
  to: to === null ? null : at(to),
  raftTerm: term,
})

describe('etcd raft leaders', () => {
  it('leaves the time between the last answer in the old raft term and the first in the new one to nobody', () => {
    const after = { term: '4', since: at(12), leader: null }
    const { changed } = follow([
      seen(1),
      seen(2),
      seen(10, { answeredAt: at(9) }),
      seen(12, { raft: after }),
      seen(13, { raft: { ...after, leader: 'etcd-2' } }),
    ])
    expect(changed).toEqual([leads('etcd-1', '3', 0, null), leads('etcd-1', '3', 0, 9), leads('etcd-2', '4', 12, null)])
  })

  it('counts a member that is elected again anew: its leases were refilled', () => {
    const again = { term: '5', since: at(7), leader: 'etcd-1' }
    expect(follow([seen(1), seen(6), seen(7, { raft: again })]).changed.slice(1)).toEqual([
      leads('etcd-1', '3', 0, 6),
      leads('etcd-1', '5', 7, null),
    ])
  })

  it('goes on where nothing is known for a while, and within one raft term whatever a lagging member says', () => {
    const { changed } = follow([seen(1), seen(30, { raft: null }), seen(60), seen(61)])
    expect(changed).toEqual([leads('etcd-1', '3', 0, null)])
  })
})

describe('quorum', () => {
  it('is lost from the last answer until the next one, even if all members fall silent in between', () => {
    const lost = { answeredAt: at(5), quorumLost: true }
    const { changed, open } = follow([
      seen(5),
      seen(9, lost),
      seen(20, { ...lost, quorumLost: false }),
      seen(30, lost),
      seen(42, { answeredAt: at(41) }),
    ])
    const quorum = changed.filter(({ kind }) => kind === 'no-quorum')
    expect(quorum).toEqual([
      { kind: 'no-quorum', subject: '', from: at(5), to: null },
      { kind: 'no-quorum', subject: '', from: at(5), to: at(42) },
    ])
    expect(open.map(({ kind }) => kind)).toEqual(['raft-leader'])
  })
})

describe('alarms', () => {
  it('last while they are told, and while nobody could ask', () => {
    const space = [{ type: 'NOSPACE', member: 'etcd-2' }]
    const { changed } = follow([
      seen(1),
      seen(15, { alarms: space }),
      seen(30, { alarms: null }),
      seen(45, { alarms: space }),
      seen(60),
    ])
    expect(changed.filter(({ kind }) => kind === 'alarm')).toEqual([
      { kind: 'alarm', subject: 'NOSPACE etcd-2', from: at(15), to: null },
      { kind: 'alarm', subject: 'NOSPACE etcd-2', from: at(15), to: at(60) },
    ])
  })
})

describe('slow probe', () => {
  function probe(rtts: readonly (number | null)[]): Condition[] {
    let state = NO_CONDITIONS
    return rtts.flatMap((rttMs, second) => {
      const followed = followProbe(state, { at: at(second), member: 'etcd-3', rttMs })
      state = followed.state
      return followed.changed
    })
  }
  const good = (count: number) => Array.from({ length: count }, () => 4)

  it('opens with the third in a row, from the first of them', () => {
    expect(probe([4, 900, 900, 4, 900, 900])).toEqual([])
    expect(probe([4, 501, 900, 900])).toEqual([
      { kind: 'slow-probe', subject: 'etcd-3', from: at(1), to: null, words: 'slower than 500 ms' },
    ])
    expect(probe([500, 500, 500, 500])).toEqual([])
  })

  it('tells silence from slowness', () => {
    expect(probe([900, null, null])[0]?.words).toBe('not answered')
  })

  it('closes at the first of ten good ones in a row', () => {
    expect(probe([null, null, null, ...good(9), 900, ...good(9)])).toHaveLength(1)
    const [, closed] = probe([null, null, null, ...good(5), 900, ...good(10)])
    expect(closed).toMatchObject({ subject: 'etcd-3', from: at(0), to: at(9) })
  })

  it('is told of each member by itself', () => {
    const slow = ['a', 'b', 'a', 'b', 'a'].reduce(
      (state, member, second) => followProbe(state, { at: at(second), member, rttMs: null }).state,
      NO_CONDITIONS,
    )
    expect(slow.open.map(({ subject }) => subject)).toEqual(['a'])
  })
})
