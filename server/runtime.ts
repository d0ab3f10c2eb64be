/** The composition root: the only place that constructs. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Logger } from 'pino'
import type { Etcd } from '../lib/election/ports.ts'
import { EtcdClient } from '../lib/etcd/client.ts'
import { latin1, unescapeBytes } from '../lib/shared/bytes.ts'
import { type Clock, instant, steadyClock } from '../lib/shared/clock.ts'
import { Actions, type ActionsOptions } from './actions/actions.ts'
import { Endings } from './actions/endings.ts'
import type { Reach } from './actions/reach.ts'
import { Alerts } from './alerts/alerts.ts'
import { openChannels } from './alerts/channels/open-channels.ts'
import { Dispatcher } from './alerts/delivery/dispatcher.ts'
import { alertsPage } from './alerts/links.ts'
import { ThresholdBook } from './alerts/thresholds.ts'
import { Surroundings } from './alerts/watched.ts'
import { Reports } from './api/reports.ts'
import { TokenFile } from './api/token-file.ts'
import { mayStill } from './auth/may-still.ts'
import { openAuth } from './auth/open-auth.ts'
import { alertsFile, auditFile, historyFile } from './config/data-files.ts'
import type { ClusterConfig, Config } from './config/schema.ts'
import { tapAudit } from './history/audit-tap.ts'
import { lockDataFolder } from './history/data-lock.ts'
import type { History } from './history/history.ts'
import { SqliteAlerts } from './history/sqlite-alerts.ts'
import { openSqliteAudit } from './history/sqlite-audit.ts'
import { tapHistory } from './history/tap.ts'
import { openWorkerHistory } from './history/worker/worker-history.ts'
import { Metrics } from './metrics/metrics.ts'
import type { Runtime } from './runtime-slot.ts'
import { ClusterWatcher } from './watch/cluster-watcher.ts'
import { Hub } from './watch/hub.ts'
import { metricsPages } from './watch/metrics-pages.ts'
import { Troubles } from './watch/troubles.ts'

const bytesOf = (text: string) => latin1(unescapeBytes(text))

/** Changes with every build, so that a page can tell that the server was updated under it. */
function buildId(root: string): string {
  const file = join(root, '.next', 'BUILD_ID')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : 'development'
}

function connectTo({ endpoints, tls, user }: ClusterConfig, root: string): Etcd {
  const path = (file: string) => resolve(root, file)
  return new EtcdClient({
    endpoints,
    credentials: {
      ...(tls ? { ca: path(tls.ca) } : {}),
      ...(tls?.cert ? { cert: path(tls.cert) } : {}),
      ...(tls?.key ? { key: path(tls.key) } : {}),
      ...(user ? { user: user.name, passwordFile: path(user.passwordFile) } : {}),
    },
  })
}

function metricsOf({ metrics, tls }: ClusterConfig, root: string) {
  if (metrics.length === 0) return {}
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(root, file))
  const files = tls && { ca: resolve(root, tls.ca), cert: path(tls.cert), key: path(tls.key) }
  return { metrics: { urls: metrics, port: metricsPages(files) } }
}

function reportsOf(
  config: Config,
  root: string,
  parts: Pick<Runtime, 'watchers' | 'clock'> & { log: Logger },
): Reports {
  const { watchers, clock, log } = parts
  const file = config.reports?.tokenFile
  const token = file === undefined ? null : new TokenFile(resolve(root, file), clock)
  return new Reports({ watchers, token, clock, troubles: new Troubles({ clock, log }) })
}

function metricsTokenOf({ metrics: { tokenFile } }: Config, root: string, clock: Clock): TokenFile | null {
  return tokenFile === undefined ? null : new TokenFile(resolve(root, tokenFile), clock, 'metrics')
}

interface Counted {
  config: Config
  root: string
  history: History
  clock: Clock
}

/** `watched` is filled later. */
function metricsOver(watched: ReadonlyMap<string, ClusterWatcher>, { config, root, history, clock }: Counted): Metrics {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { maxElections } = config.metrics
  return new Metrics({ clock, watched, history, maxElections, version, processMetrics: true })
}

interface AlertParts {
  config: Config
  root: string
  /** Of the data. */
  folder: string
  history: History
  surroundings: Surroundings
  clock: Clock
  log: Logger
}

