/** A real Prometheus on a free loopback port, that scrapes what it is told to, for tests. */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPrometheus, prometheusMissing } from '../../scripts/setup/find-prometheus.ts'
import { type OwnedProcess, spawnOwned } from './owned-process.ts'
import { freePort } from './ports.ts'
import { makeTempFolder } from './temp-folder.ts'

export interface PrometheusSample {
  labels: Readonly<Record<string, string>>
  value: number
}

export interface PrometheusTarget {
  health: 'up' | 'down' | 'unknown'
  lastError: string
}

export interface PrometheusAlert {
  labels: Readonly<Record<string, string>>
  annotations: Readonly<Record<string, string>>
  state: 'pending' | 'firing'
}

export interface PrometheusServer {
  readonly url: string
  readonly version: string
  /** An instant query that answers a vector. */
  query(expression: string): Promise<PrometheusSample[]>
  /** The value of the one sample; undefined where there is none. */
  value(expression: string): Promise<number | undefined>
  targets(): Promise<PrometheusTarget[]>
  alerts(): Promise<PrometheusAlert[]>
  /** Names of all alerting rules that were loaded. */
  rules(): Promise<string[]>
  log(): string
  stop(): Promise<void>
}

export interface StartPrometheusOptions {
  /** `host:port` of the endpoint; its path is /metrics. */
  target: string
  /** Sent as a bearer token. */
  token?: string
  /** Rule files, as YAML. */
  rules?: readonly string[]
}

/** Every half second, so that a test need not wait. */
function configOf({ target, token }: StartPrometheusOptions, folder: string, rules: number): string {
  return JSON.stringify({
    global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '500ms' },
    rule_files: Array.from({ length: rules }, (_, at) => join(folder, `rules-${at}.yml`)),
    scrape_configs: [
      {
        job_name: 'tenure',
        static_configs: [{ targets: [target] }],
        ...(token === undefined ? {} : { authorization: { credentials_file: join(folder, 'token') } }),
      },
    ],
  })
}

async function isReady(server: OwnedProcess, url: string, log: () => string): Promise<boolean> {
  const giveUpAt = performance.now() + 20_000
  for (;;) {
    const response = await fetch(`${url}/-/ready`).catch(() => undefined)
    if (response?.ok) return true
    if (!server.isRunning()) return false
    if (performance.now() > giveUpAt) throw new Error(`Prometheus is not ready after 20 s:\n${log()}`)
    await pause(20)
  }
}

async function read<T>(url: string): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}

interface Vector {
  result: { metric: Record<string, string>; value: [number, string] }[]
}

interface Groups {
  groups: { rules: { name: string }[] }[]
}

function asks(url: string): Omit<PrometheusServer, 'url' | 'version' | 'log' | 'stop'> {
  const query = async (expression: string) => {
    const { result } = await read<Vector>(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
  }
  return {
    query,
    value: async (expression) => {
      const samples = await query(expression)
      if (samples.length > 1) throw new Error(`${expression} has ${samples.length} samples`)
      return samples[0]?.value
    },
    targets: async () => (await read<{ activeTargets: PrometheusTarget[] }>(`${url}/api/v1/targets`)).activeTargets,
    alerts: async () => (await read<{ alerts: PrometheusAlert[] }>(`${url}/api/v1/alerts`)).alerts,
    rules: async () =>
      (await read<Groups>(`${url}/api/v1/rules`)).groups.flatMap(({ rules }) => rules.map(({ name }) => name)),
  }
}

/** Ask `prometheusMissing` first. It ends with this process at the latest. */
export async function startPrometheus(options: StartPrometheusOptions): Promise<PrometheusServer> {
  const found = findPrometheus()
  if (found === undefined) throw new Error(prometheusMissing())
  const folder = makeTempFolder('prometheus')
  const { rules = [], token } = options
  for (const [at, text] of rules.entries()) writeFileSync(join(folder.path, `rules-${at}.yml`), text)
  if (token !== undefined) writeFileSync(join(folder.path, 'token'), token)
  const configFile = join(folder.path, 'prometheus.yml')
  writeFileSync(configFile, configOf(options, folder.path, rules.length))
  const logFile = join(folder.path, 'log')
  const log = () => readFileSync(logFile, 'utf8')
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const flags = [
      `--config.file=${configFile}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const server = spawnOwned(found.programs.prometheus, flags, { cwd: folder.path, logFile })
    if (await isReady(server, url, log)) {
      const stop = async () => {
        await server.stop()
        folder.remove()
      }
      return { url, version: found.version, ...asks(url), log, stop }
    }
    const said = log()
    if (attempt === 5 || !said.includes('address already in use')) {
      folder.remove()
      throw new Error(`Prometheus ended:\n${said}`)
    }
    rmSync(logFile)
  }
}

export interface Ran {
  code: number
  output: string
}

/** Runs promtool to its end, with `input` on its standard input. */
export function promtool(args: readonly string[], input = ''): Promise<Ran> {
  const found = findPrometheus()
  if (found === undefined) throw new Error(prometheusMissing())
  return new Promise((resolve) => {
    const child = execFile(found.programs.promtool, [...args], { timeout: 30_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ code, output: `${stdout}${stderr}` })
    })
    child.stdin?.end(input)
  })
}
