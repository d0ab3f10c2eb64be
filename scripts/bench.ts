import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { medianRows } from './bench/support/median.ts'
import { jsonLine, table } from './bench/support/print.ts'
import { type Bench, isMet, type Row } from './bench/support/row.ts'
import { rootDir } from './setup/paths.mjs'
import { StepFailed } from './setup/step.mjs'

const benchDir = join(rootDir, 'scripts', 'bench')
const checkRuns = 3
const say = (text: string) => process.stdout.write(`${text}\n`)

function benchNames(): string[] {
  const files = readdirSync(benchDir).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  return files.map((file) => file.slice(0, -'.ts'.length))
}

const usage = () => `Usage: npm run bench -- NAME [--json] [--check] [--minutes N]
  --json   one object a line
  --check  run ${checkRuns} times, take the median, exit with 1 when something is not met
  --minutes  how long one run measures (heap only)
Names: ${benchNames().join(', ') || '(none yet)'}`

async function load(name: string): Promise<Bench> {
  if (!benchNames().includes(name)) throw new StepFailed(`there is no bench "${name}"\n\n${usage()}`)
  const module = await import(pathToFileURL(join(benchDir, `${name}.ts`)).href)
  if (typeof module.bench !== 'function') throw new StepFailed(`scripts/bench/${name}.ts exports no bench()`)
  return module.bench
}

function parse(args: string[]) {
  const flag = { type: 'boolean', default: false } as const
  const options = { json: flag, check: flag, minutes: { type: 'string' } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new StepFailed(`${(error as Error).message}\n\n${usage()}`)
  }
}

function minutesOf(text: string): number {
  const minutes = Number(text)
  if (!(minutes > 0)) throw new StepFailed(`--minutes must be a number above 0\n\n${usage()}`)
  return minutes
}

/** `npm run bench -- NAME`. */
export async function bench(args: string[]): Promise<void> {
  const { values, positionals } = parse(args)
  const [name] = positionals
  if (name === undefined) {
    say(usage())
    return
  }
  const run = await load(name)
  const options = values.minutes === undefined ? {} : { minutes: minutesOf(values.minutes) }
  const runs: Row[][] = []
  for (let index = 0; index < (values.check ? checkRuns : 1); index += 1) {
    if (values.check && !values.json) say(`run ${index + 1} of ${checkRuns} …`)
    const rows: Row[] = []
    for await (const row of run(options)) rows.push(row)
    runs.push(rows)
  }
  const rows = medianRows(runs)
  say(values.json ? rows.map(jsonLine).join('\n') : table(rows))
  if (rows.length === 0) throw new StepFailed(`bench ${name} measured nothing`)
  process.exitCode = values.check && !rows.every(isMet) ? 1 : 0
}
