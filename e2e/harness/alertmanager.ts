/** A real Alertmanager on a free loopback port, for tests. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { alertmanagerMissing, findAlertmanager } from '../../scripts/setup/find-alertmanager.ts'
import { type OwnedProcess, spawnOwned } from './owned-process.ts'
import { freePort } from './ports.ts'
import { makeTempFolder } from './temp-folder.ts'

/** As GET /api/v2/alerts gives it. */
export interface HeldAlert {
  fingerprint: string
  labels: Readonly<Record<string, string>>
  annotations: Readonly<Record<string, string>>
  startsAt: string
  endsAt: string
  updatedAt: string
  generatorURL?: string
  status: { state: 'unprocessed' | 'active' | 'suppressed'; silencedBy: string[]; inhibitedBy: string[] }
}

export interface AlertmanagerServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly version: string
  readonly pid: number
  /** What it holds as firing now. */
  alerts(): Promise<HeldAlert[]>
  /** By group, as its notifications would come. */
  groups(): Promise<{ labels: Readonly<Record<string, string>>; alerts: HeldAlert[] }[]>
  log(): string
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Notifications at once, to a webhook: one that resolves is told as well. */
export function webhookConfig(url: string): string {
  return [
    'route:',
    '  receiver: sink',
    '  group_by: [alertname, cluster]',
    '  group_wait: 200ms',
    '  group_interval: 1s',
    '  repeat_interval: 1h',
    'receivers:',
    '  - name: sink',
    '    webhook_configs:',
    `      - url: ${url}`,
    '        send_resolved: true',
    '',
  ].join('\n')
}

export interface AlertmanagerOptions {
  /** Nobody else is let in. */
  login?: { user: string; password: string; bcrypt: string }
}

type Ask = (path: string) => Promise<Response>

async function isReady(server: OwnedProcess, ask: Ask, log: () => string): Promise<boolean> {
  const giveUpAt = performance.now() + 20_000
  for (;;) {
    const response = await ask('/-/ready').catch(() => undefined)
    if (response?.ok) return true
    if (!server.isRunning()) return false
    if (performance.now() > giveUpAt) throw new Error(`Alertmanager is not ready after 20 s:\n${log()}`)
    await pause(20)
  }
}

async function read<T>(ask: Ask, path: string): Promise<T> {
  const response = await ask(path)
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json() as Promise<T>
}

interface Plan {
  dir: string
  found: NonNullable<ReturnType<typeof findAlertmanager>>
  port: number
}

const logOf = (dir: string) => join(dir, 'log')

function launch({ dir, found, port }: Plan): OwnedProcess {
  const flags = [
    `--config.file=${join(dir, 'alertmanager.yml')}`,
    `--web.config.file=${join(dir, 'web.yml')}`,
    `--storage.path=${join(dir, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ]
  return spawnOwned(found.program, flags, { cwd: found.cwd ?? dir, logFile: logOf(dir) })
}

/** Ask `alertmanagerMissing` first. It ends with this process at the latest. `config` is its own YAML. */
export async function startAlertmanager(
  config: string,
  { login }: AlertmanagerOptions = {},
): Promise<AlertmanagerServer> {
  const found = findAlertmanager()
  if (found === undefined) throw new Error(alertmanagerMissing())
  const folder = makeTempFolder('alertmanager')
  const { path: dir } = folder
  writeFileSync(join(dir, 'alertmanager.yml'), config)
  writeFileSync(join(dir, 'web.yml'), login ? `basic_auth_users:\n  ${login.user}: '${login.bcrypt}'\n` : '')
  const credentials = login && { authorization: `Basic ${btoa(`${login.user}:${login.password}`)}` }
  const log = () => readFileSync(logOf(dir), 'utf8')
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const ask: Ask = (path) => fetch(`${url}${path}`, { headers: credentials ?? {} })
    const server = launch({ dir, found, port })
    if (await isReady(server, ask, log)) {
      const { pid } = server
      const stop = async () => {
        await server.stop()
        folder.remove()
      }
      return { url, version: found.version, pid, log, stop, freeze: server.freeze, thaw: server.thaw, ...readers(ask) }
    }
    const said = log()
    if (attempt === 5 || !said.includes('address already in use')) {
      folder.remove()
      throw new Error(`Alertmanager ended:\n${said}`)
    }
    rmSync(logOf(dir))
  }
}

const readers = (ask: Ask): Pick<AlertmanagerServer, 'alerts' | 'groups'> => ({
  alerts: () => read(ask, '/api/v2/alerts'),
  groups: () => read(ask, '/api/v2/alerts/groups'),
})
