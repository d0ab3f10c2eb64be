/**
 * Many candidates in one plain process. Arguments: endpoint, elections, candidates each, TTL in seconds, and for
 * how many seconds to measure. Prints a JSON line when all wait or lead, and one with what idling cost.
 */
import { type Candidate, createCandidate } from '../../lib/candidate/index.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'

export interface CrowdReady {
  readyMs: number
  led: number
}

export interface CrowdIdle {
  cpuPercent: number
  seconds: number
  heapMb: number
  led: number
  /** How many there were since the start. */
  terms: number
  /** What was retried or refused, by its words, from the start on. */
  troubles: Record<string, number>
}

const [endpoint = '', ...numbers] = process.argv.slice(2)
const [elections = 0, each = 0, ttlSeconds = 30, seconds = 30] = numbers.map(Number)
const say = (line: CrowdReady | CrowdIdle) => process.stdout.write(`${JSON.stringify(line)}\n`)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const etcd = new EtcdClient({ endpoints: [endpoint] })
const stop = new AbortController()
const all: Candidate[] = []
const leading: Promise<void>[] = []
let terms = 0
const troubles: Record<string, number> = {}
const onTrouble = ({ message }: Error) => {
  troubles[message] = (troubles[message] ?? 0) + 1
}
const startedMs = performance.now()
for (let n = 0; n < elections * each; n += 1) {
  const election = `crowd/${n % elections}`
  const candidate = createCandidate({ etcd, election, identity: `c${n}`, ttlSeconds, onTrouble })
  all.push(candidate)
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  const work = ({ signal }: { signal: AbortSignal }) => {
    terms += 1
    return untilAborted(signal)
  }
  leading.push(candidate.lead(work, { signal: stop.signal }))
  // Not all in one turn of the loop, as in a process that starts its jobs.
  if (n % 20 === 19) await pause(10)
}
const led = () => all.filter(({ state }) => state === 'leading').length
while (led() < elections) await pause(50)
say({ readyMs: Math.round(performance.now() - startedMs), led: led() })
await pause(ttlSeconds * 500)

const before = process.cpuUsage()
const fromMs = performance.now()
await pause(seconds * 1_000)
const used = process.cpuUsage(before)
const spentMs = (used.user + used.system) / 1_000
const cpuPercent = Math.round((spentMs / (performance.now() - fromMs)) * 1_000) / 10
say({ cpuPercent, seconds, heapMb: Math.round(process.memoryUsage().heapUsed / 1e6), led: led(), terms, troubles })
stop.abort()
await Promise.all(leading)
etcd.close()
