export interface LoggedRun {
  /** Name of the log file in `.tenure/logs`, without the extension. */
  log: string
  cwd?: string
  env?: NodeJS.ProcessEnv
  remedy?: string
}
export function runLogged(command: string, args: readonly string[], options: LoggedRun): Promise<void>
