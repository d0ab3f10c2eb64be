import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { watchedPrefixes } from '../../examples/workers/fleet.ts'
import { buildWhenChanged } from '../setup/build.ts'
import { provideEtcd } from '../setup/find-etcd.ts'
import { logPath } from '../setup/paths.mjs'
import { noteRun } from '../setup/running.mjs'
import { step } from '../setup/step.mjs'
import { chooseDashboardPort, startDemoDashboard } from './dashboard.ts'
import { createHousehold, type Household } from './household.ts'
import { type DemoOptions, parseOptions, usage } from './options.ts'
import { Settlement, type SettlementOptions } from './settlement.ts'
import { startWorkers } from './workers.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

/** The parent and, where /proc tells, its parent: npm puts a shell between itself and a script. */
function starters(): string {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(')')).split(' ')[2]}`
  } catch {
    return String(process.ppid)
  }
}

/** An npm that was killed cannot tell us, but its orphans get another parent. */
function watchStarters(onGone: () => void): void {
  const first = starters()
  setInterval(() => {
    if (starters() !== first) onGone()
  }, 1_000).unref()
}

/** Ctrl-C, SIGTERM and the end of npm all mean: take everything down and go. */
function closeOnSignals(household: Household): (code: number) => Promise<never> {
  let isClosing = false
  const end = async (code: number): Promise<never> => {
    if (!isClosing) say('\nStopping …')
    isClosing = true
    await household.close()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
  process.on('uncaughtException', (error) => {
    process.stderr.write(`${error.stack}\n`)
    void end(1)
  })
  if (process.env.npm_lifecycle_event) watchStarters(() => void end(0))
  return end
}

async function startCluster(household: Household): Promise<{ etcd: EtcdCluster; dir: string }> {
  const folder = makeTempFolder('demo')
  household.onClose(() => folder.remove())
  const etcd = await startEtcd({ members: 3, dir: join(folder.path, 'etcd') })
  household.onClose(() => etcd.stop())
  return { etcd, dir: folder.path }
}

async function startSettlement(household: Household, options: SettlementOptions): Promise<Settlement> {
  const settlement = new Settlement(household, options)
  await settlement.ready()
  return settlement
}

function writeReportsToken(dir: string): string {
  const file = join(dir, 'reports-token')
  writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  return file
}

/** What a worker needs to report to the dashboard with these settings. */
function reportingTo(settings: Record<'PORT' | 'TENURE_CLUSTER' | 'TENURE_REPORTS_TOKEN_FILE', string>) {
  const { PORT, TENURE_CLUSTER, TENURE_REPORTS_TOKEN_FILE } = settings
  return { TENURE_CLUSTER, TENURE_REPORTS_TOKEN_FILE, TENURE_REPORTS_URL: `http://127.0.0.1:${PORT}/api/reports` }
}

const printSettings = (settings: Record<string, string>) =>
  say(
    Object.entries(settings)
      .map(([name, value]) => `export ${name}='${value}'`)
      .join('\n'),
  )

async function runDemo(options: DemoOptions, household: Household, end: (code: number) => void): Promise<void> {
  for (const name of ['demo-workers', 'demo-settlement', 'demo-foreign', 'demo-dashboard'])
    rmSync(logPath(name), { force: true })
  await step('etcd', provideEtcd, ({ version, how }) => `${version} (${how})`)
  if (options.withDashboard) await step('build', buildWhenChanged)
  const { etcd, dir } = await step(
    'cluster',
    () => startCluster(household),
    ({ etcd: { members } }) =>
      `${members.length} members on ${members.map((member) => new URL(member.endpoint).port).join(', ')}`,
  )
  const workers = await step(
    'workers',
    () => startWorkers(household, etcd.endpoints),
    (started) => `${started.processes} processes`,
  )
  const settings = {
    PORT: String(await chooseDashboardPort(options.port)),
    TENURE_CLUSTER: 'demo',
    TENURE_AUTH: 'loopback-open',
    TENURE_ETCD_ENDPOINTS: etcd.endpoints.join(','),
    TENURE_WATCH: watchedPrefixes.join(','),
    TENURE_DATA: join(dir, 'data'),
    TENURE_REPORTS_TOKEN_FILE: writeReportsToken(dir),
  }
  const settlement = await step(
    'settlement',
    () =>
      startSettlement(household, {
        endpoints: etcd.endpoints,
        ledger: join(dir, 'ledger.db'),
        env: reportingTo(settings),
      }),
    ({ processes }) => `${processes} processes of examples/settlement`,
  )
  const onEnd = (reason: string) => {
    say(`\n${reason}`)
    end(1)
  }
  if (options.withDashboard) {
    const url = await step(
      'dashboard',
      () => startDemoDashboard({ household, settings, onEnd }),
      () => 'healthy',
    )
    say(`\nTenure: ${url}\n`)
  }
  if (options.printEnv) printSettings(settings)
  say(`data:   ${settings.TENURE_DATA} (for npm run audit:verify -- --data DIR)`)
  say(`etcd:   ETCDCTL_ENDPOINTS=${settings.TENURE_ETCD_ENDPOINTS}`)
  say('Ctrl-C stops everything and removes its data.')
  workers.beginEvents()
  void settlement.killNowAndThen()
}

/** `npm run demo`: live elections in a browser, from one command. */
export async function demo(args: string[]): Promise<void> {
  const options = parseOptions(args)
  if (options === 'help') {
    say(usage)
    return
  }
  noteRun('demo')
  const household = createHousehold()
  const end = closeOnSignals(household)
  try {
    await runDemo(options, household, (code) => void end(code))
  } catch (error) {
    if (household.isClosing) return // A signal came first: its own end follows.
    await household.close()
    throw error
  }
}
