/** `npm run bench -- actions`: how fast a stop and a handoff take effect, and that a stale screen changes nothing. */
import { startDashboard } from '../../e2e/harness/dashboard.ts'
import { startEtcd } from '../../e2e/harness/etcd.ts'
import { buildWhenChanged } from '../setup/build.ts'
import { provideEtcd } from '../setup/find-etcd.ts'
import { handoffRows } from './actions/handoff.ts'
import { stopRows } from './actions/stop.ts'
import type { Row } from './support/row.ts'

export async function* bench(): AsyncGenerator<Row> {
  await provideEtcd()
  await buildWhenChanged()
  const etcd = await startEtcd()
  // Probes write nothing, but their leases come and go.
  const env = { TENURE_PROBE: 'false' }
  const dashboard = await startDashboard({ endpoints: etcd.endpoints, env })
  try {
    yield* stopRows(etcd, dashboard)
    yield* handoffRows(etcd, dashboard)
  } finally {
    await dashboard.stop()
    await etcd.stop()
  }
}
