/**
 * A plain process that leads and is told to stop after a while, again and again; then it must end by itself.
 * Arguments: one JSON object. Prints one JSON line a run and `closed` at the end.
 */
import { createCandidate } from '../../lib/candidate/index.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'

export interface StoppingOptions {
  endpoints: readonly string[]
  election: string
  layout?: 'queue' | 'single-key'
  /** When each run is told to stop. */
  stopAfterMs: readonly number[]
  /** A dashboard that takes the reports, or is away. */
  reportsUrl?: string
  credentials?: { user: string; passwordFile: string }
}

export interface StoppedRun {
  stopAfterMs: number
  /** From being told until `lead` had ended and the client was closed. */
  tookMs: number
  led: boolean
  error: string | null
  /** Timers and sockets that are still there, by kind. */
  left: string[]
}

const options = JSON.parse(process.argv[2] ?? '{}') as StoppingOptions
const { endpoints, election, layout = 'queue', stopAfterMs, reportsUrl, credentials } = options
const say = (line: object | string) => process.stdout.write(`${JSON.stringify(line)}\n`)
const left = () =>
  process.getActiveResourcesInfo().filter((kind) => !/Pipe|TTY|Immediate|FSReq|Process|Signal/.test(kind))

async function run(afterMs: number): Promise<StoppedRun> {
  const etcd = new EtcdClient({ endpoints, ...(credentials ? { credentials } : {}) })
  const reports = reportsUrl === undefined ? {} : { reports: { url: reportsUrl, token: 't', cluster: 'c' } }
  const candidate = createCandidate({ etcd, election, identity: `p${process.pid}`, ttlSeconds: 3, layout, ...reports })
  const stop = new AbortController()
  let led = false
  const observing = (async () => {
    for await (const _ of candidate.observe({ signal: stop.signal })) if (stop.signal.aborted) break
  })()
  const work = async ({ signal }: { signal: AbortSignal }) => {
    led = true
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }
  const leading = candidate.lead(work, { signal: stop.signal }).then(
    () => null,
    (error: Error) => error.message,
  )
  await new Promise((resolve) => setTimeout(resolve, afterMs))
  const toldMs = performance.now()
  stop.abort()
  const error = await leading
  await observing
  etcd.close()
  const tookMs = performance.now() - toldMs
  // Sockets close in the next turns of the loop, which are slow on a loaded machine.
  for (let turn = 0; turn < 20 && left().length > 0; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5))
  return { stopAfterMs: afterMs, tookMs, led, error, left: left() }
}

process.on('unhandledRejection', (reason) => {
  say({ unhandled: String(reason) })
  process.exitCode = 3
})
process.on('warning', ({ name, message }) => {
  if (name !== 'TenureWarning' && name !== 'ExperimentalWarning') say({ warning: `${name}: ${message}` })
})
for (const afterMs of stopAfterMs) say(await run(afterMs))
say('closed')
