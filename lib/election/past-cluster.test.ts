import { describe, expect, it } from 'vitest'
import { pastCluster, unkeptCluster } from './past-cluster.ts'
import type { Cluster, Revision } from './types.ts'

const AT = '2026-03-12T03:12:07.000Z'
const NOW: Cluster = {
  name: 'prod',
  clusterId: '77',
  revision: '999' as Revision,
  epoch: 3,
  freshness: 'stale',
  asOf: '2026-03-12T09:00:00.000Z',
  quorum: true,
  reason: 'etcd has not answered',
  watched: [{ prefix: '/elections/', prefixBase64: btoa('/elections/') }],
  readOnly: true,
  members: [{ id: '1', name: 'etcd-1', isRaftLeader: true, reachable: true, probeRttMs: 3 }],
  probeP95Ms: 3,
  raftTerm: '4',
  raftLeaderChanges: [AT],
  gaps: [],
  sampling: { leaders: 5, sampled: 5 },
  historyError: 'disk full',
  missingRights: ['may not write'],
  handingOff: [],
}
const then = { epoch: 1, elections: [], gaps: [], unseen: null, stops: [], conditions: [] }

describe('a cluster of the past', () => {
  it('has nothing of today but its configuration', () => {
    expect(pastCluster(NOW, then, AT)).toEqual({
      name: 'prod',
      clusterId: '77',
      watched: NOW.watched,
      readOnly: true,
      revision: '0',
      epoch: 1,
      freshness: 'live',
      asOf: AT,
      quorum: true,
      members: [],
      probeP95Ms: null,
      raftTerm: '0',
      raftLeaderChanges: [],
      gaps: [],
      sampling: { leaders: 0, sampled: 0 },
      stops: [],
      switches: [],
    })
  })

  it('was not seen in a gap, and is as it was seen last before it', () => {
    const unseen = { from: '2026-03-12T03:00:00.000Z', to: '2026-03-12T04:00:00.000Z', reason: 'no answer' }
    expect(pastCluster(NOW, { ...then, unseen }, AT)).toMatchObject({
      freshness: 'unreachable',
      asOf: unseen.from,
      quorum: false,
      reason: 'Tenure was not watching then: no answer',
    })
  })

  it('shows what was stopped, without what is not kept of it', () => {
    const scope = { scope: '/jobs/', scopeBase64: btoa('/jobs/'), match: 'exact', nonce: 'n', by: 'ann' } as const
    const stop = { ...scope, reason: 'x', from: '2026-03-12T03:00:00.000Z', to: null, ended: null, endedBy: null }
    const { switches } = pastCluster(NOW, { ...then, stops: [stop, { ...stop, nonce: 'm', to: AT }] }, AT)
    expect(switches).toEqual([
      {
        scope: '/jobs/',
        scopeBase64: btoa('/jobs/'),
        match: 'exact',
        state: 'engaged',
        record: { by: 'ann', reason: 'x', nonce: 'n', at: stop.from, log: [] },
      },
    ])
  })

  it('knows what etcd itself was like: its quorum, its raft term, and changes of the etcd raft leader', () => {
    const leads = (subject: string, from: string, to: string | null, raftTerm: string) =>
      ({ kind: 'raft-leader', subject, from: `2026-03-12T${from}Z`, to: to && `2026-03-12T${to}Z`, raftTerm }) as const
    const conditions = [
      leads('etcd-1', '02:00:00.000', '03:05:00.000', '4'),
      leads('etcd-2', '03:05:01.000', '03:20:00.000', '5'),
      leads('etcd-1', '03:20:00.000', null, '6'),
    ]
    const known = pastCluster(NOW, { ...then, conditions }, AT)
    expect(known).toMatchObject({ quorum: true, raftTerm: '5', raftLeaderChanges: ['2026-03-12T03:05:01.000Z'] })
    const lost = { kind: 'no-quorum', subject: '', from: '2026-03-12T03:12:00.000Z', to: null } as const
    expect(pastCluster(NOW, { ...then, conditions: [lost] }, AT)).toMatchObject({ quorum: false, raftTerm: '0' })
  })

  it('of which nothing is kept says so, and not that it was empty', () => {
    expect(unkeptCluster(NOW, AT)).toMatchObject({
      freshness: 'unreachable',
      asOf: null,
      reason: `nothing is kept of prod before ${AT}`,
    })
    expect(unkeptCluster(NOW, null).reason).toBe('nothing is kept of prod yet')
  })
})
