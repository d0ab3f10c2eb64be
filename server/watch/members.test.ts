import { expect, it } from 'vitest'
import type { ClusterPort } from '../../lib/election/ports.ts'
import { systemClock } from '../../lib/shared/clock.ts'
import { Members } from './members.ts'
import { ProvenRevisions } from './proven-revisions.ts'

const ENDPOINT = 'http://10.0.0.1:2379'
const header = { clusterId: '1', memberId: '7', revision: '5', raftTerm: '2' }
const status = { header, version: '3.4.23', dbSize: 1, dbSizeInUse: 1, raftLeaderId: '7', raftIndex: '9' }
const member = { id: '7', name: 'etcd-1', clientUrls: [ENDPOINT], isLearner: false }
const etcd = {
  endpoints: [ENDPOINT],
  members: async () => ({ clusterId: '1', members: [member] }),
  status: async () => status,
  alarms: async () => [],
} as unknown as ClusterPort

it('gives a member no name before it has said who it is (was: probe times under its address, for ever)', async () => {
  const members = new Members(etcd, new ProvenRevisions(systemClock))
  expect([members.memberAt(ENDPOINT), members.nameAt(ENDPOINT)]).toEqual([null, ENDPOINT])
  await members.refresh(new AbortController().signal)
  expect([members.memberAt(ENDPOINT), members.nameAt(ENDPOINT)]).toEqual(['etcd-1', 'etcd-1'])
})
