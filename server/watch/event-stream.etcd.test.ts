import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3, putCandidate } from '../../e2e/harness/raw-etcd.ts'
import { revision } from '../../lib/election/ids.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'
import { followEvents } from './event-stream.ts'
import { rangeOf } from './list-keys.ts'

let etcd: EtcdCluster
let client: Etcd3
beforeAll(async () => {
  etcd = await startEtcd()
  client = connect(etcd.endpoints)
})
afterAll(async () => {
  client.close()
  await etcd.stop()
})

test('a member that stands too low is left before any of its events is handed on', async () => {
  let stands = ''
  for (const value of ['a', 'b', 'c']) {
    stands = (await putCandidate(client, { prefix: '/el/s', value, segment: 'x' })).revision
  }
  const watch = new EtcdClient({ endpoints: etcd.endpoints })
  const told: string[] = []
  const range = rangeOf(Buffer.from('/el/'))
  const follow = (refuse: boolean) =>
    followEvents(watch, [{ range, seen: revision('1') }], AbortSignal.timeout(1_500), {
      created: (at) => {
        told.push(`created at ${at}`)
        if (refuse) throw new Error('it lags')
      },
      current: () => undefined,
      revision: (group) => told.push(`event of ${group.revision}`),
    })
  await expect(follow(true)).rejects.toThrow('it lags')
  expect(told).toEqual([`created at ${stands}`])

  told.length = 0
  await expect(follow(false)).rejects.toThrow('closed')
  expect(told).toEqual([`created at ${stands}`, 'event of 2', 'event of 3', 'event of 4'])
  watch.close()
})
