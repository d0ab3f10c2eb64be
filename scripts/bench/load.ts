/** `npm run bench -- load`: the monitor is never the load. What each row means: docs/performance.md. */
import { loadavg } from 'node:os'
import { buildWhenChanged } from '../setup/build.ts'
import { provideEtcd } from '../setup/find-etcd.ts'
import { note } from './live/numbers.ts'
import { churnMemoryRows } from './load/churn-memory.ts'
import { keepAliveRows } from './load/keep-alive.ts'
import { manyViewersRows } from './load/many-viewers.ts'
import { resumeRows } from './load/resume.ts'
import type { Row } from './support/row.ts'

const parts: readonly (() => AsyncIterable<Row>)[] = [keepAliveRows, resumeRows, manyViewersRows, churnMemoryRows]

export async function* bench(): AsyncGenerator<Row> {
  await provideEtcd()
  await buildWhenChanged()
  for (const part of parts) {
    note(`load average ${loadavg()[0]?.toFixed(1)}`)
    yield* part()
  }
}
