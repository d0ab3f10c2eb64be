import { buildWhenChanged } from '../setup/build.ts'
import { provideAlertmanager } from '../setup/find-alertmanager.ts'
import { provideEtcd } from '../setup/find-etcd.ts'
import { provideFaketime } from '../setup/find-faketime.ts'
import { providePostgres } from '../setup/find-postgres.ts'
import { providePrometheus } from '../setup/find-prometheus.ts'
import { step } from '../setup/step.mjs'
import { provideChromium } from './chromium.ts'
import { addCounts, noCounts } from './counts.ts'
import { type Outcome, runCheck, runPlaywright, runSoak, runVitest, setTestEnv } from './runners.ts'
import { killStrays } from './strays.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)

async function runChecks(): Promise<Outcome[]> {
  return [
    await runCheck('format+lint', 'biome', ['check', '.']),
    await runCheck('types', 'tsc', ['--noEmit']),
    await runVitest('unit'),
  ]
}

/** A failing build fails the browser tests as well, but not what was learnt before. */
async function runBuild(): Promise<Outcome> {
  const startedAt = performance.now()
  const isBuilt = await step('build', buildWhenChanged).then(
    () => true,
    () => false,
  )
  const counts = { ...noCounts, failed: isBuilt ? 0 : 1 }
  return { name: 'build', counts, problem: isBuilt ? undefined : 'see above', tookMs: performance.now() - startedAt }
}

function printOutcomes(outcomes: Outcome[]): void {
  say('')
  for (const { name, counts, problem, tookMs } of outcomes) {
    const mark = counts.failed > 0 ? '✗' : '✓'
    const { passed, failed, skipped } = counts
    const detail =
      problem ?? (passed + skipped + failed > 0 ? `${passed} passed, ${failed} failed, ${skipped} skipped` : 'fine')
    say(`${mark} ${name.padEnd(12)} ${detail.padEnd(52)} ${(tookMs / 1000).toFixed(1).padStart(6)} s`)
  }
}

/** Once more, since a runner that said it first may be thousands of lines above. */
function printFailures(outcomes: Outcome[]): void {
  for (const { name, failures = [] } of outcomes) {
    for (const { file, title, message } of failures) say(`\n✗ ${name}: ${file} › ${title}\n${message}`)
  }
}

/** Prints what came out; its last line is the sum, and the exit code follows it. */
async function conclude(outcomes: Outcome[]): Promise<never> {
  printFailures(outcomes)
  printOutcomes(outcomes)
  for (const { pid, command } of await killStrays()) say(`killed what was left: ${pid} ${command.slice(0, 100)}`)
  const { passed, failed, skipped } = outcomes.map((outcome) => outcome.counts).reduce(addCounts, noCounts)
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`, () =>
    process.exit(failed > 0 ? 1 : 0),
  )
  return new Promise(() => {})
}

/** `npm run check`: what takes seconds and needs no server. */
export async function check(): Promise<void> {
  await conclude(await runChecks())
}

/** `npm run test:faults`: every fault at its full length; `--short` is what `npm run verify` runs. */
export async function faults(args: string[]): Promise<void> {
  if (!args.includes('--short')) setTestEnv({ TENURE_TEST_LONG: '1' })
  await step('etcd', provideEtcd, ({ version, how }) => `${version} (${how})`)
  await step('faketime', provideFaketime, (library) => library)
  const filters = args.filter((arg) => arg !== '--short')
  await conclude([await runVitest('faults', { filters })])
}

async function runBesideFaults(): Promise<Outcome[]> {
  const postgres = await runVitest('postgres', { isBeside: true })
  return [postgres, await runVitest('services', { isBeside: true })]
}

/** `npm run verify`: everything, on a machine that may be fresh. */
export async function verify(args: string[]): Promise<void> {
  if (args.includes('--long')) setTestEnv({ TENURE_TEST_LONG: '1' })
  await step('etcd', provideEtcd, ({ version, how }) => `${version} (${how})`)
  await step('faketime', provideFaketime, (library) => library)
  await step('postgres', providePostgres, (found) => found)
  await step('alertmanager', provideAlertmanager, (found) => found)
  await step('prometheus', providePrometheus, (found) => found)
  const chromium = await step('chromium', provideChromium)
  setTestEnv({ TENURE_TEST_CHROMIUM: chromium })
  const outcomes = await runChecks()
  const build = await runBuild()
  const isBuilt = build.counts.failed === 0
  outcomes.push(build)
  outcomes.push(await runVitest('etcd'))
  // All of them wait most of their time.
  const beside = [runBesideFaults(), ...(isBuilt ? [runSoak()] : [])]
  outcomes.push(await runVitest('faults'), ...(await Promise.all(beside)).flat())
  if (isBuilt) outcomes.push(await runPlaywright())
  await conclude(outcomes)
}
