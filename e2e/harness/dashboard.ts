import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { type OwnedProcess, spawnOwned } from './owned-process.ts'
import { freePort } from './ports.ts'
import { makeTempFolder } from './temp-folder.ts'

export interface StartDashboardOptions {
  endpoints: readonly string[]
  /** Watched prefixes; `/elections/` when left out. */
  watch?: readonly string[]
  /** Added to the environment; `undefined` takes a variable away. */
  env?: Record<string, string | undefined>
  port?: number
  /** Kept after `stop()`; without it, a temporary folder that goes with it. */
  dataDir?: string
  /** Another file than `server/main.ts`, for tests of this tool. */
  entry?: string
  /** How long `/api/health` may take to answer 200; 0 waits only until it answers at all. */
  healthyWithinMs?: number
}

export interface Dashboard {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  readonly process: OwnedProcess
  /** What it wrote so far. */
  log(): string
  /** SIGTERM; resolves to its exit code. The temporary data folder goes. */
  stop(): Promise<number | NodeJS.Signals>
  /** SIGKILL; the data folder stays until `stop()`, so that it can be started again on it. */
  kill(): Promise<void>
}

function environment({ endpoints, watch = ['/elections/'], env = {} }: StartDashboardOptions, own: object) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TENURE_'))
  const merged = {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    TENURE_ETCD_ENDPOINTS: endpoints.join(','),
    TENURE_WATCH: watch.join(','),
    TENURE_CLUSTER: 'test',
    // Signing in has journeys of its own.
    TENURE_AUTH: 'loopback-open',
    ...own,
    ...env,
  }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined)) as NodeJS.ProcessEnv
}

async function answers(url: string, anyStatus: boolean): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) })
    await response.body?.cancel()
    return anyStatus || response.status === 200
  } catch {
    return false
  }
}

export interface WaitForHealth {
  url: string
  process: OwnedProcess
  log: () => string
  healthyWithinMs?: number
}

/** Waits until the server answers; its end or a missed time rejects with the last lines of its log. */
export async function waitForHealth({ url, process, log, healthyWithinMs = 30_000 }: WaitForHealth): Promise<void> {
  const giveUpAt = performance.now() + (healthyWithinMs || 30_000)
  const tail = () => log().trimEnd().split('\n').slice(-15).join('\n')
  while (!(await answers(url, healthyWithinMs === 0))) {
    if (!process.isRunning()) throw new Error(`the dashboard ended with ${await process.exited}:\n${tail()}`)
    if (performance.now() > giveUpAt) throw new Error(`the dashboard is not healthy in time:\n${tail()}`)
    await pause(100)
  }
}

/** Starts the production server (`next build` must have run) on a free port and waits for its health. */
export async function startDashboard(options: StartDashboardOptions): Promise<Dashboard> {
  const port = options.port ?? (await freePort())
  const folder = makeTempFolder('dashboard')
  const dataDir = options.dataDir ?? join(folder.path, 'data')
  const logFile = join(folder.path, 'server.log')
  const url = `http://127.0.0.1:${port}`
  let lastWords: string | undefined
  const log = () => lastWords ?? readFileSync(logFile, 'utf8')
  const entry = options.entry ?? join(rootDir, 'server', 'main.ts')
  const server = spawnOwned(process.execPath, [entry], {
    cwd: rootDir,
    logFile,
    env: environment(options, { PORT: String(port), TENURE_DATA: dataDir }),
  })
  try {
    await waitForHealth({ url, process: server, log, healthyWithinMs: options.healthyWithinMs })
  } catch (error) {
    await server.kill()
    folder.remove()
    throw error
  }
  return {
    url,
    port,
    pid: server.pid,
    dataDir,
    process: server,
    log,
    kill: () => server.kill(),
    stop: async () => {
      await server.stop()
      lastWords = log()
      folder.remove()
      return server.exited
    },
  }
}
