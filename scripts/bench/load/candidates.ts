/**
 * A thousand candidates in one process: a lease, a key and a keep-alive stream each, raw etcd3.
 * Arguments: endpoints, prefix, elections, candidates of each, TTL in seconds.
 * Told `count`, it begins anew; told `report`, it says how long renewals took since.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { connect, grantLease, leaseHex } from '../../../e2e/harness/raw-etcd.ts'
import { percentile } from '../live/numbers.ts'
import { tell, told } from './child.ts'

const IN_FLIGHT = 50
const [, , endpoints = '', under = ''] = process.argv
const [elections, each, ttlS] = process.argv.slice(4).map(Number) as [number, number, number]

const clients = endpoints.split(',').map((endpoint) => connect([endpoint]))
const everyMs = (ttlS * 1_000) / 3
let tookMs: number[] = []
let late = 0

async function enter(at: number): Promise<() => void> {
  const client = clients[at % clients.length]
  if (client === undefined) throw new Error('no client')
  const lease = await grantLease(client, ttlS)
  const key = Buffer.from(`${under}job-${String(at % elections).padStart(4, '0')}/${leaseHex(lease)}`)
  await client.kv.put({ key, value: Buffer.from(`worker-${at}.zone`), lease })
  const stream = await client.leaseClient.leaseKeepAlive()
  let sentMs: number | null = null
  stream.on('error', (error: Error) => {
    process.stderr.write(`candidate ${at}: ${error.message}\n`)
    process.exit(1)
  })
  stream.on('data', ({ TTL }) => {
    if (Number(TTL) === 0) late += 1
    if (sentMs !== null) tookMs.push(performance.now() - sentMs)
    sentMs = null
  })
  return () => {
    // A renewal that is still under way a third of the TTL later is as bad as a lost one.
    if (sentMs !== null) late += 1
    sentMs = performance.now()
    stream.write({ ID: lease })
  }
}

const total = elections * each
const renewals: (() => void)[] = []
for (let at = 0; at < total; at += IN_FLIGHT) {
  const entered = Array.from({ length: Math.min(IN_FLIGHT, total - at) }, (_, more) => enter(at + more))
  renewals.push(...(await Promise.all(entered)))
  for (const renew of renewals.slice(-IN_FLIGHT)) renew()
}

/** Spread evenly over the period. */
async function renewForEver(): Promise<never> {
  const startedMs = performance.now()
  for (let turn = 0; ; turn += 1) {
    renewals[turn % total]?.()
    const dueMs = startedMs + ((turn + 1) * everyMs) / total
    await pause(Math.max(0, dueMs - performance.now()))
  }
}

void renewForEver()
tell('ready')
for (;;) {
  const line = await told()
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(tookMs, share))
  tell({ count: tookMs.length, p50, p99, max: Math.max(...tookMs), late })
  if (line === 'count') {
    tookMs = []
    late = 0
  }
}
