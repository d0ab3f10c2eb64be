/** Somebody else revokes the leader's lease or deletes its key: how long until the leader knows. */
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import type { FencedResource } from '../../../e2e/harness/fenced-resource.ts'
import { machineMs } from '../../../e2e/harness/machine-clock.ts'
import { connect } from '../../../e2e/harness/raw-etcd.ts'
import { note, percentile } from '../live/numbers.ts'
import { atMost, type Row } from '../support/row.ts'
import { enterAll, type Peer, queueOf } from './peers.ts'

const RUNS = { tenure: 100, Go: 12, npm: 12 }
/** Long enough for a peer that looks once in a third of the TTL, and for one that never looks. */
const NOTICES_WITHIN_MS = 8_000

type How = 'revoke' | 'delete'

async function reactions(peer: Peer, how: How, stage: { etcd: EtcdCluster; resource: FencedResource }) {
  const client = connect(stage.etcd.endpoints)
  const election = `bench/third-party/${how}/${peer.name}`
  const plan = { endpoints: stage.etcd.endpoints, election, ttlSeconds: 5, socket: stage.resource.socket }
  const workers = await enterAll(
    peer,
    ['a', 'b'].map((name) => ({ ...plan, name })),
    client,
  )
  const took: number[] = []
  let never = 0
  for (let at = 0; at < RUNS[peer.name]; at += 1) {
    const leader = workers.find((worker) => worker.leadsWith() !== null)
    if (leader === undefined) break
    const oldest = { sort_target: 'Create', sort_order: 'Ascend', limit: 1 } as const
    const head = (await client.kv.range({ ...queueOf(peer, election), ...oldest })).kvs[0]
    if (head === undefined) break
    const ended = leader.next('ended', NOTICES_WITHIN_MS)
    const sentMs = machineMs()
    if (how === 'revoke') await client.leaseClient.leaseRevoke({ ID: head.lease })
    else await client.kv.deleteRange({ key: head.key })
    const noticed = await ended.catch(() => null)
    if (noticed === null) {
      never += 1
      break
    }
    took.push(noticed.learnedMs - sentMs)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  await Promise.all(workers.map((worker) => worker.kill()))
  client.close()
  const p99 = percentile(took, 0.99)
  note(
    `${peer.name}, ${how}: ${took.length} noticed, p50 ${percentile(took, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, never ${never}`,
  )
  return never > 0 ? Number.POSITIVE_INFINITY : p99
}

export async function* thirdPartyRows(
  peers: readonly Peer[],
  etcd: EtcdCluster,
  resource: FencedResource,
): AsyncGenerator<Row> {
  for (const how of ['revoke', 'delete'] as const) {
    const p99 = new Map<string, number>()
    for (const peer of peers) p99.set(peer.name, await reactions(peer, how, { etcd, resource }))
    // A peer that never noticed has no figure: the note says so.
    const others = ['Go', 'npm'].flatMap((name) => p99.get(name) ?? []).filter(Number.isFinite)
    yield {
      name: how === 'revoke' ? "lease revoked → leader's signal, p99" : "key deleted → leader's signal, p99",
      value: p99.get('tenure') ?? Number.NaN,
      ...(others.length > 0 ? { reference: Math.min(...others) } : {}),
      unit: 'ms',
      reach: atMost(100),
    }
  }
}
