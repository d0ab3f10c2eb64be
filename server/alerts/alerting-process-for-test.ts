/** Tenure without its pages, as a process that can be killed: started with its configuration as one argument. */
import pino from 'pino'
import { configSchema } from '../config/schema.ts'
import { startRuntime } from '../runtime.ts'

const config = configSchema.parse(JSON.parse(process.argv[2] ?? ''))
const runtime = await startRuntime(config, process.cwd(), pino({ level: 'silent' }))
const view = runtime.watchers.get('test')?.elections.view
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Says once that it sees, and then who leads whenever another one does. */
const said = new Set<string>()
setInterval(() => {
  if (view?.info.freshness !== 'live') return
  const lines = [...view.elections.values()].map((state) => `${view.nameOf(state)} is led by ${state.term?.token}`)
  for (const line of ['live', ...lines]) {
    if (!said.has(line)) say(line)
    said.add(line)
  }
}, 20)
process.on('SIGTERM', () => void runtime.stop().then(() => process.exit(0)))
