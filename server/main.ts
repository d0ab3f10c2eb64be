/** Starts Tenure: configuration, data folder, watchers, then the web server. Run by `npm start` and `npm run demo`. */
import './heap.ts'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import next from 'next'
import pino, { type Logger } from 'pino'
import { ConfigError, loadConfig } from './config/load-config.ts'
import { takeEnvironment } from './config/process-environment.ts'
import type { Config } from './config/schema.ts'
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

function stopOnSignal(server: Server, runtime: Runtime, log: Logger): void {
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
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
    if (guard(request, response, config, context)) void handle(request, response)
  })
  stopOnSignal(server, runtime, log)
  const { port } = await listen(server, config)
  log.info({ clusters: [...runtime.watchers.keys()], url: `http://${config.host}:${port}` }, 'listening')
}

main().catch((error: unknown) => {
  console.error(`Tenure cannot start: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
})
