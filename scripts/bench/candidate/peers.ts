/** The three that are compared: workers of one kind each, all telling the same lines on the same clock. */
import { join } from 'node:path'
import { type ElectedWorker, spawnElectedWorker, type WorkerPlan } from '../../../e2e/harness/elected-worker.ts'
import { buildGoPeer } from '../../../e2e/harness/go-peer.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import type { Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { note } from '../live/numbers.ts'

export interface Peer {
  name: 'tenure' | 'Go' | 'npm'
  /** What it runs by; left out for the library's own worker. */
  command?: readonly [string, ...string[]]
}

export const tenure: Peer = { name: 'tenure' }
export const npm: Peer = { name: 'npm', command: [process.execPath, join(import.meta.dirname, 'npm-peer.ts')] }

/** Null, with the reason noted, where there is no Go. */
export async function goPeer(): Promise<Peer | null> {
  note('building the Go peer')
  const built = await buildGoPeer()
  if ('command' in built) return { name: 'Go', command: built.command }
  note(`without Go as a peer: ${built.missing}`)
  return null
}

export function spawnPeer({ command }: Peer, plan: WorkerPlan): ElectedWorker {
  return spawnElectedWorker(plan, { ...(command ? { command } : {}) })
}

/** Where the candidates of an election have their keys. */
export function queueOf({ name }: Peer, election: string): { key: Buffer; range_end: Buffer } {
  const prefix = name === 'npm' ? `election/${election}` : election
  return { key: Buffer.from(`${prefix}/`), range_end: Buffer.from(`${prefix}0`) }
}

/** Two or more workers of a kind in one queue, the first of them leading. */
export async function enterAll(peer: Peer, plans: readonly WorkerPlan[], client: Etcd3): Promise<ElectedWorker[]> {
  const workers = plans.map((plan) => spawnPeer(peer, plan))
  for (const worker of workers) await worker.first('ready', { withinMs: 60_000 })
  for (const [at, worker] of workers.entries()) {
    worker.order({ do: 'enter' })
    const queue = { ...queueOf(peer, worker.plan.election), keys_only: true }
    await eventually('it is in the queue', async () => (await client.kv.range(queue)).kvs.length > at, 60_000)
  }
  await workers[0]?.first('leading', { withinMs: 60_000 })
  return workers
}
