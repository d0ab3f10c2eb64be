/** The other processes of this bench: a line in ends a measurement, a line of JSON out is its result. */
import { join } from 'node:path'
import { type OwnedProcess, spawnOwned, within } from '../../../e2e/harness/owned-process.ts'
import { rootDir } from '../../setup/paths.mjs'

const ENDS_WITHIN_MS = 30_000

export interface Child {
  readonly pid: number
  /** The next line it has not been asked for yet. */
  next<T>(what: string, withinMs?: number): Promise<T>
  tell(line: string): void
  kill(): Promise<void>
}

/** Starts `scripts/bench/load/<name>`; its errors go to our standard error. */
export function startChild(name: string, args: readonly (string | number)[]): Child {
  const waiting: ((line: string) => void)[] = []
  const lines: string[] = []
  const onLine = (line: string) => {
    const take = waiting.shift()
    if (take) take(line)
    else lines.push(line)
  }
  const file = join(rootDir, 'scripts', 'bench', 'load', name)
  const owned: OwnedProcess = spawnOwned(process.execPath, [file, ...args.map(String)], { stdin: 'pipe', onLine })
  return {
    pid: owned.pid,
    tell: (line) => owned.writeLine(line),
    kill: () => owned.kill(),
    next: async <T>(what: string, withinMs = ENDS_WITHIN_MS) => {
      const told = lines.shift()
      if (told !== undefined) return JSON.parse(told) as T
      const line = new Promise<string>((resolve) => waiting.push(resolve))
      const ended = owned.exited.then((how) => Promise.reject(new Error(`${name} ended with ${how} before ${what}`)))
      ended.catch(() => {})
      if (!(await within(withinMs, Promise.race([line, ended])))) throw new Error(`${name}: no ${what} in time`)
      return JSON.parse(await line) as T
    },
  }
}

/** For the child: one line out. */
export function tell(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** For the child: the next line from the parent. */
export function told(): Promise<string> {
  return new Promise((resolve) => process.stdin.once('data', (chunk) => resolve(String(chunk).trim())))
}
