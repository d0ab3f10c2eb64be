import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { spawnOwned } from '../../e2e/harness/owned-process.ts'
import { rootDir, workDir } from '../setup/paths.mjs'
import { type Counts, noCounts, playwrightCounts, readReport, settleCounts, vitestCounts } from './counts.ts'
import { type Failure, playwrightFailures, vitestFailures } from './failures.ts'
import { markerEnv } from './strays.ts'

export interface Outcome {
  name: string
  counts: Counts
  problem?: string
  failures?: Failure[]
  tookMs: number
}

const binDir = join(rootDir, 'node_modules', '.bin')
const reportsDir = join(workDir, 'reports')
/** Its minute holds every kind of fault. */
const SOAK_SEED = '264'
const testEnv: Record<string, string> = {}

/** Settings for every test that follows. */
export function setTestEnv(settings: Record<string, string>): void {
  Object.assign(testEnv, settings)
}

function environment(): NodeJS.ProcessEnv {
  // The runners are scripts that start "node": it must be the one that runs this.
  const path = [dirname(process.execPath), binDir, process.env.PATH].join(delimiter)
  return { ...process.env, ...markerEnv(), ...testEnv, PATH: path } as NodeJS.ProcessEnv
}

/** Runs a tool with its own output and its own closing lines. */
async function runTool(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<number | NodeJS.Signals> {
  process.stdout.write(title(command, args))
  const tool = spawnOwned(resolve(binDir, command), args, {
    cwd: rootDir,
    showOutput: true,
    env: { ...environment(), ...env } as NodeJS.ProcessEnv,
  })
  return tool.exited
}

/** The same beside another tool: what it says comes when it has ended, in one piece. */
async function runBeside(name: string, command: string, args: string[]): Promise<number | NodeJS.Signals> {
  mkdirSync(reportsDir, { recursive: true })
  const logFile = join(reportsDir, `${name}.log`)
  rmSync(logFile, { force: true })
  const code = await spawnOwned(resolve(binDir, command), args, { cwd: rootDir, logFile, env: environment() }).exited
  process.stdout.write(`${title(command, args)}${readFileSync(logFile, 'utf8')}`)
  return code
}

const title = (command: string, args: string[]) => `\n── ${[command, ...args].join(' ')}\n`

async function timed(name: string, work: () => Promise<Omit<Outcome, 'name' | 'tookMs'>>): Promise<Outcome> {
  const startedAt = performance.now()
  const result = await work()
  return { name, ...result, tookMs: performance.now() - startedAt }
}

/** A tool that has no tests to count: only its failure counts. */
export function runCheck(name: string, command: string, args: string[]): Promise<Outcome> {
  return timed(name, async () => {
    const code = await runTool(command, args)
    if (code === 0) return { counts: noCounts }
    return { counts: { ...noCounts, failed: 1 }, problem: `it ended with ${code}` }
  })
}

interface Suite {
  /** Beside another: what it says comes in one piece when it has ended. */
  isBeside?: boolean
  command: string
  args: (report: string) => string[]
  env?: (report: string) => Record<string, string>
  read: (report: Record<string, unknown>) => Counts
  failures: (report: Record<string, unknown>) => Failure[]
}

function runSuite(name: string, { isBeside, command, args, env, read, failures }: Suite): Promise<Outcome> {
  return timed(name, async () => {
    mkdirSync(reportsDir, { recursive: true })
    const file = join(reportsDir, `${name}.json`)
    rmSync(file, { force: true })
    const code = isBeside ? await runBeside(name, command, args(file)) : await runTool(command, args(file), env?.(file))
    const report = readReport(file)
    const { problem, ...counts } = settleCounts(report && read(report), code)
    return { counts, problem, failures: report && failures(report) }
  })
}

/** `filters` are vitest's own: files, or `-t` and a name. */
export function runVitest(
  project: 'unit' | 'etcd' | 'postgres' | 'services' | 'faults',
  { filters = [], isBeside = false }: { filters?: readonly string[]; isBeside?: boolean } = {},
): Promise<Outcome> {
  const reporters = ['--reporter=default', '--reporter=json']
  return runSuite(project, {
    isBeside,
    command: 'vitest',
    args: (file) => ['run', '--project', project, ...reporters, `--outputFile.json=${file}`, ...filters],
    read: vitestCounts,
    failures: vitestFailures,
  })
}

/** One minute of faults from a fixed seed, beside whatever else runs; told as one test, since its verdict is one. */
export function runSoak(): Promise<Outcome> {
  return timed('soak', async () => {
    const soak = [join(rootDir, 'scripts', 'soak.mjs'), '--minutes', '1', '--seed', SOAK_SEED]
    const code = await runBeside('soak', process.execPath, soak)
    if (code === 0) return { counts: { ...noCounts, passed: 1 } }
    return { counts: { ...noCounts, failed: 1 }, problem: `it ended with ${code}` }
  })
}

export function runPlaywright(): Promise<Outcome> {
  return runSuite('browser', {
    command: 'playwright',
    args: () => ['test', '--reporter=list,json'],
    env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    read: playwrightCounts,
    failures: playwrightFailures,
  })
}
