// node scripts/bench/candidate/npm-peer.ts '<JSON of WorkerPlan>'
// A worker as the npm client's own Election class makes it, telling the same lines as the library's.
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { WorkerPlan } from '../../../e2e/harness/elected-worker.ts'
import { ResourceClient } from '../../../e2e/harness/fenced-resource.ts'
import { machineMs } from '../../../e2e/harness/machine-clock.ts'
import { connect } from '../../../examples/workers/etcd-client.ts'

type Election = ReturnType<ReturnType<typeof connect>['election']>
type Campaign = ReturnType<Election['campaign']>

const plan: WorkerPlan = JSON.parse(process.argv[2] ?? '')
const { name, writeEveryMs = 20 } = plan
const resource = new ResourceClient(plan.socket)
const client = connect(plan.endpoints)
let campaign: Campaign | null = null

const tell = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** The oldest key of the queue, which is its own while it leads. */
async function headRevision(): Promise<string> {
  const queue = `election/${plan.election}`
  const range = { key: Buffer.from(`${queue}/`), range_end: Buffer.from(`${queue}0`), limit: 1 }
  const { kvs } = await client.kv.range({ ...range, sort_target: 'Create', sort_order: 'Ascend' })
  return kvs[0]?.create_revision ?? '0'
}

async function lead(isOver: () => boolean): Promise<void> {
  const token = { epoch: 0, revision: await headRevision() }
  const fromMs = machineMs()
  let provenMs = fromMs
  tell({ type: 'leading', token, fromMs })
  while (!isOver()) {
    provenMs = machineMs()
    await resource.write({ resource: plan.election, worker: name, token: token as never, provedMs: provenMs })
    await pause(writeEveryMs)
  }
  tell({
    type: 'ended',
    token,
    fromMs,
    provenMs,
    learnedMs: machineMs(),
    ended: 1,
    why: 'lost or resigned',
    rejected: 0,
  })
}

function enter(): void {
  const own = client.election(plan.election, plan.ttlSeconds).campaign(name)
  campaign = own
  let isOver = false
  const again = () => {
    if (isOver) return
    isOver = true
    setTimeout(enter, 50)
  }
  own.on('elected', () => void lead(() => isOver || campaign !== own))
  own.on('error', again)
  tell({ type: 'state', state: 'waiting', atMs: machineMs() })
}

async function resign(): Promise<void> {
  const own = campaign
  campaign = null
  tell({ type: 'resigning', atMs: machineMs() })
  await own?.resign()
  enter()
}

/** Blocks the event loop. */
function block(ms: number): void {
  const fromMs = machineMs()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  tell({ type: 'woke', fromMs, sawLeading: [] })
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const order = JSON.parse(line)
    if (order.do === 'enter') enter()
    if (order.do === 'resign') void resign()
    if (order.do === 'block') block(order.ms)
  })
  .on('close', () => process.exit(0))
process.on('unhandledRejection', (error) => tell({ type: 'trouble', message: String(error), atMs: machineMs() }))
tell({ type: 'ready', atMs: machineMs() })
