/** What the dashboard costs the candidates that it watches, and etcd. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Dashboard, startDashboard } from '../../../e2e/harness/dashboard.ts'
import { type EtcdCluster, startEtcd } from '../../../e2e/harness/etcd.ts'
import { note, round } from '../live/numbers.ts'
import { median } from '../support/median.ts'
import { atMostTimes, type Row } from '../support/row.ts'
import { type Child, startChild } from './child.ts'
import { meter } from './cpu.ts'
import { openViewers } from './open-viewers.ts'

const UNDER = '/bench/load/renewing/'
const ELECTIONS = 200
const EACH = 5
const TTL_S = 10
const PAIRS = 5
const WINDOW_MS = 10_000
const SETTLE_MS = 2_000
const TABS = 5
const ROWS_ON_SCREEN = 30
const VIEWING_EVERY_MS = 5_000

interface Renewals {
  count: number
  p50: number
  p99: number
  max: number
  late: number
}

interface Window {
  renewals: Renewals
  etcdCores: number
}

async function measure(candidates: Child, pids: readonly number[]): Promise<Window> {
  await pause(SETTLE_MS)
  candidates.tell('count')
  await candidates.next('count')
  const stop = meter(pids)
  await pause(WINDOW_MS)
  const { cores: etcdCores } = stop()
  candidates.tell('report')
  return { renewals: await candidates.next<Renewals>('report'), etcdCores }
}

/** As five tabs do: the elections on the screen are looked up first. */
function lookAtSome(dashboard: Dashboard): { stop(): void } {
  const api = `${dashboard.url}/api/trpc`
  const headers = { 'Content-Type': 'application/json' }
  const look = async () => {
    const input = encodeURIComponent(JSON.stringify({ cluster: 'test', limit: ROWS_ON_SCREEN }))
    const answer = (await (await fetch(`${api}/elections.list?input=${input}`)).json()) as {
      result: { data: { elections: { ref: string }[] } }
    }
    const refs = answer.result.data.elections.slice(0, ROWS_ON_SCREEN).map(({ ref }) => ref)
    const body = JSON.stringify({ cluster: 'test', refs })
    for (let tab = 0; tab < TABS; tab += 1) {
      await (await fetch(`${api}/live.viewing`, { method: 'POST', headers, body })).text()
    }
  }
  const report = (error: Error) => note(`live.viewing: ${error.message}`)
  void look().catch(report)
  const timer = setInterval(() => void look().catch(report), VIEWING_EVERY_MS)
  return { stop: () => clearInterval(timer) }
}

async function withDashboard(etcd: EtcdCluster, work: () => Promise<Window>): Promise<Window> {
  const dashboard = await startDashboard({ endpoints: etcd.endpoints, watch: [UNDER] })
  try {
    const viewers = await openViewers({ port: dashboard.port, viewers: TABS, marks: 1, processes: 1 })
    const looking = lookAtSome(dashboard)
    try {
      return await work()
    } finally {
      looking.stop()
      await viewers.kill()
    }
  } finally {
    await dashboard.stop()
  }
}

function tellOf(what: string, { renewals, etcdCores }: Window): string {
  const { count, p50, p99, max, late } = renewals
  return `${what}: ${round(count / (WINDOW_MS / 1_000))}/s, p50 ${round(p50)}, p99 ${round(p99)}, max ${round(max)} ms, late ${late}; etcd ${etcdCores.toFixed(3)} cores`
}

export async function* keepAliveRows(): AsyncGenerator<Row> {
  const etcd = await startEtcd({ members: 3 })
  const candidates = startChild('candidates.ts', [etcd.endpoints.join(','), UNDER, ELECTIONS, EACH, TTL_S])
  try {
    await candidates.next('ready', 60_000)
    const pids = etcd.members.map(({ pid }) => pid)
    const off: Window[] = []
    const on: Window[] = []
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const offNow = await measure(candidates, pids)
      const onNow = await withDashboard(etcd, () => measure(candidates, pids))
      note(`pair ${pair + 1}, ${tellOf('off', offNow)}`)
      note(`pair ${pair + 1}, ${tellOf('on', onNow)}`)
      off.push(offNow)
      on.push(onNow)
    }
    const of = (windows: readonly Window[], pick: (window: Window) => number) => median(windows.map(pick))
    yield {
      name: 'keep-alive p99 of 1,000 candidates, dashboard on',
      value: of(on, ({ renewals }) => renewals.p99),
      unit: 'ms',
      reference: of(off, ({ renewals }) => renewals.p99),
      reach: atMostTimes(2),
    }
    yield {
      name: 'processor time of the three etcd members, dashboard on',
      value: of(on, ({ etcdCores }) => etcdCores),
      unit: 'cores',
      reference: of(off, ({ etcdCores }) => etcdCores),
      reach: atMostTimes(1.15),
    }
  } finally {
    await candidates.kill()
    await etcd.stop()
  }
}
