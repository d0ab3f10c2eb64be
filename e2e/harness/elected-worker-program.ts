// node e2e/harness/elected-worker-program.ts '<JSON of WorkerPlan>'
// A worker as a service author writes it: campaigns, and while it leads writes to a fenced resource. It tells
// everything it comes to know, one JSON object a line; each line of its input is an order.
import { createInterface } from 'node:readline'
import { createCandidate, type Leadership, NotLeadingError } from '../../lib/candidate/index.ts'
import type { CandidateEtcd } from '../../lib/candidate/options.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'
import { sleep } from '../../lib/shared/abort.ts'
import type { Order, Told, WorkerPlan } from './elected-worker.ts'
import { ResourceClient } from './fenced-resource.ts'
import { machineMs } from './machine-clock.ts'

const plan: WorkerPlan = JSON.parse(process.argv[2] ?? '')
const { name, election, layout, metaPrefix, ttlSeconds, writeEveryMs = 20, isStubborn = false } = plan
const resource = new ResourceClient(plan.socket)
const client = new EtcdClient({ endpoints: plan.endpoints, ...(plan.credentials && { credentials: plan.credentials }) })
const ending = new AbortController()
let current: Leadership | null = null
let rejected = 0

/** More often than any reaction that is measured. */
const LOOK_EVERY_MS = 5
const NEVER = new AbortController().signal

const tell = (told: Told) => void process.stdout.write(`${JSON.stringify(told)}\n`)

/** The same client, with every acknowledged renewal told. */
const telling: CandidateEtcd = Object.create(client, {
  renew: {
    value: async (...call: Parameters<CandidateEtcd['renew']>) => {
      const ttlMs = await client.renew(...call)
      tell({ type: 'renewed', atMs: machineMs() })
      return ttlMs
    },
  },
})

const candidate = createCandidate({
  etcd: plan.tellsRenewals ? telling : client,
  election,
  identity: name,
  ttlSeconds,
  ...(layout && { layout }),
  ...(metaPrefix && { metaPrefix }),
  onTrouble: (error) =>
    tell({
      type: 'trouble',
      name: error.name,
      kind: 'kind' in error ? String(error.kind) : '',
      message: error.message,
      atMs: machineMs(),
    }),
})
candidate.onState((state) => tell({ type: 'state', state, atMs: machineMs(), wallMs: Date.now() }))

async function write(token: Leadership['token'], provedMs: number | null): Promise<void> {
  if (await resource.write({ resource: election, worker: name, token, provedMs })) return
  rejected += 1
  candidate.countRejection()
}

/** One term, watched as closely as its own work could watch it. */
async function work(leadership: Leadership): Promise<void> {
  const { token, signal } = leadership
  const term = { fromMs: machineMs(), provenMs: machineMs(), learnedMs: 0, ended: 0 }
  current = leadership
  tell({ type: 'leading', token, fromMs: term.fromMs })
  signal.addEventListener('abort', () => {
    term.learnedMs ||= machineMs()
    term.ended += 1
  })
  const proves = (): number | null => {
    const provedMs = machineMs()
    try {
      leadership.proveStillLeading()
    } catch {
      return null
    }
    if (signal.aborted) return null
    term.provenMs = provedMs
    return provedMs
  }
  const looking = setInterval(proves, LOOK_EVERY_MS)
  for (let provedMs = proves(); provedMs !== null; provedMs = proves()) {
    await write(token, provedMs)
    await sleep(writeEveryMs, signal)
  }
  clearInterval(looking)
  term.learnedMs ||= machineMs()
  const why = signal.reason instanceof NotLeadingError ? signal.reason.why : String(signal.reason)
  tell({ type: 'ended', token, ...term, why, rejected })
  if (isStubborn) await goOn(leadership)
}

/** What a careless author does after the end: proclaims, and a while later writes without asking again. */
async function goOn(leadership: Leadership): Promise<void> {
  const proclaimed = await leadership.proclaim('still here').then(
    () => 'taken',
    (error: Error) => error.name,
  )
  // The successor has written by then.
  await sleep(300, NEVER)
  await write(leadership.token, null)
  tell({ type: 'went on', proclaimed, rejected, atMs: machineMs() })
}

/** Blocks the event loop, with tasks of every kind queued before: what they see first afterwards is told. */
function block(ms: number): void {
  const leadership = current
  if (leadership === null) return
  const saw: Record<string, boolean> = {}
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const look = (task: string) => {
    saw[task] = !leadership.signal.aborted
    if (Object.keys(saw).length === 3) resolve()
  }
  setTimeout(() => look('timer'), 1)
  setImmediate(() => look('immediate'))
  queueMicrotask(() => look('microtask'))
  const fromMs = machineMs()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  void all.then(() => tell({ type: 'woke', fromMs, sawLeading: Object.keys(saw).filter((task) => saw[task]) }))
}

function resign(reason: string): void {
  tell({ type: 'resigning', atMs: machineMs() })
  void candidate.resign(reason)
}

function obey(order: Order): void {
  if (order.do === 'enter') void lead()
  else if (order.do === 'resign') resign(order.reason)
  else if (order.do === 'block') block(order.ms)
  else if (order.do === 'end') ending.abort()
}

createInterface({ input: process.stdin })
  .on('line', (line) => obey(JSON.parse(line)))
  .on('close', () => process.exit(0))
process.on('SIGTERM', () => ending.abort())

/** Ends by itself when it has left: nothing may stay behind that keeps the process alive. */
async function lead(): Promise<void> {
  const error = await candidate.lead(work, { signal: ending.signal }).then(
    () => null,
    (reason: Error) => reason.message,
  )
  tell({ type: 'left', error, rejected })
  client.close()
  resource.close()
  process.stdin.destroy()
  process.exitCode = error === null ? 0 : 1
}

tell({ type: 'ready', atMs: machineMs() })
