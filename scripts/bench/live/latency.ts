/** etcd's acknowledgement of a put → the change painted in Chromium, beside `etcdctl watch` printing it. */
import { setTimeout as pause } from 'node:timers/promises'
import { startDashboard } from '../../../e2e/harness/dashboard.ts'
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import { envWithoutEtcd } from '../../../e2e/harness/etcd-member.ts'
import { spawnOwned } from '../../../e2e/harness/owned-process.ts'
import type { Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { atMostMore, type Row } from '../support/row.ts'
import { type Browser, startBrowser, type Tab } from './chromium.ts'
import { type FleetElection, fillFleet } from './fleet.ts'
import { note, percentile, round, wallMs } from './numbers.ts'
import { type PaintProbe, paintProbe } from './paint-probe.ts'

const UNDER = '/bench/live/'
const ELECTIONS = 1_000
const CHANGES_PER_S = 50
const RUN_MS = 20_000
const WARM_UP_MS = 3_000
const HIDDEN_TABS = 4
const MARK = /#\d{6}/

const markOf = (sequence: number) => `#${String(sequence).padStart(6, '0')}`

interface Change {
  mark: string
  election: FleetElection
  acknowledgedMs: number
  printedMs?: number
  paintedMs?: number
}

/** Puts over all elections, every second one to one that is on the screen; returns those on the screen. */
class Writer {
  private readonly client: Etcd3
  private readonly fleet: readonly FleetElection[]
  private sequence = 0

  constructor(client: Etcd3, fleet: readonly FleetElection[]) {
    this.client = client
    this.fleet = fleet
  }

  async run(onScreen: readonly FleetElection[], ms: number): Promise<Change[]> {
    const elsewhere = this.fleet.filter((election) => !onScreen.includes(election))
    const changes: Change[] = []
    const puts: Promise<void>[] = []
    const startedMs = performance.now()
    for (let turn = 0; turn < (ms / 1_000) * CHANGES_PER_S; turn += 1) {
      const shown = turn % 2 === 0
      const from = shown ? onScreen : elsewhere
      const election = from[(turn >> 1) % from.length]
      if (election === undefined) throw new Error('no election to change')
      puts.push(this.put(election, shown ? changes : null))
      const dueMs = startedMs + ((turn + 1) * 1_000) / CHANGES_PER_S
      await pause(Math.max(0, dueMs - performance.now()))
    }
    await Promise.all(puts)
    return changes
  }

  private async put(election: FleetElection, changes: Change[] | null): Promise<void> {
    const [leader] = election.candidates
    if (leader === undefined) throw new Error(`${election.name} has no candidate`)
    this.sequence += 1
    const mark = markOf(this.sequence)
    const value = Buffer.from(`${leader.identity} ${mark}`)
    await this.client.kv.put({ key: Buffer.from(leader.key), value, lease: leader.lease })
    changes?.push({ mark, election, acknowledgedMs: wallMs() })
  }
}

/** `etcdctl watch`: when it printed each mark. */
function watchWithEtcdctl({ binaries, endpoints }: EtcdCluster) {
  const printed = new Map<string, number>()
  const args = [`--endpoints=${endpoints.join(',')}`, 'watch', '--prefix', UNDER]
  const owned = spawnOwned(binaries.etcdctl, args, {
    env: envWithoutEtcd(),
    onLine: (line) => {
      const mark = MARK.exec(line)?.[0]
      if (mark !== undefined) printed.set(mark, wallMs())
    },
  })
  return { printed, stop: () => owned.kill() }
}

/** The elections whose rows are wholly on the screen. */
async function electionsOnScreen(tab: Tab, fleet: readonly FleetElection[]): Promise<FleetElection[]> {
  const names = await tab.evaluate<string[]>(`[...document.querySelectorAll('a[data-row]')].filter((link) => {
    const { top, bottom, left } = link.getBoundingClientRect()
    return top > 0 && bottom < innerHeight && link.closest('tr')?.contains(document.elementFromPoint(left + 4, (top + bottom) / 2))
  }).map((link) => link.textContent)`)
  return fleet.filter(({ name }) => names.includes(name))
}

/** A later change of the same row on the screen shows the earlier one's outcome as well: frames may skip values. */
function notePaintings(changes: readonly Change[], seen: PaintProbe['seen']): void {
  const paintedMs = new Map<string, number>()
  for (const [mark, atMs] of seen) paintedMs.set(mark, Math.min(atMs, paintedMs.get(mark) ?? Number.POSITIVE_INFINITY))
  const nextOf = new Map<FleetElection, number>()
  for (const change of changes.toReversed()) {
    const own = paintedMs.get(change.mark) ?? nextOf.get(change.election)
    if (own === undefined) continue
    change.paintedMs = own
    nextOf.set(change.election, own)
  }
}

/** How far the page's clock is from ours, at the most, from both sides of a question. */
async function clockOffset(tab: Tab): Promise<{ offsetMs: number; withinMs: number }> {
  let best = { offsetMs: 0, withinMs: Number.POSITIVE_INFINITY }
  for (let turn = 0; turn < 20; turn += 1) {
    const before = wallMs()
    const there = await tab.evaluate<number>('performance.timeOrigin + performance.now()')
    const after = wallMs()
    const withinMs = (after - before) / 2
    if (withinMs < best.withinMs) best = { offsetMs: there - (before + after) / 2, withinMs }
  }
  return best
}

interface Scene {
  writer: Writer
  fleet: readonly FleetElection[]
  printed: ReadonlyMap<string, number>
}

interface Latencies {
  painted: number[]
  printed: number[]
}

async function measure(tab: Tab, { writer, fleet, printed }: Scene): Promise<Latencies> {
  const clock = await clockOffset(tab)
  if (Math.abs(clock.offsetMs) > clock.withinMs + 1)
    note(`the page's clock is off by ${round(clock.offsetMs)} ms: corrected`)
  const onScreen = await electionsOnScreen(tab, fleet)
  if (onScreen.length < 5) throw new Error(`only ${onScreen.length} elections are on the screen`)
  await writer.run(onScreen, WARM_UP_MS)
  const changes = await writer.run(onScreen, RUN_MS)
  await pause(1_000)
  const seen = await tab.evaluate<PaintProbe['seen']>('tenureBench.seen')
  notePaintings(
    changes,
    seen.map(([mark, atMs]) => [mark, atMs - clock.offsetMs]),
  )
  for (const change of changes) change.printedMs = printed.get(change.mark)
  const lost = changes.filter(({ paintedMs, printedMs }) => paintedMs === undefined || printedMs === undefined)
  if (lost.length > 0) throw new Error(`${lost.length} of ${changes.length} changes were never painted or printed`)
  return {
    painted: changes.map(({ paintedMs = Number.NaN, acknowledgedMs }) => paintedMs - acknowledgedMs),
    printed: changes.map(({ printedMs = Number.NaN, acknowledgedMs }) => printedMs - acknowledgedMs),
  }
}

function rowOf(what: string, { painted, printed }: Latencies, share: number, extraMs: number): Row {
  return {
    name: `put → painted, ${what}, p${share * 100}`,
    value: percentile(painted, share),
    unit: 'ms',
    reference: percentile(printed, share),
    reach: atMostMore(extraMs),
  }
}

async function hiddenTabs(browser: Browser, url: string): Promise<Tab[]> {
  const tabs: Tab[] = []
  for (let at = 0; at < HIDDEN_TABS; at += 1) {
    const tab = await browser.open(url)
    await tab.until('document.querySelector("a[data-row]")', 'the list in a tab to hide')
    tabs.push(tab)
  }
  return tabs
}

async function statesOf(tabs: readonly Tab[]): Promise<string[]> {
  return Promise.all(tabs.map((tab) => tab.evaluate<string>('document.visibilityState')))
}

async function runInTabs(browser: Browser, url: string, scene: Scene): Promise<Row[]> {
  const tab = await browser.open(url, { script: paintProbe(MARK.source) })
  await tab.until('document.querySelector("a[data-row]")', 'the list')
  const alone = await measure(tab, scene)
  const behind = await hiddenTabs(browser, url)
  await tab.bringToFront()
  await pause(1_000)
  const states = await statesOf([tab, ...behind])
  if (states.join() !== `visible${',hidden'.repeat(HIDDEN_TABS)}`) throw new Error(`tabs are ${states.join(', ')}`)
  const crowded = await measure(tab, scene)
  return [
    rowOf('one tab', alone, 0.5, 30),
    rowOf('one tab', alone, 0.99, 60),
    rowOf('and four hidden tabs', crowded, 0.5, 30),
    rowOf('and four hidden tabs', crowded, 0.99, 150),
  ]
}

export async function* latencyRows(etcd: EtcdCluster, client: Etcd3): AsyncGenerator<Row> {
  const fleet = await fillFleet(client, { under: UNDER, elections: ELECTIONS, candidates: 2 })
  const dashboard = await startDashboard({ endpoints: etcd.endpoints, watch: [UNDER] })
  const watch = watchWithEtcdctl(etcd)
  try {
    const browser = await startBrowser()
    try {
      const writer = new Writer(client, fleet)
      yield* await runInTabs(browser, dashboard.url, { writer, fleet, printed: watch.printed })
    } finally {
      await browser.stop()
    }
  } finally {
    await watch.stop()
    await dashboard.stop()
  }
}
