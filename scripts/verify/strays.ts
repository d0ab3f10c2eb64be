import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const marker = `TENURE_VERIFY_RUN=${randomUUID()}`
const graceMs = 2_000

export interface Stray {
  pid: number
  command: string
}

/** Put into the environment of everything that is started, so that also an orphan is recognised as ours. */
export function markerEnv(): Record<string, string> {
  const [name = '', value = ''] = marker.split('=')
  return { [name]: value }
}

function marked(): Stray[] {
  const found: Stray[] = []
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0')
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      if (environment.includes(marker) && command !== '') found.push({ pid: Number(name), command })
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
  return found
}

/** What the run started and what is still there after a moment; it is killed. Linux only: needs /proc. */
export async function killStrays(): Promise<Stray[]> {
  if (process.platform !== 'linux') return []
  const giveUpAt = performance.now() + graceMs
  while (marked().length > 0 && performance.now() < giveUpAt) await pause(100)
  const strays = marked()
  for (const { pid } of strays) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended meanwhile.
    }
  }
  return strays
}
