import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { EtcdClient } from './client.ts'

let etcd: EtcdCluster
let client: EtcdClient

beforeAll(async () => {
  etcd = await startEtcd()
  client = new EtcdClient({ endpoints: etcd.endpoints })
})
afterAll(async () => {
  client.close()
  await etcd.stop()
})

/** Lets what was asked go out, then holds this process up. */
async function holdUp(ms: number): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

test('an answer that came while this process was held up counts, also past the deadline', async () => {
  const { lease } = await client.grant(30, { deadlineMs: 2_000 })
  expect(await client.renew(lease, { deadlineMs: 2_000 })).toBe(30_000)
  for (let run = 0; run < 5; run += 1) {
    const renewing = client.renew(lease, { deadlineMs: 200 })
    const reading = client.range({ key: Uint8Array.of(1) }, { deadlineMs: 200 })
    const asked = Promise.allSettled([renewing, reading])
    await holdUp(300)
    expect((await asked).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  }
})