function alertsOver(watchers: ReadonlyMap<string, ClusterWatcher>, parts: AlertParts) {
  const { config, root, folder, history, surroundings, clock, log } = parts
  const channels = openChannels(config.alerts.channels, { folder: root, clock })
  const store = new SqliteAlerts(alertsFile(folder))
  const alerts = new Alerts({
    clock,
    log,
    store,
    channels,
    publicUrl: config.publicUrl,
    thresholds: new ThresholdBook(config.alerts),
    watched: [...watchers.values()].map((watcher) => surroundings.watched(watcher)),
    historyTrouble: () => {
      const state = history.state()
      return state.ok ? undefined : state.error
    },
    tellPages: (cluster, told) => watchers.get(cluster)?.alertsAre(told),
  })
  const standing = () => alerts.teller.standing()
  const testLinks = alertsPage(config.publicUrl)
  const dispatcher = new Dispatcher({ channels, outbox: store, standing, clock, log, testLinks })
  for (const [name, watcher] of watchers) watcher.onEvery((refs) => alerts.changed(name, refs))
  return { alerts, dispatcher }
}

/** Opens the store and starts watching. `stop` gives leases back and writes what is left. */
export async function startRuntime(config: Config, root: string, log: Logger): Promise<Runtime> {
  const clock = steadyClock()
  const folder = resolve(root, config.data)
  const lock = await lockDataFolder(folder, instant(clock.nowMs()))
  const file = historyFile(folder)
  const auth = await openAuth(config, { root, file, folder, clock, log })
  const surroundings = new Surroundings(config.clusters, root)
  const kept = openWorkerHistory({ file, clock, log })
  const named = new Map<string, ClusterWatcher>()
  const metrics = metricsOver(named, { config, root, history: kept, clock })
  const troubles = new Troubles({ clock, log })
  const onTrouble = (error: unknown) => troubles.note('counting', String(error))
  const history = tapHistory(kept, [surroundings.listener, metrics.listener], onTrouble)
  const hub = new Hub({ clock, bootId: randomBytes(6).toString('hex'), build: buildId(root) })
  const clients = config.clusters.map((cluster) => connectTo(cluster, root))
  const stored = openSqliteAudit({ file: auditFile(folder), clock })
  const audit = tapAudit(stored, (entry) => metrics.countAction(entry), onTrouble)
  const reaches = new Map<string, Reach>()
  const watchers = config.clusters.map((cluster, at) => {
    const etcd = clients[at]
    if (etcd === undefined) throw new Error(`no client for cluster ${cluster.name}`)
    const endings = new Endings()
    const watcher = new ClusterWatcher({
      name: cluster.name,
      watch: cluster.watch.map(bytesOf),
      metaPrefix: bytesOf(config.metaPrefix),
      layouts: cluster.layouts,
      readOnly: config.readOnly || cluster.readOnly,
      probe: config.probe,
      ...metricsOf(cluster, root),
      etcd,
      history,
      hub,
      clock,
      log,
      whyEnded: (ref, token, signal) => endings.whyEnded(ref, token, signal),
    })
    reaches.set(cluster.name, {
      name: cluster.name,
      etcd,
      metaPrefix: bytesOf(config.metaPrefix),
      readOnly: config.readOnly ? 'everywhere' : cluster.readOnly ? 'cluster' : 'no',
      view: watcher.elections.view,
      endings,
      confirm: (ref, by) => watcher.elections.confirm(ref, by),
      acknowledgeRollback: () => watcher.acknowledgeRollback(),
      handingOff: (refs) => watcher.handingOff(refs),
      switchMissing: (scopeBase64, by) => watcher.switchMemory.missing(scopeBase64, by, instant(clock.nowMs())),
      onChange: (listener) => watcher.onChange(listener),
      switchDeleted: (scopeBase64, by) => watcher.switchMemory.willDelete(scopeBase64, by),
    })
    named.set(cluster.name, watcher)
    return watcher
  })
  const { secondPerson } = config.release
  const may: ActionsOptions['mayStill'] = (personId, verb) => mayStill(auth, personId, verb)
  const actions = new Actions({ reaches, audit, clock, log, secondPerson, mayStill: may })
  const { alerts, dispatcher } = alertsOver(named, { config, root, folder, history, surroundings, clock, log })
  metrics.ask({
    alerts: () => alerts.all(),
    certificates: (cluster) => surroundings.certificatesOf(cluster),
  })
  for (const watcher of watchers) watcher.start()
  actions.start()
  surroundings.start()
  alerts.start(dispatcher)
  dispatcher.start()
  return {
    actions,
    alerts,
    audit,
    config,
    root,
    clock,
    history,
    auth,
    hub,
    watchers: named,
    metrics,
    metricsToken: metricsTokenOf(config, root, clock),
    reports: reportsOf(config, root, { watchers: named, clock, log }),
    stop: async () => {
      hub.stop()
      actions.stop()
      surroundings.stop()
      await alerts.stop()
      await Promise.all(watchers.map((watcher) => watcher.stop()))
      for (const client of clients) client.close()
      await history.close()
      audit.close()
      auth.close()
      lock.release()
    },
  }
}
