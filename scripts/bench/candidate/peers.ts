/** The three that are compared: workers of one kind each, all telling the same lines on the same clock. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ElectedWorker, spawnElectedWorker, type WorkerPlan } from '../../../e2e/harness/elected-worker.ts'
import { workDir } from '../../setup/paths.mjs'
import { note } from '../live/numbers.ts'

export interface Peer {
  name: 'tenure' | 'Go' | 'npm'
  /** What it runs by; left out for the library's own worker. */
  command?: readonly [string, ...string[]]
}

export const tenure: Peer = { name: 'tenure' }
export const npm: Peer = { name: 'npm', command: [process.execPath, join(import.meta.dirname, 'npm-peer.ts')] }

const goSource = join(import.meta.dirname, 'go-peer')
const goBinary = join(workDir, 'go-peer')

/** Null, with the reason noted, where there is no Go or its modules cannot be fetched. */
export async function goPeer(): Promise<Peer | null> {
  const peer: Peer = { name: 'Go', command: [goBinary] }
  if (existsSync(goBinary)) return peer
  mkdirSync(workDir, { recursive: true })
  note('building the Go peer (once)')
  try {
    await promisify(execFile)('go', ['build', '-o', goBinary, '.'], { cwd: goSource, timeout: 600_000 })
    return peer
  } catch (error) {
    note(`without Go as a peer: ${(error as Error).message.split('\n')[0]}`)
    return null
  }
}

export function spawnPeer({ command }: Peer, plan: WorkerPlan): ElectedWorker {
  return spawnElectedWorker(plan, { ...(command ? { command } : {}) })
}

/** Two or more workers of a kind in one queue, the first of them leading. */
export async function enterAll(peer: Peer, plans: readonly WorkerPlan[]): Promise<ElectedWorker[]> {
  const workers = plans.map((plan) => spawnPeer(peer, plan))
  for (const worker of workers) await worker.first('ready', { withinMs: 60_000 })
  for (const [at, worker] of workers.entries()) {
    worker.order({ do: 'enter' })
    await worker.first(at === 0 ? 'leading' : 'state', { withinMs: 60_000 })
  }
  return workers
}
