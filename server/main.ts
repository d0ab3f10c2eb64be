/** Starts Tenure: configuration, data folder, watchers, then the web server. Run by `npm start` and `npm run demo`. */
import './heap.ts'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import next from 'next'
import pino, { type Logger } from 'pino'
import { type MetricsPort, serveMetrics } from './api/metrics-port.ts'
import { originOf } from './auth/open-auth.ts'
import { ConfigError, loadConfig } from './config/load-config.ts'
import { takeEnvironment } from './config/process-environment.ts'
import type { Config } from './config/schema.ts'
import { gate } from './gate.ts'
import { allowedHosts, guard } from './guard.ts'
import { startRuntime } from './runtime.ts'
import { type Runtime, setRuntime } from './runtime-slot.ts'

const STOP_WITHIN_MS = 5_000
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const development = process.argv.includes('--dev')

function readConfig(): Config {
  try {
    return loadConfig(takeEnvironment(), root)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(
      `Tenure cannot start: ${error.problems.length === 1 ? 'one setting is' : `${error.problems.length} settings are`} wrong.`,
    )
    for (const { where, what } of error.problems) console.error(`  ${where}\n    ${what}`)
    process.exit(1)
  }
}

function listen(server: Server, { host, port }: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} is taken: set PORT to a free one`) : error),
    )
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  })
}

interface Started {
  runtime: Runtime
  metrics: MetricsPort | null
  log: Logger
}

function stopOnSignal(server: Server, { runtime, metrics, log }: Started): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    metrics?.stop()
    server.close()
    server.closeIdleConnections()
    void runtime.stop().then(() => {
      server.closeAllConnections()
      log.info({}, 'stopped')
      process.exit(0)
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** What could not even be asked, such as who it is, is refused: never let through. */
function unanswered(response: ServerResponse, error: unknown, log: Logger): void {
  log.error({ err: error }, 'a request could not be answered')
  if (!response.headersSent) response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' })
  response.end('Tenure could not find out who asks. Its log says why.\n')
}

async function metricsPort(runtime: Runtime, log: Logger): Promise<MetricsPort | null> {
  const metrics = await serveMetrics(runtime, (error) => log.error({ err: error }, 'a scrape failed'))
  if (metrics !== null) log.info({ url: `http://${metrics.host}:${metrics.port}/metrics` }, 'serving metrics')
  return metrics
}

/** To the console alone: the log goes to places that more people read. */
function tellFirstLink({ auth, actions }: Runtime, config: Config): void {
  if (auth.accounts === null || auth.accounts.people.hasAdmin) return
  const actor = { kind: 'nobody', name: 'Tenure, when it started', address: '' } as const
  actions.people.done({ verb: 'makeLink', actor, words: 'A link for the first admin was printed to the console.' })
  const link = `${originOf(config)}/set-up#${auth.accounts.links.make({ personId: null })}`
  console.error(`\nThere is no admin yet. Whoever opens this link becomes one:\n\n  ${link}\n`)
  console.error('It works once, until it is used, for 24 h, or until the next start.\n')
}

async function main(): Promise<void> {
  const config = readConfig()
  const log = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime })
  const app = next({ dev: development, dir: root, hostname: config.host, port: config.port })
  await app.prepare()
  // After Next: its second of loading would hold up the first listing and make heartbeats look late.
  const runtime = await startRuntime(config, root, log)
  setRuntime(runtime)
  const handle = app.getRequestHandler()
  const context = { hosts: allowedHosts(config), development }
  const server = createServer((request, response) => {
    if (!guard(request, response, config, context)) return
    gate(request, response, runtime.auth)
      .then((passes) => (passes ? handle(request, response) : undefined))
      .catch((error: unknown) => unanswered(response, error, log))
  })
  stopOnSignal(server, { runtime, metrics: await metricsPort(runtime, log), log })
  const { port } = await listen(server, config)
  log.info({ clusters: [...runtime.watchers.keys()], url: `http://${config.host}:${port}` }, 'listening')
  tellFirstLink(runtime, { ...config, port })
}

main().catch((error: unknown) => {
  console.error(`Tenure cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
