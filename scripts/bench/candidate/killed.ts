/** A leader that is killed right after a renewal: how long until the next one works, and what of it is etcd's. */
import type { ElectedWorker } from '../../../e2e/harness/elected-worker.ts'
import type { EtcdCluster } from '../../../e2e/harness/etcd.ts'
import type { FencedResource } from '../../../e2e/harness/fenced-resource.ts'
import { machineMs } from '../../../e2e/harness/machine-clock.ts'
import { connect, type Etcd3 } from '../../../e2e/harness/raw-etcd.ts'
import { note } from '../live/numbers.ts'
import { median } from '../support/median.ts'
import type { Row } from '../support/row.ts'
import { enterAll, type Peer } from './peers.ts'

const RUNS = 30
/** Waiting costs little, so several run side by side; more would measure how they share two cores. */
const AT_ONCE = 3
const TTL_SECONDS = 5

interface Took {
  /** The DELETE is seen → the successor works. */
  reactMs: number
  /** The kill → the successor works. */
  wholeMs: number
}

async function seesDelete(client: Etcd3, prefix: string): Promise<{ at: Promise<number>; close(): void }> {
  const stream = await client.watchClient.watch()
  const { promise, resolve } = Promise.withResolvers<number>()
  const created = Promise.withResolvers<void>()
  stream.on('data', ({ created: isCreated, events }) => {
    if (isCreated) created.resolve()
    if (events.some(({ type }) => type === 'Delete')) resolve(machineMs())
  })
  stream.on('error', () => {})
  stream.write({ create_request: { key: Buffer.from(`${prefix}/`), range_end: Buffer.from(`${prefix}0`) } })
  await created.promise
  return {
    at: promise,
    close: () => {
      stream.end()
      stream.cancel()
    },
  }
}

async function killOnce(
  peer: Peer,
  nth: number,
  stage: { etcd: EtcdCluster; resource: FencedResource; client: Etcd3 },
) {
  const election = `bench/killed/${peer.name}/${nth}`
  const plan = { endpoints: stage.etcd.endpoints, election, ttlSeconds: TTL_SECONDS, socket: stage.resource.socket }
  const plans = ['a', 'b'].map((name) => ({ ...plan, name, writeEveryMs: 200, tellsRenewals: true }))
  const [leader, next] = (await enterAll(peer, plans, stage.client)) as [ElectedWorker, ElectedWorker]
  const watch = await seesDelete(stage.client, election)
  try {
    await leader.next('renewed', 10_000)
    const killedMs = machineMs()
    const leading = next.first('leading', { withinMs: 30_000 })
    await leader.kill()
    const { fromMs } = await leading
    return { reactMs: fromMs - (await watch.at), wholeMs: fromMs - killedMs }
  } finally {
    watch.close()
    await Promise.all([leader.kill(), next.kill()])
  }
}

async function kills(peer: Peer, etcd: EtcdCluster, resource: FencedResource): Promise<Took[]> {
  const client = connect(etcd.endpoints)
  const took: Took[] = []
  for (let done = 0; done < RUNS; done += AT_ONCE) {
    const round = Array.from({ length: AT_ONCE }, (_, at) => killOnce(peer, done + at, { etcd, resource, client }))
    took.push(...(await Promise.all(round)))
  }
  client.close()
  const [react, whole] = [median(took.map((each) => each.reactMs)), median(took.map((each) => each.wholeMs))]
  note(`${peer.name}: killed, DELETE → work ${react.toFixed(1)} ms, whole ${whole.toFixed(0)} ms (medians of ${RUNS})`)
  return took
}

export async function* killedRows(
  peers: readonly Peer[],
  etcd: EtcdCluster,
  resource: FencedResource,
): AsyncGenerator<Row> {
  const byPeer = new Map<string, Took[]>()
  for (const peer of peers) if (peer.name !== 'npm') byPeer.set(peer.name, await kills(peer, etcd, resource))
  const of = (name: string, part: keyof Took) => {
    const took = byPeer.get(name)
    return took && median(took.map((each) => each[part]))
  }
  for (const [part, what, factor] of [
    ['reactMs', 'leader killed, DELETE seen → work starts, median', 1.5],
    ['wholeMs', 'leader killed → work starts, median', 1.1],
  ] as const) {
    yield {
      name: what,
      value: of('tenure', part) ?? Number.NaN,
      reference: of('Go', part),
      unit: 'ms',
      reach: {
        text: byPeer.has('Go') ? `≤ ${factor} × Go` : 'no Go here',
        judge: (ms, reference) => reference === undefined || ms <= factor * reference,
      },
    }
  }
}
