/** First list request → snapshot served, beside `etcdctl get --prefix` of the same range. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Dashboard, startDashboard } from '../../../e2e/harness/dashboard.ts'
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import { envWithoutEtcd } from '../../../e2e/harness/etcd-member.ts'
import { freePort } from '../../../e2e/harness/ports.ts'
import { median } from '../support/median.ts'
import { atMostTimes, type Row } from '../support/row.ts'
import { firstSnapshot } from './first-snapshot.ts'
import { note, round } from './numbers.ts'

const STARTS = 3
const GETS = 5

/** The whole life of the process, its output thrown away. */
async function getWithEtcdctl({ binaries, endpoints }: EtcdCluster, prefix: string): Promise<number> {
  const args = [`--endpoints=${endpoints.join(',')}`, 'get', '--prefix', prefix]
  const startedMs = performance.now()
  const child = spawn(binaries.etcdctl, args, { stdio: 'ignore', env: envWithoutEtcd() })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`etcdctl get ended with ${code}`)
  return performance.now() - startedMs
}

interface Listed {
  time: string
  ms: number
  msg: string
}

/** The server logs its first listing with the time it took. */
async function firstListing({ log }: Dashboard): Promise<Listed> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const lines = log()
      .split('\n')
      .filter((line) => line.endsWith('}'))
    const listed = lines.map((line): Listed => JSON.parse(line)).find(({ msg }) => msg === 'listed')
    if (listed !== undefined) return listed
    await pause(100)
  }
  throw new Error('the server did not log its first listing')
}

export interface ColdStart {
  dashboard: Dashboard
  servedMs: number
  listedMs: number
}

/** Starts a server for which a viewer waits already. */
export async function startCold(endpoints: readonly string[], watch: string, elections: number): Promise<ColdStart> {
  const port = await freePort()
  const snapshot = firstSnapshot(`http://127.0.0.1:${port}`, elections)
  const dashboard = await startDashboard({ endpoints, watch: [watch], port })
  try {
    const snapshotMs = await snapshot
    const { time, ms } = await firstListing(dashboard)
    return { dashboard, servedMs: snapshotMs - (Date.parse(time) - ms), listedMs: ms }
  } catch (error) {
    await dashboard.stop()
    throw error
  }
}

/** The last server of the row goes on, for what is measured next. */
export async function coldStartRow(
  etcd: EtcdCluster,
  watch: string,
  elections: number,
): Promise<{ row: Row; dashboard: Dashboard }> {
  const gets: number[] = []
  const starts: ColdStart[] = []
  for (let turn = 0; turn < GETS; turn += 1) gets.push(await getWithEtcdctl(etcd, watch))
  for (let turn = 0; turn < STARTS; turn += 1) {
    await starts.at(-1)?.dashboard.stop()
    starts.push(await startCold(etcd.endpoints, watch, elections))
  }
  const all = (values: number[]) => values.map(round).join(', ')
  note(`etcdctl get: ${all(gets)} ms`)
  note(
    `served: ${all(starts.map(({ servedMs }) => servedMs))} ms, of which listing ${all(starts.map(({ listedMs }) => listedMs))} ms`,
  )
  const dashboard = starts.at(-1)?.dashboard
  if (dashboard === undefined) throw new Error('nothing was started')
  const row: Row = {
    name: 'cold start, 10,000 elections: first list request → snapshot served',
    value: median(starts.map(({ servedMs }) => servedMs)),
    unit: 'ms',
    reference: median(gets),
    reach: atMostTimes(5),
  }
  return { row, dashboard }
}
