/** `npm run bench -- candidate`: the library beside Go's concurrency package and npm's own Election class. */
import { loadavg } from 'node:os'
import { startEtcd } from '../../e2e/harness/etcd.ts'
import { startFencedResource } from '../../e2e/harness/fenced-resource.ts'
import { provideEtcd } from '../setup/find-etcd.ts'
import { handoffRows } from './candidate/handoff.ts'
import { idleRows } from './candidate/idle.ts'
import { killedRows } from './candidate/killed.ts'
import { overlapRows } from './candidate/overlap.ts'
import { goPeer, npm, tenure } from './candidate/peers.ts'
import { thirdPartyRows } from './candidate/third-party.ts'
import { note } from './live/numbers.ts'
import type { Row } from './support/row.ts'

export async function* bench(): AsyncGenerator<Row> {
  await provideEtcd()
  const go = await goPeer()
  const peers = [tenure, ...(go ? [go] : []), npm]
  for (const rows of [handoffRows, thirdPartyRows, killedRows, overlapRows, idleRows]) {
    note(`load average ${loadavg()[0]?.toFixed(1)}`)
    const [etcd, resource] = await Promise.all([startEtcd(), startFencedResource()])
    try {
      yield* rows === idleRows ? idleRows(etcd) : (rows as typeof handoffRows)(peers, etcd, resource)
    } finally {
      await Promise.all([etcd.stop(), resource.stop()])
    }
  }
}
