/** Two hundred viewers and a hundred changes a second: how late they are, and what the server needs for it. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Dashboard, startDashboard } from '../../../e2e/harness/dashboard.ts'
import { startEtcd } from '../../../e2e/harness/etcd.ts'
import { connect, type Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { type FleetElection, fillFleet } from '../live/fleet.ts'
import { note, percentile, round } from '../live/numbers.ts'
import { atMost, atMostTimes, type Row } from '../support/row.ts'
import { meter } from './cpu.ts'
import { openViewers, type Tally } from './open-viewers.ts'
import { rawWatch } from './raw-watch-process.ts'
import { writeChanges } from './writer.ts'

const UNDER = '/bench/load/viewed/'
const ELECTIONS = 200
const VIEWERS = 200
const PROCESSES = 2
const PER_S = 100
/** Hub frames to all viewers together, as docs/performance.md promises; and a heartbeat a second each. */
const FRAMES_PER_S = 3_000
const LAST_FRAMES_MS = 2_000
const ALONE_MS = 6_000

interface Scene {
  dashboard: Dashboard
  endpoint: string
  client: Etcd3
  fleet: readonly FleetElection[]
  seconds: number
}

interface Outcome {
  /** By mark: of every viewer, and of a raw watch. */
  lagMs: number[][]
  rawLagMs: number[]
  tally: Tally
  cores: number
  seconds: number
}

async function run({ dashboard, endpoint, client, fleet, seconds }: Scene): Promise<Outcome> {
  const count = seconds * PER_S
  const viewers = await openViewers({ port: dashboard.port, viewers: VIEWERS, marks: count, processes: PROCESSES })
  const raw = await rawWatch({ endpoint, prefix: UNDER, revision: '0', marks: count })
  try {
    await pause(2_000)
    await viewers.count()
    const stop = meter([dashboard.pid])
    const startedMs = performance.now()
    const acknowledgedMs = await writeChanges(client, fleet, { perS: PER_S, count })
    const { cores } = stop()
    const tookS = (performance.now() - startedMs) / 1_000
    await pause(LAST_FRAMES_MS)
    const { tally, seenMs } = await viewers.stop()
    await raw.lastSeenMs()
    const rawTimes = await raw.times()
    const since = (mark: number, atMs: number | undefined) => (atMs ?? Number.NaN) - (acknowledgedMs[mark] ?? 0)
    return {
      lagMs: seenMs.map((times, mark) => times.map((atMs) => since(mark, atMs))),
      rawLagMs: acknowledgedMs.map((_, mark) => since(mark, rawTimes[mark])),
      tally,
      cores,
      seconds: tookS,
    }
  } finally {
    await raw.kill()
    await viewers.kill()
  }
}

/** The same changes with nobody looking. */
async function coresAlone({ dashboard, client, fleet }: Scene): Promise<number> {
  const stop = meter([dashboard.pid])
  await writeChanges(client, fleet, { perS: PER_S, count: (ALONE_MS / 1_000) * PER_S })
  return stop().cores
}

/** NaN (a viewer that never saw it) makes the row one that was not measured. */
const p99 = (values: readonly number[]) => (values.some(Number.isNaN) ? Number.NaN : percentile(values, 0.99))

function rowsOf({ lagMs, rawLagMs, tally, cores, seconds }: Outcome, alone: number): Row[] {
  const third = Math.floor(lagMs.length / 3)
  const all = lagMs.flat()
  const missing = all.filter(Number.isNaN).length
  const tookS = seconds + LAST_FRAMES_MS / 1_000
  const kbPerFrame = tally.bytes / tally.frames / 1_000
  note(
    `lag p50 ${round(percentile(all, 0.5))}, worst ${round(Math.max(...[0, 0.999, 1].map((x) => percentile(all, x))))} ms; never seen ${missing}`,
  )
  note(
    `snapshots for viewers behind: ${tally.snapshots}; streams that ended: ${tally.ended}; ${round(kbPerFrame)} kB a frame`,
  )
  const what = `${VIEWERS} viewers × ${PER_S} changes/s`
  return [
    { name: `${what}: put → viewer, p99`, value: p99(all), unit: 'ms', reference: p99(rawLagMs), reach: atMost(500) },
    { name: `${what}: server`, value: cores, unit: 'cores', reference: alone, reach: atMost(0.6) },
    {
      name: `${what}: p99 of the last third against the first`,
      value: p99(lagMs.slice(-third).flat()),
      unit: 'ms',
      reference: p99(lagMs.slice(0, third).flat()),
      reach: atMostTimes(1.5),
    },
    {
      name: `${what}: frames per viewer`,
      value: tally.frames / VIEWERS / tookS,
      unit: '/s',
      reference: PER_S,
      reach: atMost(FRAMES_PER_S / VIEWERS + 1.5),
    },
  ]
}

export async function* manyViewersRows(): AsyncGenerator<Row> {
  const etcd = await startEtcd()
  const client = connect(etcd.endpoints)
  try {
    const fleet = await fillFleet(client, { under: UNDER, elections: ELECTIONS, candidates: 2 })
    const dashboard = await startDashboard({ endpoints: etcd.endpoints, watch: [UNDER] })
    try {
      const seconds = process.env.TENURE_BENCH_LONG === '1' ? 60 : 30
      const scene = { dashboard, endpoint: etcd.endpoints[0] ?? '', client, fleet, seconds }
      await pause(2_000)
      const alone = await coresAlone(scene)
      yield* rowsOf(await run(scene), alone)
    } finally {
      await dashboard.stop()
    }
  } finally {
    client.close()
    await etcd.stop()
  }
}
