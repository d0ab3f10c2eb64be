/** Processor time of processes, their threads included, as the kernel counts it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ticksPerS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** User and system time so far, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold spaces: utime and stime are the 12th and 13th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / ticksPerS
}

/** `setpriv` executes the command in its own place, so a pid of ours is the program's. */
export function meter(pids: readonly number[]): () => { cores: number; seconds: number } {
  const cpu = cpuSeconds(pids)
  const startedMs = performance.now()
  return () => {
    const seconds = cpuSeconds(pids) - cpu
    return { seconds, cores: seconds / ((performance.now() - startedMs) / 1_000) }
  }
}
