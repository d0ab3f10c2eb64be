import { resolve } from 'node:path'
import { ConfigError, loadConfig } from '../../server/config/load-config.ts'
import { takeEnvironment } from '../../server/config/process-environment.ts'
import { rootDir } from './paths.mjs'
import { StepFailed } from './step.mjs'

/** What `--data` names, or else the configuration. `usage` is told where that cannot be read. */
export function dataFolder(named: string | undefined, usage: string): string {
  if (named !== undefined) return resolve(named)
  try {
    return resolve(rootDir, loadConfig(takeEnvironment(), rootDir).data)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new StepFailed(`The configuration cannot be read, so name the data folder with --data.\n\n${usage}`)
  }
}
