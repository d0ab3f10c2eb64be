/** `npm run soak`: random faults on real etcd, and a judge that says what really happened. */
import { parseArgs } from 'node:util'
import { buildWhenChanged } from './setup/build.ts'
import { provideEtcd } from './setup/find-etcd.ts'
import { StepFailed, step } from './setup/step.mjs'
import { tell, tellDifference } from './soak/report.ts'
import { runSoak } from './soak/run.ts'
import { SABOTAGES, type Sabotage } from './soak/sabotage.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)

const usage = `Usage: npm run soak -- [--minutes N | --seconds N] [--seed S] [--all] [--sabotage HOW]
  --minutes   how long faults are made; 10 when left out
  --seed      a whole number; the same one makes the same schedule
  --all       print every difference, not the first alone
  --sabotage  doctor Tenure's history before it is judged, which must then fail: ${SABOTAGES.join(', ')}`

const whole = (text: string | undefined, name: string): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0)
    throw new StepFailed(`--${name} must be a whole number above 0\n\n${usage}`)
  return Number(text)
}

function parse(args: string[]) {
  const text = { type: 'string' } as const
  const options = { minutes: text, seconds: text, seed: text, sabotage: text, all: { type: 'boolean' } } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new StepFailed(`${(error as Error).message}\n\n${usage}`)
  }
}

function isSabotage(how: string): how is Sabotage {
  return SABOTAGES.some((each) => each === how)
}

export async function soak(args: string[]): Promise<void> {
  const { minutes, seconds, seed: given, sabotage, all } = parse(args)
  if (sabotage !== undefined && !isSabotage(sabotage)) throw new StepFailed(usage)
  const lengthS = whole(seconds, 'seconds') ?? (whole(minutes, 'minutes') ?? 10) * 60
  const seed = whole(given, 'seed') ?? 1 + Math.floor(Math.random() * 999_999)
  await step('etcd', provideEtcd, ({ version, how }) => `${version} (${how})`)
  await step('build', buildWhenChanged)
  const outcome = await runSoak({ seed, durationMs: lengthS * 1_000, say, ...(sabotage ? { sabotage } : {}) })
  say(tell(outcome))
  if (all) for (const difference of outcome.differences.slice(1)) say(`\n${tellDifference(difference, outcome.deals)}`)
  // Handles of the gRPC clients may linger for a moment; nothing is left to be done.
  process.exit(outcome.differences.length === 0 ? 0 : 1)
}
