import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect } from '../../e2e/harness/raw-etcd.ts'
import { EtcdClient } from './client.ts'
import { describeCandidateEtcd } from './etcd-contract.ts'

let cluster: EtcdCluster
let etcd: EtcdClient

beforeAll(async () => {
  cluster = await startEtcd()
  etcd = new EtcdClient({ endpoints: cluster.endpoints })
})
afterAll(async () => {
  etcd.close()
  await cluster.stop()
})

async function setOutOfSpace(isOut: boolean): Promise<void> {
  const client = connect(cluster.endpoints)
  try {
    const { members } = await client.cluster.memberList({})
    await client.maintenance.alarm({
      action: isOut ? 'Activate' : 'Deactivate',
      memberID: members[0]?.ID ?? '0',
      alarm: 'Nospace',
    })
  } finally {
    client.close()
  }
}

describeCandidateEtcd('the real etcd', () => ({ etcd, setOutOfSpace, pass: (ms) => pause(ms) }))
