/** Confirm → the successor is painted in the browser, when an idle leader of the library is asked; and stale screens. */
import type { Dashboard } from '../../../e2e/harness/dashboard.ts'
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import { startCandidate } from '../../../e2e/harness/library-candidate.ts'
import { connect } from '../../../e2e/harness/raw-etcd.ts'
import { startBrowser, type Tab } from '../live/chromium.ts'
import { note, percentile, wallMs } from '../live/numbers.ts'
import { atMost, type Row } from '../support/row.ts'
import { DashboardClient, newOperation } from './dashboard-client.ts'

const ROUNDS = 20
const ELECTION = '/elections/bench/handoff'
const REF = `q~${btoa(`${ELECTION}/`).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`

interface Stage {
  tenure: DashboardClient
  tab: Tab
  /** Of the last handoff, to be acknowledged by the next. */
  last: string | undefined
}

export async function* handoffRows(etcd: EtcdCluster, dashboard: Dashboard): AsyncGenerator<Row> {
  const { endpoints } = etcd
  const workers = ['a', 'b', 'c'].map((name) =>
    startCandidate({ endpoints, election: ELECTION, identity: `worker-${name}`, ttlSeconds: 10 }),
  )
  const browser = await startBrowser()
  try {
    const tab = await browser.open(`${dashboard.url}/elections/test/${REF}`)
    await tab.until('document.body.innerText.includes("is led by")', 'the election page')
    const stage: Stage = { tenure: new DashboardClient(dashboard.url), tab, last: undefined }
    const took: number[] = []
    for (let at = 0; at < ROUNDS; at += 1) took.push(await handOffOnce(stage))
    note(`confirm → successor painted: p50 ${percentile(took, 0.5).toFixed(0)} ms`)
    yield {
      name: 'confirm → successor visible in the browser (ask, idle leader), p99',
      value: percentile(took, 0.99),
      unit: 'ms',
      reach: atMost(1_000),
    }
    yield* staleRows(etcd, stage)
  } finally {
    await browser.stop()
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

interface Preflight {
  token: string
  leader: { identity: string }
}

const preflight = ({ tenure }: Stage) =>
  tenure.mutate<Preflight>('actions.preflight', { cluster: 'test', ref: REF, action: 'handoff' })

function request(stage: Stage, token: string) {
  const acknowledged = stage.last === undefined ? {} : { acknowledgedOperation: stage.last }
  return {
    cluster: 'test',
    ref: REF,
    token,
    method: 'ask',
    reason: 'bench',
    operation: newOperation(),
    ...acknowledged,
  }
}

/** In the page: when the sentence names another leader, by the wall clock that all processes share. */
const painted = (was: string) => `new Promise((resolve) => {
  const look = () => {
    const led = /is led by\\s+(worker-[abc])/.exec(document.querySelector('main header p').textContent)
    if (led === null || led[1] === ${JSON.stringify(was)}) return requestAnimationFrame(look)
    resolve(performance.timeOrigin + performance.now())
  }
  look()
})`

async function handOffOnce(stage: Stage): Promise<number> {
  const { token, leader } = await preflight(stage)
  const seenMs = stage.tab.evaluate<number>(painted(leader.identity))
  const asked = request(stage, token)
  const confirmedMs = wallMs()
  const answer = stage.tenure.mutate('actions.handoff', asked)
  const tookMs = (await seenMs) - confirmedMs
  await answer
  stage.last = asked.operation
  await settled(stage, asked.operation)
  return tookMs
}

async function settled({ tenure }: Stage, operation: string): Promise<void> {
  for (;;) {
    const { outcome } = await tenure.query<{ outcome: { is: string } | null }>('actions.operation', { operation })
    if (outcome !== null && outcome.is !== 'unknown') return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const STALE_ROUNDS = 10

/** Each screen is made stale by a handoff; etcd's revision tells whether the refusal wrote anything. */
async function* staleRows(etcd: EtcdCluster, stage: Stage): AsyncGenerator<Row> {
  const client = connect(etcd.endpoints)
  const revision = async () => Number((await client.kv.range({ key: Buffer.from('/nothing') })).header.revision)
  let writes = 0
  let refused = 0
  for (let at = 0; at < STALE_ROUNDS; at += 1) {
    const stale = await preflight(stage)
    await handOffOnce(stage)
    const before = await quietRevision(revision)
    await stage.tenure.mutate('actions.handoff', request(stage, stale.token)).catch(() => {
      refused += 1
    })
    writes += (await quietRevision(revision)) - before
  }
  client.close()
  note(`${refused} of ${STALE_ROUNDS} stale screens refused`)
  yield {
    name: 'a refusal for a stale screen: writes that reached etcd',
    value: refused === STALE_ROUNDS ? writes : Number.NaN,
    unit: '',
    reach: atMost(0),
  }
}

/** Once nothing is written any more: candidates say what became of them for a moment after a change. */
async function quietRevision(read: () => Promise<number>): Promise<number> {
  let last = await read()
  for (let same = 0; same < 5; ) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const now = await read()
    same = now === last ? same + 1 : 0
    last = now
  }
  return last
}
