/** Planned: from the moment that a leader is told to resign until its successor works. */
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import type { FencedResource } from '../../../e2e/harness/fenced-resource.ts'
import { connect } from '../../../e2e/harness/raw-etcd.ts'
import { note, percentile } from '../live/numbers.ts'
import { median } from '../support/median.ts'
import type { Row } from '../support/row.ts'
import { enterAll, type Peer } from './peers.ts'

const HANDOFFS = 60
const WARM_UP = 5

async function handoffs(peer: Peer, etcd: EtcdCluster, resource: FencedResource): Promise<number[]> {
  const election = `bench/handoff/${peer.name}`
  const plan = { endpoints: etcd.endpoints, election, ttlSeconds: 10, socket: resource.socket }
  const client = connect(etcd.endpoints)
  const plans = ['a', 'b'].map((name) => ({ ...plan, name }))
  const workers = await enterAll(peer, plans, client)
  const took: number[] = []
  try {
    for (let at = 0; at < HANDOFFS + WARM_UP; at += 1) {
      const leader = workers.find((worker) => worker.leadsWith() !== null)
      const other = workers.find((worker) => worker !== leader)
      if (leader === undefined || other === undefined) throw new Error(`${peer.name}: nobody leads`)
      const [asked, leading] = [leader.next('resigning'), other.next('leading')]
      leader.order({ do: 'resign', reason: 'bench' })
      const ms = (await leading).fromMs - (await asked).atMs
      if (at >= WARM_UP) took.push(ms)
      // Its new place in the queue is part of the next one, not of this.
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
    client.close()
  }
  note(`${peer.name}: handoff p50 ${median(took).toFixed(1)} ms, p99 ${percentile(took, 0.99).toFixed(1)} ms`)
  return took
}

export async function* handoffRows(
  peers: readonly Peer[],
  etcd: EtcdCluster,
  resource: FencedResource,
): AsyncGenerator<Row> {
  const medians = new Map<string, number>()
  for (const peer of peers) medians.set(peer.name, median(await handoffs(peer, etcd, resource)))
  const [value, go, npm] = ['tenure', 'Go', 'npm'].map((name) => medians.get(name))
  yield {
    name: 'planned handoff, median, beside Go',
    value: value ?? Number.NaN,
    reference: go,
    unit: 'ms',
    reach: {
      text: go === undefined ? 'no Go here' : '≤ 1.5 × Go',
      judge: (ms, reference) => reference === undefined || ms <= 1.5 * reference,
    },
  }
  yield {
    name: 'planned handoff, median, beside npm etcd3',
    value: value ?? Number.NaN,
    reference: npm,
    unit: 'ms',
    reach: { text: '< npm etcd3', judge: (ms, reference) => reference !== undefined && ms < reference },
  }
}
