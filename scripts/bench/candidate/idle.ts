/** What candidates cost while nothing happens. */
import { setTimeout as pause } from 'node:timers/promises'
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import { connect } from '../../../e2e/harness/raw-etcd.ts'
import { type Child, startChild } from '../load/child.ts'
import { meter } from '../load/cpu.ts'
import { atMost, type Row } from '../support/row.ts'

const ELECTIONS = 100
const EACH = 10
const TTL_SECONDS = 30
const WINDOW_MS = 60_000

async function revisionOf(etcd: EtcdCluster): Promise<bigint> {
  const client = connect(etcd.endpoints)
  const { header } = await client.kv.range({ key: Buffer.from('none') })
  client.close()
  return BigInt(header.revision)
}

export async function* idleRows(etcd: EtcdCluster): AsyncGenerator<Row> {
  const crowd: Child = startChild('../candidate/crowd.ts', [etcd.endpoints.join(','), ELECTIONS, EACH, TTL_SECONDS])
  try {
    await crowd.next('elected', 120_000)
    await pause(5_000)
    const before = await revisionOf(etcd)
    const stop = meter([crowd.pid])
    await pause(WINDOW_MS)
    const { cores } = stop()
    const writes = Number((await revisionOf(etcd)) - before)
    const perLeader = writes / ELECTIONS / (WINDOW_MS / 60_000)
    yield { name: 'writes to etcd per idle leader and minute', value: perLeader, unit: 'writes', reach: atMost(0) }
    yield {
      name: `CPU of ${ELECTIONS} elections × ${EACH} candidates, idle, TTL ${TTL_SECONDS} s`,
      value: cores * 100,
      unit: '% of a core',
      reach: atMost(10),
    }
  } finally {
    await crowd.kill()
  }
}
