/** Changes at a steady rate until told to stop: proclaims, and a handover now and then. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import type { FleetElection } from '../live/fleet.ts'

const PER_S = 50
/** Every ten seconds: what a term leaves is kept for an hour by design, and would hide what should not be kept. */
const HANDOVER_EVERY = 10 * PER_S
/** Every second change goes to one of these, so that rows on the screen and the open election change. */
const FIRST = 20

async function handOver(client: Etcd3, { candidates }: FleetElection): Promise<void> {
  const leader = candidates.shift()
  if (leader === undefined) throw new Error('no leader')
  const key = Buffer.from(leader.key)
  await client.kv.deleteRange({ key })
  candidates.push(leader)
  await client.kv.put({ key, value: Buffer.from(leader.identity), lease: leader.lease })
}

async function proclaim(client: Etcd3, { candidates: [leader] }: FleetElection, turn: number): Promise<void> {
  if (leader === undefined) throw new Error('no leader')
  const value = Buffer.from(`${leader.identity} ${String(turn).padStart(6, '0')}`)
  await client.kv.put({ key: Buffer.from(leader.key), value, lease: leader.lease })
}

/** Resolves with the number of changes; rejects with the first that failed. */
export async function keepChanging(
  client: Etcd3,
  fleet: readonly FleetElection[],
  signal: AbortSignal,
): Promise<number> {
  const running = new Set<Promise<void>>()
  const startedMs = performance.now()
  let failure: unknown
  let turn = 0
  for (; !signal.aborted && failure === undefined; turn += 1) {
    const at = turn % 2 === 0 ? (turn >> 1) % FIRST : FIRST + ((turn >> 1) % (fleet.length - FIRST))
    const election = fleet[at]
    if (election === undefined) throw new Error('no election')
    const change =
      turn % HANDOVER_EVERY === HANDOVER_EVERY - 1 ? handOver(client, election) : proclaim(client, election, turn)
    const noted = change.catch((error: unknown) => {
      failure = error
    })
    running.add(noted)
    void noted.finally(() => running.delete(noted))
    await pause(Math.max(0, startedMs + ((turn + 1) * 1_000) / PER_S - performance.now()))
  }
  await Promise.all(running)
  if (failure !== undefined) throw failure
  return turn
}
