import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Dashboard, startDashboard } from '../../harness/dashboard.ts'
import type { EtcdCluster } from '../../harness/etcd.ts'
import { makeTempFolder } from '../../harness/temp-folder.ts'

/** What candidates show when they report to any server of the journeys. */
export const REPORTS_TOKEN = 'reports-token-of-the-journeys'

/** What is watched in a cluster, or more of its settings. */
export type ClusterSettings = readonly string[] | { readonly watch: readonly string[]; readonly readOnly?: boolean }

/** The production server on one etcd that it knows under several names; JSON is YAML, too. */
export async function startServer(
  { endpoints }: EtcdCluster,
  clusters: Readonly<Record<string, ClusterSettings>>,
  /** More of `tenure.yaml`. */
  settings: Readonly<Record<string, unknown>> = {},
): Promise<{ dashboard: Dashboard; stop: () => Promise<void> }> {
  const folder = makeTempFolder('config')
  const file = join(folder.path, 'tenure.yaml')
  const listed = Object.entries(clusters).map(([name, own]) => ({
    name,
    endpoints,
    ...('watch' in own ? own : { watch: own }),
  }))
  const tokenFile = join(folder.path, 'reports-token')
  writeFileSync(tokenFile, REPORTS_TOKEN)
  writeFileSync(file, JSON.stringify({ clusters: listed, reports: { tokenFile }, auth: 'loopback-open', ...settings }))
  const none = {
    TENURE_ETCD_ENDPOINTS: undefined,
    TENURE_WATCH: undefined,
    TENURE_CLUSTER: undefined,
    TENURE_AUTH: undefined,
  }
  const port = typeof settings.port === 'number' ? settings.port : undefined
  const dashboard = await startDashboard({ endpoints, port, env: { ...none, TENURE_CONFIG: file } })
  const stop = async () => {
    await dashboard.stop()
    folder.remove()
  }
  return { dashboard, stop }
}
