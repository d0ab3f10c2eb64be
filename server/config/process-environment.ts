/** The process's environment; nothing else in the server reads it. Next is told not to report home. */
export function takeEnvironment(): Readonly<Record<string, string | undefined>> {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  return process.env
}
