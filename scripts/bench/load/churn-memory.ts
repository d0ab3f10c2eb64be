/** What a minute of churn leaves behind in the server. */
import { setTimeout as pause } from 'node:timers/promises'
import { startDashboard } from '../../../e2e/harness/dashboard.ts'
import { startEtcd } from '../../../e2e/harness/etcd.ts'
import { connect, type Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { type FleetElection, fillFleet } from '../live/fleet.ts'
import { settledMb } from '../live/memory.ts'
import { note } from '../live/numbers.ts'
import { atMostTimes, type Row } from '../support/row.ts'
import { openViewers } from './open-viewers.ts'

const UNDER = '/bench/load/churn/'
const ELECTIONS = 500
const CANDIDATES = 3
const VIEWERS = 5
const PER_S = 100
/** Every so many turns the leader goes and queues again: two changes. The other turns are proclaims. */
const HANDOVER_EVERY = 4
const SETTLE_MS = 10_000

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
  const value = Buffer.from(`${leader.identity} ${turn}`)
  await client.kv.put({ key: Buffer.from(leader.key), value, lease: leader.lease })
}

async function churn(client: Etcd3, fleet: readonly FleetElection[], seconds: number): Promise<number> {
  const running: Promise<void>[] = []
  const startedMs = performance.now()
  let handovers = 0
  for (let turn = 0, changes = 0; changes < seconds * PER_S; turn += 1) {
    const election = fleet[turn % fleet.length]
    if (election === undefined) throw new Error('no election')
    const handsOver = turn % HANDOVER_EVERY === 0
    changes += handsOver ? 2 : 1
    if (handsOver) handovers += 1
    running.push(handsOver ? handOver(client, election) : proclaim(client, election, turn))
    const dueMs = startedMs + (changes * 1_000) / PER_S
    await pause(Math.max(0, dueMs - performance.now()))
  }
  await Promise.all(running)
  return handovers
}

export async function* churnMemoryRows(): AsyncGenerator<Row> {
  const seconds = process.env.TENURE_BENCH_LONG === '1' ? 600 : 50
  const etcd = await startEtcd()
  const client = connect(etcd.endpoints)
  try {
    const fleet = await fillFleet(client, { under: UNDER, elections: ELECTIONS, candidates: CANDIDATES })
    const dashboard = await startDashboard({ endpoints: etcd.endpoints, watch: [UNDER] })
    try {
      const viewers = await openViewers({ port: dashboard.port, viewers: VIEWERS, marks: 1, processes: 1 })
      try {
        const before = await settledMb(dashboard.pid, SETTLE_MS)
        const handovers = await churn(client, fleet, seconds)
        note(`${seconds} s of ${PER_S} changes/s, ${handovers} handovers`)
        const after = await settledMb(dashboard.pid, SETTLE_MS)
        const name = 'server memory after a minute of churn'
        yield { name, value: after, unit: 'MB', reference: before, reach: atMostTimes(1.2) }
      } finally {
        await viewers.kill()
      }
    } finally {
      await dashboard.stop()
    }
  } finally {
    client.close()
    await etcd.stop()
  }
}
