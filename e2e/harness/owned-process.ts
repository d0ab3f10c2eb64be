import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'

export interface OwnedProcess {
  readonly pid: number
  /** Settles when the process has ended: its exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>
  isRunning(): boolean
  /** Writes one line to its standard input (spawned with `stdin: 'pipe'` only). */
  writeLine(line: string): void
  freeze(): void
  thaw(): void
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>
  /** SIGTERM, and SIGKILL when it is not gone in time. */
  stop(graceMs?: number): Promise<void>
}

export interface SpawnOptions {
  env?: NodeJS.ProcessEnv
  cwd?: string
  stdin?: 'pipe' | 'ignore'
  /** Standard output line by line; without it, output goes to the log file. */
  onLine?: (line: string) => void
  /** Output is appended here; without it, it is dropped. */
  logFile?: string
  /** Output goes where ours goes. */
  showOutput?: boolean
}

const live = new Set<number>()
process.on('exit', () => {
  for (const pid of live) signalGroup(pid, 'SIGKILL')
})

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // Already gone.
  }
}

const hasSetpriv = (() => {
  try {
    return execFileSync('setpriv', ['--help'], { encoding: 'utf8' }).includes('--pdeathsig')
  } catch {
    return false
  }
})()

/** Without setpriv: a shell that reads until our end of the pipe closes, however we end, and then kills. */
function startWatchdog(pid: number): ChildProcess {
  const script = `cat >/dev/null; kill -KILL -${pid}`
  const watchdog = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  watchdog.unref()
  return watchdog
}

type Stdio = ('pipe' | 'ignore' | 'inherit' | number)[]

function openStdio(options: SpawnOptions): { stdio: Stdio; close: () => void } {
  if (options.showOutput) return { stdio: [options.stdin ?? 'ignore', 'inherit', 'inherit'], close: () => {} }
  const log = options.logFile === undefined ? undefined : openSync(options.logFile, 'a')
  return {
    stdio: [options.stdin ?? 'ignore', options.onLine ? 'pipe' : (log ?? 'ignore'), log ?? 'ignore'],
    close: () => {
      if (log !== undefined) closeSync(log)
    },
  }
}

/** Settles after the given time or when the promise does, whichever is first; says which it was. */
export async function within(waitMs: number, promise: Promise<unknown>): Promise<boolean> {
  const { promise: timeout, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), waitMs)
  const inTime = await Promise.race([promise.then(() => true), timeout])
  clearTimeout(timer)
  return inTime
}

/**
 * Starts a process that cannot outlive this one: it has a group of its own (Ctrl-C in a terminal does
 * not reach it before us), is killed when we exit, and by the kernel or a watchdog when we are killed.
 */
export function spawnOwned(command: string, args: readonly string[], options: SpawnOptions = {}): OwnedProcess {
  const { stdio, close } = openStdio(options)
  const [file, fileArgs] = hasSetpriv
    ? ['setpriv', ['--pdeathsig', 'KILL', '--', command, ...args]]
    : [command, [...args]]
  const child = spawn(file, fileArgs, { cwd: options.cwd, env: options.env, detached: true, stdio })
  close()
  const { pid } = child
  if (pid === undefined) {
    child.once('error', () => {})
    throw new Error(`${command} could not be started`)
  }
  live.add(pid)
  const watchdog = hasSetpriv ? undefined : startWatchdog(pid)
  child.stdin?.on('error', () => {}) // It may end while we write; `exited` tells.
  if (options.onLine && child.stdout) createInterface({ input: child.stdout }).on('line', options.onLine)
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('exit', (code, signal) => {
      signalGroup(pid, 'SIGKILL')
      live.delete(pid)
      watchdog?.kill('SIGKILL')
      resolve(code ?? signal ?? 'SIGKILL')
    })
  })
  return controls(child, pid, exited)
}

function controls(child: ChildProcess, pid: number, exited: OwnedProcess['exited']): OwnedProcess {
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const send = (signal: NodeJS.Signals) => {
    if (isRunning()) signalGroup(pid, signal)
  }
  const kill = async () => {
    send('SIGKILL')
    await exited
  }
  return {
    pid,
    exited,
    isRunning,
    writeLine: (line) => void child.stdin?.write(`${line}\n`),
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    kill,
    stop: async (graceMs = 5_000) => {
      send('SIGTERM')
      send('SIGCONT') // A frozen process would keep SIGTERM pending.
      if (!(await within(graceMs, exited))) await kill()
    },
  }
}
