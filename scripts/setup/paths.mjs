import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const rootDir = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const workDir = join(rootDir, '.tenure')
export const logsDir = join(workDir, 'logs')

/** The path of a log file in `.tenure/logs`, whose folder is made when missing. */
export function logPath(name) {
  mkdirSync(logsDir, { recursive: true })
  return join(logsDir, `${name}.log`)
}
