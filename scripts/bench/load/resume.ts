/** A cut of ten seconds in which twenty thousand events are missed: how long until all of them are shown. */
import { setTimeout as pause } from 'node:timers/promises'
import { startDashboard } from '../../../e2e/harness/dashboard.ts'
import { startEtcd } from '../../../e2e/harness/etcd.ts'
import { type NetworkProxy, startProxy } from '../../../e2e/harness/proxy.ts'
import { connect, type Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { type FleetElection, fillFleet } from '../live/fleet.ts'
import { note, round } from '../live/numbers.ts'
import { median } from '../support/median.ts'
import { atMostTimes, type Row } from '../support/row.ts'
import { markOf, sharedMs } from './marks.ts'
import { openViewers, type Viewers } from './open-viewers.ts'
import { rawWatch } from './raw-watch-process.ts'

const UNDER = '/bench/load/cut/'
const ELECTIONS = 500
const ROUNDS = 3
const EVENTS = 20_000
const IN_FLIGHT = 64
const CUT_MS = 10_000
const RESUMED_WITHIN_MS = 60_000

interface Scene {
  client: Etcd3
  fleet: readonly FleetElection[]
  proxy: NetworkProxy
  viewers: Viewers
}

async function proclaim({ client, fleet }: Scene, at: number, mark: number): Promise<string> {
  const leader = fleet[at % fleet.length]?.candidates[0]
  if (leader === undefined) throw new Error('no leader')
  const value = Buffer.from(`${leader.identity} ${markOf(mark)}`)
  const { header } = await client.kv.put({ key: Buffer.from(leader.key), value, lease: leader.lease })
  return header.revision
}

/** One revision each, as candidates make them; resolves to the first one. */
async function writeEvents(scene: Scene, firstMark: number): Promise<string> {
  const first = await proclaim(scene, 0, firstMark)
  let next = 1
  const lane = async () => {
    while (next < EVENTS - 1) {
      const at = next
      next += 1
      await proclaim(scene, at, firstMark + at)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  // Alone, so that it is the last.
  await proclaim(scene, EVENTS - 1, firstMark + EVENTS - 1)
  return first
}

/** Connections are reset, and new ones too, until the cut is over. */
async function cutOnce(scene: Scene, firstMark: number): Promise<{ tenureMs: number; rawMs: number }> {
  const { proxy, viewers } = scene
  const endsMs = performance.now() + CUT_MS
  await proxy.setMode('reset')
  const revision = await writeEvents(scene, firstMark)
  await pause(Math.max(0, endsMs - performance.now()))
  const lateMs = performance.now() - endsMs
  if (lateMs > 1_000) note(`the cut lasted ${round(lateMs)} ms longer: etcd was slow`)
  const healedMs = sharedMs()
  await proxy.setMode('pass')
  const { seenMs, liveMs } = await viewers.reached(firstMark + EVENTS - 1, RESUMED_WITHIN_MS)
  note(`healed → last event seen ${round(seenMs - healedMs)} ms, live ${round(liveMs - healedMs)} ms`)
  const raw = await rawWatch({ endpoint: proxy.endpoint, prefix: UNDER, revision, marks: firstMark + EVENTS })
  try {
    return { tenureMs: Math.max(seenMs, liveMs) - healedMs, rawMs: await raw.lastSeenMs() }
  } finally {
    await raw.kill()
  }
}

async function* rounds(scene: Scene): AsyncGenerator<Row> {
  const results: { tenureMs: number; rawMs: number }[] = []
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const result = await cutOnce(scene, turn * EVENTS)
    note(`healed → current ${round(result.tenureMs)} ms; raw watch ${round(result.rawMs)} ms`)
    results.push(result)
    await pause(2_000)
  }
  const { seenMs, tally } = await scene.viewers.stop()
  const missing = seenMs.filter(([atMs]) => atMs === undefined || Number.isNaN(atMs)).length
  note(`events that the viewer never saw by themselves: ${missing}; snapshots for it: ${tally.snapshots}`)
  yield {
    name: `10 s cut, ${EVENTS.toLocaleString('en-US')} events missed: healed → current`,
    value: median(results.map(({ tenureMs }) => tenureMs)),
    unit: 'ms',
    reference: median(results.map(({ rawMs }) => rawMs)),
    reach: atMostTimes(3),
  }
}

export async function* resumeRows(): AsyncGenerator<Row> {
  const etcd = await startEtcd()
  const client = connect(etcd.endpoints)
  const proxy = await startProxy({ target: etcd.endpoints[0] ?? '' })
  try {
    const fleet = await fillFleet(client, { under: UNDER, elections: ELECTIONS, candidates: 2 })
    const dashboard = await startDashboard({ endpoints: [proxy.endpoint], watch: [UNDER] })
    try {
      const marks = ROUNDS * EVENTS
      const viewers = await openViewers({ port: dashboard.port, viewers: 1, marks, processes: 1 })
      try {
        await viewers.count()
        await pause(2_000)
        yield* rounds({ client, fleet, proxy, viewers })
      } finally {
        await viewers.kill()
      }
    } finally {
      await dashboard.stop()
    }
  } finally {
    await proxy.stop()
    client.close()
    await etcd.stop()
  }
}
