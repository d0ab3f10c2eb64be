export const rootDir: string
export const workDir: string
export const logsDir: string
export function logPath(name: string): string
