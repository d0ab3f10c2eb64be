import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3 } from '../../e2e/harness/raw-etcd.ts'
import { startWatching, type Watching } from './watch-for-test.ts'

let etcd: EtcdCluster
let client: Etcd3
let watching: Watching

beforeAll(async () => {
  etcd = await startEtcd()
  client = connect(etcd.endpoints)
  watching = startWatching({ endpoints: etcd.endpoints, watch: ['/elections/cond/'] })
  await watching.live()
}, 40_000)
afterAll(async () => {
  await watching.stop()
  client.close()
  await etcd.stop()
})

const ALL = { cluster: 'test', from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' }
const conditionsOf = async (kind: string) =>
  (await watching.history.conditions(ALL)).conditions.filter((each) => each.kind === kind)

test('an alarm is told from when it was seen until it is disarmed, beside who was etcd raft leader', async () => {
  await expect
    .poll(() => conditionsOf('raft-leader'), { timeout: 10_000 })
    .toMatchObject([{ subject: 'etcd-1', to: null, raftTerm: watching.watcher.elections.view.info.raftTerm }])
  expect(await conditionsOf('alarm')).toEqual([])
  const { members } = await client.cluster.memberList({})
  const alarm = { memberID: members[0]?.ID ?? '', alarm: 'Nospace' } as const
  await client.maintenance.alarm({ ...alarm, action: 'Activate' })
  await watching.watcher.lookAtMembers()
  const space = { kind: 'alarm', subject: 'NOSPACE etcd-1' }
  await expect.poll(() => conditionsOf('alarm'), { timeout: 10_000 }).toMatchObject([{ ...space, to: null }])
  await client.maintenance.alarm({ ...alarm, action: 'Deactivate' })
  await watching.watcher.lookAtMembers()
  await expect
    .poll(() => conditionsOf('alarm'), { timeout: 10_000 })
    .toMatchObject([{ ...space, to: expect.stringMatching(/Z$/) }])
}, 60_000)
