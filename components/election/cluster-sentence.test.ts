import { describe, expect, it } from 'vitest'
import type { MemberShape } from '../../lib/election/series.ts'
import type { Revision } from '../../lib/election/types.ts'
import { clusterSentence } from './cluster-sentence.ts'
import { CLUSTER } from './fixture.ts'

const summary = (name: string, more = {}) => ({
  id: name,
  name,
  isRaftLeader: name === 'etcd-2',
  reachable: true,
  probeRttMs: 1,
  ...more,
})
const member = (name: string, more: Partial<MemberShape> = {}): MemberShape => ({
  id: name,
  name,
  endpoint: `http://${name}`,
  version: '3.5.30',
  isRaftLeader: false,
  dbSize: 10,
  dbSizeInUse: 5,
  dbQuota: 100,
  alarms: [],
  probeRttMs: 1,
  revision: '7' as Revision,
  raftTerm: '2',
  ...more,
})
const cluster = { ...CLUSTER, members: ['etcd-1', 'etcd-2', 'etcd-3'].map((name) => summary(name)) }

describe('the sentence of a cluster', () => {
  it('says that all is well and who is etcd raft leader', () => {
    expect(clusterSentence(cluster, [member('etcd-1')])).toEqual({
      strong: 'prod-eu is healthy.',
      rest: 'All 3 members answer; etcd-2 is etcd raft leader.',
    })
  })

  it('puts the lost quorum before a member that is away', () => {
    const away = { ...cluster, members: [summary('etcd-1', { reachable: false }), ...cluster.members.slice(1)] }
    expect(clusterSentence(away, []).strong).toBe('1 of 3 members of prod-eu do not answer.')
    expect(clusterSentence({ ...away, quorum: false }, []).strong).toBe('prod-eu has no quorum.')
  })

  it('names a member that shows the past', () => {
    const lag = { revision: '1059' as Revision, reached: '12044' as Revision }
    const [first, ...others] = cluster.members
    const behind = { ...cluster, members: [{ ...summary('etcd-1'), lag, noRaftLeader: true as const }, ...others] }
    expect(first?.name).toBe('etcd-1')
    expect(clusterSentence(behind, [])).toEqual({
      strong: 'etcd-1 knows no etcd raft leader and lags, at revision 1,059 of 12,044.',
      rest: 'etcd-2 is etcd raft leader.',
    })
    const slow = { ...cluster, members: [{ ...summary('etcd-1'), lag }, ...others] }
    expect(clusterSentence(slow, []).strong).toBe('etcd-1 lags, at revision 1,059 of 12,044.')
  })

  it('warns of alarms, little space and mixed versions', () => {
    const { strong, rest } = clusterSentence(cluster, [
      member('etcd-1', { alarms: ['NOSPACE'] }),
      member('etcd-2', { dbSize: 91 }),
      member('etcd-3', { version: '3.4.23' }),
    ])
    expect(`${strong} ${rest}`).toBe(
      'etcd-1 raised the alarm NOSPACE. etcd-2 has used 91 % of its space. Members run 3.4.23 and 3.5.30. etcd-2 is etcd raft leader.',
    )
  })
})
