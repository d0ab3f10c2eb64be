/** `npm run bench -- heap`: what an open page holds on to while etcd changes. What each row means: docs/performance.md. */
import { setTimeout as pause } from 'node:timers/promises'
import { startDashboard } from '../../e2e/harness/dashboard.ts'
import { startEtcd } from '../../e2e/harness/etcd.ts'
import { connect } from '../../e2e/harness/raw-etcd.ts'
import { refOf } from '../../lib/election/ids.ts'
import { buildWhenChanged } from '../setup/build.ts'
import { provideEtcd } from '../setup/find-etcd.ts'
import { keepChanging } from './heap/changes.ts'
import { type Sample, slopePercentPerMin } from './heap/slope.ts'
import { type Heap, heapOf } from './heap/used-heap.ts'
import { type Browser, startBrowser, type Tab } from './live/chromium.ts'
import { fillFleet } from './live/fleet.ts'
import { note, round } from './live/numbers.ts'
import { atMost, type BenchOptions, type Row } from './support/row.ts'

const UNDER = '/bench/heap/'
const ELECTIONS = 500
const MINUTES = 10
const WARM_UP_MS = 60_000
const EVERY_MS = 15_000
const LIMIT_PERCENT = 1
const MB = 1024 * 1024

interface Opened {
  tabs: Tab[]
  pages: Heap[]
  /** A tab that shows nothing: how much the measure itself wanders. */
  empty: Heap
}

/** Windows of their own, so that both pages are visible and work. */
async function openPages(browser: Browser, url: string, election: string): Promise<Opened> {
  const list = await browser.open(url, { ownWindow: true })
  await list.until('document.querySelector("a[data-row]")', 'the list')
  const page = await browser.open(`${url}/elections/test/${election}`, { ownWindow: true })
  await page.until('document.querySelector("main table, main svg")', 'the election page')
  const empty = await browser.open('about:blank', { ownWindow: true })
  const { targetInfos } = await browser.send<{ targetInfos: { targetId: string; type: string; url: string }[] }>(
    'Target.getTargets',
  )
  const worker = targetInfos.find(({ type }) => type === 'shared_worker')
  if (worker === undefined) throw new Error('the pages share no worker')
  const pages = [
    await heapOf('elections page', list.send),
    await heapOf('election page', page.send),
    await heapOf('shared worker', (await browser.attach(worker.targetId)).send),
  ]
  return { tabs: [list, page], pages, empty: await heapOf('empty tab', empty.send) }
}

async function assertAtWork(tabs: readonly Tab[]): Promise<void> {
  for (const tab of tabs) {
    const state = await tab.evaluate<string>('document.visibilityState')
    if (state !== 'visible') throw new Error(`a page is ${state}`)
  }
}

async function sampleAll(heaps: readonly Heap[], ms: number): Promise<Map<Heap, Sample[]>> {
  const samples = new Map<Heap, Sample[]>(heaps.map((heap) => [heap, []]))
  const startedMs = performance.now()
  for (let turn = 0; turn * EVERY_MS <= ms; turn += 1) {
    await pause(Math.max(0, startedMs + turn * EVERY_MS - performance.now()))
    for (const heap of heaps) {
      const value = await heap.usedBytes()
      samples.get(heap)?.push({ atMs: performance.now() - startedMs, value })
    }
  }
  return samples
}

function rowOf(heap: Heap, samples: readonly Sample[], reference: number): Row {
  const inMb = samples.map(({ value }) => round(value / MB))
  note(`${heap.name}: ${inMb.join(' ')} MB`)
  return {
    name: `heap of the ${heap.name}, growth`,
    value: slopePercentPerMin(samples),
    unit: '%/min',
    reference,
    reach: atMost(LIMIT_PERCENT),
  }
}

export async function* bench({ minutes = MINUTES }: BenchOptions = {}): AsyncGenerator<Row> {
  await provideEtcd()
  await buildWhenChanged()
  const etcd = await startEtcd()
  const client = connect(etcd.endpoints)
  const closing: (() => unknown)[] = [() => etcd.stop(), () => client.close()]
  try {
    const fleet = await fillFleet(client, { under: UNDER, elections: ELECTIONS, candidates: 2 })
    const dashboard = await startDashboard({ endpoints: etcd.endpoints, watch: [UNDER] })
    closing.push(() => dashboard.stop())
    const browser = await startBrowser()
    closing.push(() => browser.stop())
    const ref = refOf('queue', `${UNDER}${fleet[0]?.name}/`)
    const { tabs, pages, empty } = await openPages(browser, dashboard.url, encodeURIComponent(ref))
    const over = new AbortController()
    const changing = keepChanging(client, fleet, over.signal)
    changing.catch(() => {})
    await pause(WARM_UP_MS)
    await assertAtWork(tabs)
    const samples = await sampleAll([...pages, empty], minutes * 60_000)
    await assertAtWork(tabs)
    over.abort()
    note(`${await changing} changes in ${round(minutes + WARM_UP_MS / 60_000)} min`)
    const reference = slopePercentPerMin(samples.get(empty) ?? [])
    for (const heap of pages) yield rowOf(heap, samples.get(heap) ?? [], reference)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
