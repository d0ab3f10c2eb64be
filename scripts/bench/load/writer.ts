/** Marked changes at a steady rate: proclaims of leaders, one election after the other. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import type { FleetElection } from '../live/fleet.ts'
import { markOf, sharedMs } from './marks.ts'

export interface Pace {
  perS: number
  count: number
}

/** When etcd acknowledged each change, by its mark. */
export async function writeChanges(
  client: Etcd3,
  fleet: readonly FleetElection[],
  { perS, count }: Pace,
): Promise<number[]> {
  const acknowledgedMs: number[] = []
  const puts: Promise<void>[] = []
  const put = async (mark: number) => {
    const leader = fleet[mark % fleet.length]?.candidates[0]
    if (leader === undefined) throw new Error('no leader')
    const value = Buffer.from(`${leader.identity} ${markOf(mark)}`)
    await client.kv.put({ key: Buffer.from(leader.key), value, lease: leader.lease })
    acknowledgedMs[mark] = sharedMs()
  }
  const startedMs = performance.now()
  for (let mark = 0; mark < count; mark += 1) {
    puts.push(put(mark))
    const dueMs = startedMs + ((mark + 1) * 1_000) / perS
    await pause(Math.max(0, dueMs - performance.now()))
  }
  await Promise.all(puts)
  return acknowledgedMs
}
