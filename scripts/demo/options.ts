import { parseArgs } from 'node:util'
import { StepFailed } from '../setup/step.mjs'

export interface DemoOptions {
  port: number
  withDashboard: boolean
  printEnv: boolean
}

export const usage = `Usage: npm run demo -- [options]
  --port N         the dashboard's port (default $PORT or 3000; the next free one if taken)
  --no-dashboard   etcd and workers only
  --print-env      print the settings for a dashboard of your own
`

export function parseOptions(args: string[]): DemoOptions | 'help' {
  const options = {
    port: { type: 'string', default: process.env.PORT || '3000' },
    'no-dashboard': { type: 'boolean', default: false },
    'print-env': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const
  try {
    const { values } = parseArgs({ args, options })
    if (values.help) return 'help'
    const port = Number(values.port)
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${values.port} is no port number`)
    return { port, withDashboard: !values['no-dashboard'], printEnv: values['print-env'] }
  } catch (error) {
    throw new StepFailed(`${(error as Error).message}\n\n${usage}`)
  }
}
