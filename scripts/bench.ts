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

const usage = () => `Usage: npm run bench -- NAME [--json] [--check]
  --json   one object a line
  --check  run ${checkRuns} times, take the median, exit with 1 when something is not met
Names: ${benchNames().join(', ') || '(none yet)'}`

async function load(name: string): Promise<Bench> {
  if (!benchNames().includes(name)) throw new StepFailed(`there is no bench "${name}"\n\n${usage()}`)
  const module = await import(pathToFileURL(join(benchDir, `${name}.ts`)).href)
  if (typeof module.bench !== 'function') throw new StepFailed(`scripts/bench/${name}.ts exports no bench()`)
  return module.bench
}

function parse(args: string[]) {
  const options = { json: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } } as const
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new StepFailed(`${(error as Error).message}\n\n${usage()}`)
  }
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
  const runs: Row[][] = []
  for (let index = 0; index < (values.check ? checkRuns : 1); index += 1) {
    if (values.check && !values.json) say(`run ${index + 1} of ${checkRuns} …`)
    const rows: Row[] = []
    for await (const row of run()) rows.push(row)
    runs.push(rows)
  }
  const rows = medianRows(runs)
  say(values.json ? rows.map(jsonLine).join('\n') : table(rows))
  if (rows.length === 0) throw new StepFailed(`bench ${name} measured nothing`)
  process.exitCode = values.check && !rows.every(isMet) ? 1 : 0
}
