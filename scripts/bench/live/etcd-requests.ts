/** What reaches etcd while nothing changes and nobody looks, by etcd's own counters. */
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, type Row } from '../support/row.ts'
import { note, round } from './numbers.ts'

const WINDOW_MS = 20_000

type Counts = ReadonlyMap<string, number>

/** Calls begun, and messages received on streams: `Range`, `LeaseKeepAlive messages`. */
async function readCounts(endpoints: readonly string[]): Promise<Counts> {
  const counts = new Map<string, number>()
  for (const endpoint of endpoints) {
    const text = await (await fetch(`${endpoint}/metrics`)).text()
    for (const line of text.split('\n')) {
      const found = /^grpc_server_(started|msg_received)_total\{(.*)\} (\S+)$/.exec(line)
      if (found === null) continue
      const [, what, labels = '', value] = found
      const method = /grpc_method="(\w+)"/.exec(labels)?.[1] ?? ''
      const streams = !labels.includes('grpc_type="unary"')
      if (what === 'msg_received' && !streams) continue
      const name = what === 'started' ? `${method}${streams ? ' streams' : ''}` : `${method} messages`
      counts.set(name, (counts.get(name) ?? 0) + Number(value))
    }
  }
  return counts
}

/** Calls and messages a second over the window. */
async function ratesOf(endpoints: readonly string[]): Promise<Counts> {
  const before = await readCounts(endpoints)
  const startedMs = performance.now()
  await pause(WINDOW_MS)
  const after = await readCounts(endpoints)
  const seconds = (performance.now() - startedMs) / 1_000
  const rates = [...after].map(([name, count]) => [name, (count - (before.get(name) ?? 0)) / seconds] as const)
  return new Map(rates.filter(([, rate]) => rate > 0))
}

const WANTED = ['LeaseTimeToLive', 'Range', 'LeaseKeepAlive messages', 'Watch messages']

export async function requestRows(endpoints: readonly string[]): Promise<Row[]> {
  const rates = await ratesOf(endpoints)
  note(`requests a second: ${[...rates].map(([name, rate]) => `${name} ${round(rate)}`).join(', ')}`)
  const rate = (name: string) => rates.get(name) ?? 0
  const others = [...rates].filter(([name]) => !WANTED.includes(name)).reduce((sum, [, each]) => sum + each, 0)
  return [
    { name: 'etcd, nobody looks: lease look-ups', value: rate('LeaseTimeToLive'), unit: '/s', reach: atMost(200) },
    { name: 'etcd, nobody looks: heartbeat reads', value: rate('Range'), unit: '/s', reach: atMost(1.2) },
    {
      name: 'etcd, nobody looks: probe renewals per member',
      value: rate('LeaseKeepAlive messages') / endpoints.length,
      unit: '/s',
      reach: atMost(1.2),
    },
    { name: 'etcd, nobody looks: anything else', value: others, unit: '/s', reach: atMost(0.1) },
  ]
}
