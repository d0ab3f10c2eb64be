import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { waitForHealth } from '../../e2e/harness/dashboard.ts'
import { spawnOwned } from '../../e2e/harness/owned-process.ts'
import { isFree } from '../../e2e/harness/ports.ts'
import { logPath, rootDir } from '../setup/paths.mjs'
import { StepFailed } from '../setup/step.mjs'
import type { Household } from './household.ts'

const portsTried = 50

/** The wanted port, or the next one that is free. */
export async function chooseDashboardPort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + portsTried && port <= 65_535; port += 1) {
    if (await isFree(port)) return port
  }
  throw new StepFailed(`no free port from ${wanted} on: choose another with --port`)
}

export interface DemoDashboard {
  household: Household
  settings: Record<string, string>
  onEnd: (reason: string) => void
}

/** Starts the production server and waits until it says that it is healthy. */
export async function startDemoDashboard({ household, settings, onEnd }: DemoDashboard): Promise<string> {
  const entry = join(rootDir, 'server', 'main.ts')
  if (!existsSync(entry)) throw new StepFailed('server/main.ts is missing; --no-dashboard starts the rest')
  const logFile = logPath('demo-dashboard')
  const url = `http://localhost:${settings.PORT}`
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TENURE_'))
  const env = { ...Object.fromEntries(inherited), NODE_ENV: 'production', ...settings } as NodeJS.ProcessEnv
  const server = household.add(spawnOwned(process.execPath, [entry], { cwd: rootDir, env, logFile }), (how) =>
    onEnd(`the dashboard ended with ${how}; log: ${logFile}`),
  )
  const log = () => readFileSync(logFile, 'utf8')
  try {
    await waitForHealth({ url: `http://127.0.0.1:${settings.PORT}`, process: server, log, healthyWithinMs: 60_000 })
  } catch (error) {
    throw new StepFailed((error as Error).message, logFile)
  }
  return url
}
