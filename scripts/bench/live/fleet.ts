/** Elections in the Go key layout with as many leases as candidates, as fast as etcd takes them. */
import { type Etcd3, leaseHex } from '../../../e2e/harness/raw-etcd.ts'

// Long enough that nothing expires while a bench runs; nobody renews.
const TTL_S = 3_600
const KEYS_PER_TXN = 100
const IN_FLIGHT = 64

export interface FleetCandidate {
  key: string
  /** Decimal. */
  lease: string
  identity: string
}

export interface FleetElection {
  name: string
  /** Oldest first: the first one leads. */
  candidates: FleetCandidate[]
}

export interface FleetPlan {
  /** Ends with `/`. */
  under: string
  elections: number
  candidates: number
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
}

async function putAll(client: Etcd3, candidates: readonly FleetCandidate[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(candidates.length / KEYS_PER_TXN) }, (_, at) =>
    candidates.slice(at * KEYS_PER_TXN, (at + 1) * KEYS_PER_TXN),
  )
  await inParallel(batches, async (batch) => {
    const success = batch.map(({ key, identity, lease }) => ({
      request_put: { key: Buffer.from(key), value: Buffer.from(identity), lease },
    }))
    await client.kv.txn({ compare: [], success, failure: [] })
  })
}

/** Ranks go in one after the other, so that each election's candidates have create revisions in their order. */
export async function fillFleet(client: Etcd3, { under, elections, candidates }: FleetPlan): Promise<FleetElection[]> {
  const fleet: FleetElection[] = Array.from({ length: elections }, (_, at) => ({
    name: `settle-${String(at).padStart(5, '0')}`,
    candidates: [],
  }))
  for (let rank = 0; rank < candidates; rank += 1) {
    await inParallel(fleet, async (election) => {
      const { ID: lease } = await client.leaseClient.leaseGrant({ TTL: TTL_S })
      const identity = `worker-${'abcdefgh'[rank] ?? rank}.zone`
      election.candidates.push({ key: `${under}${election.name}/${leaseHex(lease)}`, lease, identity })
    })
    await putAll(
      client,
      fleet.flatMap((election) => election.candidates.slice(rank)),
    )
  }
  return fleet
}
