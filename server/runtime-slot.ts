/** The one place where the routes that Next compiles meet what `main.ts` constructed. */
import type { Clock } from '../lib/shared/clock.ts'
import type { Actions } from './actions/actions.ts'
import type { Alerts } from './alerts/alerts.ts'
import type { Reports } from './api/reports.ts'
import type { TokenFile } from './api/token-file.ts'
import type { Auth } from './auth/auth.ts'
import type { Config } from './config/schema.ts'
import type { Audit } from './history/audit.ts'
import type { History } from './history/history.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { ClusterWatcher } from './watch/cluster-watcher.ts'
import type { Hub } from './watch/hub.ts'

export interface Runtime {
  actions: Actions
  alerts: Alerts
  audit: Audit
  config: Config
  /** The folder that Tenure is installed in. */
  root: string
  clock: Clock
  history: History
  /** Who asks, and everything about people. */
  auth: Auth
  hub: Hub
  watchers: ReadonlyMap<string, ClusterWatcher>
  /** Takes what candidates post. */
  reports: Reports
  metrics: Metrics
  /** Of `metrics.tokenFile`. */
  metricsToken: TokenFile | null
  stop(): Promise<void>
}

const SLOT = Symbol.for('tenure.runtime')
type Slot = { [SLOT]?: Runtime }

export function setRuntime(runtime: Runtime): void {
  ;(globalThis as Slot)[SLOT] = runtime
}

/** Throws when the server was not started by `server/main.ts`. */
export function getRuntime(): Runtime {
  const runtime = (globalThis as Slot)[SLOT]
  if (runtime === undefined) throw new Error('Tenure is not running: start it with "npm start", not with "next start"')
  return runtime
}
