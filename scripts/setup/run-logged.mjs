import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { logPath } from './paths.mjs'
import { StepFailed } from './step.mjs'

const groups = new Set()

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch {
    // Already gone.
  }
}

process.on('exit', () => {
  for (const pid of groups) killGroup(pid, 'SIGKILL')
})
// A program that has its own way to stop listens as well; then it decides when the process ends.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.on(signal, () => {
    for (const pid of groups) killGroup(pid, 'SIGTERM')
    if (process.listenerCount(signal) === 1) process.exit(code)
  })
}

/**
 * Runs a command with its output in `.tenure/logs/<log>.log`. It gets a process group of its own, so
 * that its workers (next build has some) are stopped with it.
 */
export async function runLogged(command, args, { log, cwd, env, remedy }) {
  const file = logPath(log)
  const fd = openSync(file, 'w')
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', fd, fd] })
  closeSync(fd)
  if (child.pid) groups.add(child.pid)
  const end = await new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  if (child.pid) {
    killGroup(child.pid, 'SIGKILL')
    groups.delete(child.pid)
  }
  if (end === 0) return
  const tail = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-8).join('\n')
  throw new StepFailed(
    [`${[command, ...args].join(' ')} ended with ${end}`, tail, remedy].filter(Boolean).join('\n'),
    file,
  )
}
