/** `npm run bench -- live`: from etcd to the eye. What each row means: docs/performance.md. */
import { loadavg } from 'node:os'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { connect, type Etcd3 } from '../../e2e/harness/raw-etcd.ts'
import { buildWhenChanged } from '../setup/build.ts'
import { provideEtcd } from '../setup/find-etcd.ts'
import { largeRows } from './live/large-set.ts'
import { latencyRows } from './live/latency.ts'
import { note } from './live/numbers.ts'
import type { Row } from './support/row.ts'

const parts: readonly ((etcd: EtcdCluster, client: Etcd3) => AsyncIterable<Row>)[] = [latencyRows, largeRows]

export async function* bench(): AsyncGenerator<Row> {
  await provideEtcd()
  await buildWhenChanged()
  note(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
  for (const part of parts) {
    const etcd = await startEtcd()
    const client = connect(etcd.endpoints)
    try {
      yield* part(etcd, client)
    } finally {
      client.close()
      await etcd.stop()
    }
  }
  note(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  )
}
