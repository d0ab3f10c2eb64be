/** Three ways to be absent for longer than the lease: does the former leader still believe when it is back? */
import { setTimeout as pause } from 'node:timers/promises'
import type { ElectedWorker, Ended } from '../../../e2e/harness/elected-worker.ts'
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import type { FencedResource } from '../../../e2e/harness/fenced-resource.ts'
import { type NetworkProxy, startProxy } from '../../../e2e/harness/proxy.ts'
import { connect, type Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { note } from '../live/numbers.ts'
import { atMost, type Row } from '../support/row.ts'
import { enterAll, type Peer } from './peers.ts'

export type Absence = 'SIGSTOP 12 s' | 'event loop blocked 12 s' | 'black hole'

const RUNS = { tenure: 50, Go: 20, npm: 20 }
const AT_ONCE = 10
const TTL_SECONDS = 5
const AWAY_MS = 12_000

interface Outcome {
  /** How long the former leader believed beside its successor; 0 when it did not. */
  overlapMs: number
  /** Writes with the old token after the successor's first: the resource refuses them, one without a fence takes them. */
  stale: number
  /** Of them, those that the fence let through. */
  accepted: number
}

interface Stage {
  etcd: EtcdCluster
  resource: FencedResource
  client: Etcd3
}

async function absent(how: Absence, leader: ElectedWorker, proxy: NetworkProxy): Promise<void> {
  if (how === 'black hole') await proxy.setMode('black-hole')
  else if (how === 'SIGSTOP 12 s') leader.freeze()
  else leader.order({ do: 'block', ms: AWAY_MS })
  await pause(AWAY_MS)
  if (how === 'SIGSTOP 12 s') leader.thaw()
}

async function once(peer: Peer, how: Absence, nth: number, { etcd, resource, client }: Stage): Promise<Outcome> {
  const election = `bench/absent/${how.replaceAll(' ', '-')}/${peer.name}/${nth}`
  const proxy = await startProxy({ target: etcd.endpoints[0] ?? '' })
  const plan = { election, ttlSeconds: TTL_SECONDS, socket: resource.socket, writeEveryMs: 20 }
  const plans = [
    { ...plan, name: 'former', endpoints: [proxy.endpoint] },
    { ...plan, name: 'next', endpoints: etcd.endpoints },
  ]
  const [former, next] = (await enterAll(peer, plans, client)) as [ElectedWorker, ElectedWorker]
  try {
    const ended = former.next('ended', 40_000).catch(() => null)
    await absent(how, former, proxy)
    const { fromMs } = await next.first('leading', { withinMs: 30_000 })
    const end: Ended | null = await ended
    const log = await resource.log(election)
    const since = log.find(({ worker, accepted }) => worker === 'next' && accepted)?.atMs ?? Number.POSITIVE_INFINITY
    const late = log.filter(({ worker, atMs }) => worker === 'former' && atMs > since)
    const believedMs = end === null ? Number.POSITIVE_INFINITY : end.provenMs
    return {
      overlapMs: Math.max(0, believedMs - fromMs),
      stale: late.length,
      accepted: late.filter(({ accepted }) => accepted).length,
    }
  } finally {
    await Promise.all([former.kill(), next.kill()])
    await proxy.stop()
  }
}

export async function absences(peer: Peer, how: Absence, stage: Stage): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let done = 0; done < RUNS[peer.name]; done += AT_ONCE) {
    const round = Array.from({ length: AT_ONCE }, (_, at) => once(peer, how, done + at, stage))
    outcomes.push(...(await Promise.all(round)))
  }
  const overlapping = outcomes.filter(({ overlapMs }) => overlapMs > 0)
  const worst = Math.max(...outcomes.map(({ overlapMs }) => overlapMs))
  const stale = outcomes.filter((each) => each.stale > 0).length
  note(
    `${peer.name}, ${how}: believed beside its successor in ${overlapping.length} of ${outcomes.length} runs, at worst ${worst.toFixed(0)} ms; late writes in ${stale}`,
  )
  return outcomes
}

const sum = (outcomes: readonly Outcome[], count: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + count(outcome), 0)

/** Go has no event loop to block. */
const isAsked = ({ name }: Peer, how: Absence) => name !== 'Go' || how !== 'event loop blocked 12 s'

function rowsOf(how: Absence, own: readonly Outcome[], npm: readonly Outcome[]): Row[] {
  const believed = (outcomes: readonly Outcome[]) => sum(outcomes, ({ overlapMs }) => Number(overlapMs > 0))
  const rows: Row[] = [
    {
      name: `${how}: runs with two who believe, of ${own.length}`,
      value: believed(own),
      // As many of its own runs, scaled to ours.
      reference: (believed(npm) * own.length) / npm.length,
      unit: 'runs',
      reach: atMost(0),
    },
  ]
  if (how !== 'SIGSTOP 12 s') return rows
  const stale = sum(own, ({ accepted }) => accepted)
  const reference = sum(npm, (each) => each.stale)
  const name = `${how}: stale writes accepted by the fence, ${own.length} runs`
  return [...rows, { name, value: stale, reference, unit: 'writes', reach: atMost(0) }]
}

export async function* overlapRows(
  peers: readonly Peer[],
  etcd: EtcdCluster,
  resource: FencedResource,
): AsyncGenerator<Row> {
  const client = connect(etcd.endpoints)
  try {
    for (const how of ['SIGSTOP 12 s', 'event loop blocked 12 s', 'black hole'] as const) {
      const byPeer = new Map<string, Outcome[]>()
      for (const peer of peers)
        if (isAsked(peer, how)) byPeer.set(peer.name, await absences(peer, how, { etcd, resource, client }))
      yield* rowsOf(how, byPeer.get('tenure') ?? [], byPeer.get('npm') ?? [])
    }
  } finally {
    client.close()
  }
}
