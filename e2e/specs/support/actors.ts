/** Who takes part in elections during one test: real processes, and keys on leases of our own. All leave when it ends. */

import { type SpawnCandidateOptions, spawnCandidate, spawnElect, type WorkerProcess } from '../../harness/candidate.ts'
import type { EtcdCluster } from '../../harness/etcd.ts'
import { eventually, startCandidate, type TestCandidate, untilAborted } from '../../harness/library-candidate.ts'
import type { OwnedProcess } from '../../harness/owned-process.ts'
import {
  connect,
  deleteKey,
  type Etcd3,
  enterCandidate,
  grantLease,
  keepAlive,
  leaseHex,
  type PutResult,
  putCandidate,
  revokeLease,
} from '../../harness/raw-etcd.ts'

export interface Entrant extends PutResult {
  /** Decimal, as etcd's API gives it. */
  lease: string
  /** As `etcdctl` and the page show it. */
  leaseHex: string
  /** Gives up the place: the key goes, the lease stays. */
  resign(): Promise<string>
  /** The lease goes, and with it the key. */
  revoke(): Promise<void>
  /** In one revision its key goes and a new one of the same name joins the end of the queue. */
  requeue(): Promise<Entrant>
  /** Puts the key again, with another value when one is given. */
  proclaim(value?: string): Promise<string>
}

type Who = Omit<SpawnCandidateOptions, 'endpoints'>

export class Actors {
  readonly client: Etcd3
  private readonly etcd: EtcdCluster
  private readonly leavers: (() => unknown)[] = []

  constructor(etcd: EtcdCluster) {
    this.etcd = etcd
    this.client = connect(etcd.endpoints)
    this.leavers.push(() => this.client.close())
  }

  /** A candidate in a process of its own, which has queued. */
  async process(who: Who): Promise<WorkerProcess> {
    const worker = spawnCandidate({ endpoints: this.etcd.endpoints, ...who })
    this.leavers.push(() => worker.stop())
    await worker.waitFor('queued')
    return worker
  }

  /** The same, and it leads. */
  async leader(who: Who): Promise<WorkerProcess> {
    const worker = await this.process(who)
    await worker.waitFor('leading')
    return worker
  }

  /** `etcdctl elect`. */
  elect(election: string, value: string): OwnedProcess {
    const candidate = spawnElect({ endpoints: this.etcd.endpoints, election, value })
    this.leavers.push(() => candidate.stop())
    return candidate
  }

  /** A candidate of the library in this process, once it has a place; `drainMs` is how long its work takes to end. */
  async library({
    drainMs = 0,
    ...who
  }: {
    election: string
    identity: string
    drainMs?: number
  }): Promise<TestCandidate> {
    const before = await this.placesOf(who.election)
    const work = async ({ signal }: { signal: AbortSignal }) => {
      await untilAborted(signal)
      await new Promise((resolve) => setTimeout(resolve, drainMs))
    }
    const candidate = startCandidate({ endpoints: this.etcd.endpoints, ttlSeconds: 10, work, ...who })
    this.leavers.push(() => candidate.stop())
    const isIn = async () => (await this.placesOf(who.election)) > before && candidate.candidate.state !== 'lost'
    await eventually(`${who.identity} has a place`, isIn)
    return candidate
  }

  private async placesOf(election: string): Promise<number> {
    const { stdout } = await this.etcd.etcdctl(['get', '--prefix', `${election}/`, '--keys-only'])
    return stdout.split('\n').filter((line) => line !== '').length
  }

  /** A candidate's key on a lease that this test renews. */
  async enter(who: { prefix: string | Buffer; value: string | Buffer; ttlSeconds?: number }): Promise<Entrant> {
    const { ttlSeconds = 30 } = who
    const entered = await enterCandidate(this.client, { ...who, ttlSeconds })
    this.renew(entered.lease, ttlSeconds)
    return this.entrant(who, entered)
  }

  private entrant(
    who: { prefix: string | Buffer; value: string | Buffer; ttlSeconds?: number },
    entered: PutResult & { lease: string },
  ): Entrant {
    return {
      ...entered,
      leaseHex: leaseHex(entered.lease),
      resign: () => deleteKey(this.client, entered.key),
      revoke: () => revokeLease(this.client, entered.lease),
      requeue: async () => {
        const lease = await this.lease(who)
        const key = Buffer.concat([Buffer.from(who.prefix as string), Buffer.from(`/${leaseHex(lease)}`)])
        const { header } = await this.client.kv.txn({
          success: [
            { request_delete_range: { key: entered.key } },
            { request_put: { key, value: Buffer.from(who.value as string), lease } },
          ],
        })
        return this.entrant(who, { key, lease, revision: header.revision })
      },
      proclaim: async (value) => {
        const put = { prefix: who.prefix, value: value ?? who.value, lease: entered.lease }
        return (await putCandidate(this.client, put)).revision
      },
    }
  }

  /** A lease of this id (or any) that this test renews; decimal. */
  async lease({ id, ttlSeconds = 30 }: { id?: string; ttlSeconds?: number } = {}): Promise<string> {
    const granted =
      id === undefined
        ? await grantLease(this.client, ttlSeconds)
        : (await this.client.leaseClient.leaseGrant({ TTL: ttlSeconds, ID: id })).ID
    this.renew(granted, ttlSeconds)
    return granted
  }

  /** A key that goes when the test ends. */
  async put(key: string | Buffer, value: string | Buffer, lease = '0'): Promise<string> {
    const bytes = Buffer.from(key as string)
    const { header } = await this.client.kv.put({ key: bytes, value: Buffer.from(value as string), lease })
    if (lease === '0') this.leavers.push(() => deleteKey(this.client, bytes))
    return header.revision
  }

  private renew(lease: string, ttlSeconds: number): void {
    const renewing = keepAlive(this.client, lease, (ttlSeconds * 1000) / 3)
    this.leavers.push(async () => {
      renewing.stop()
      await revokeLease(this.client, lease)
    })
  }

  /** Last come, first gone. What is gone already, or cannot be told to go because etcd is down, is gone. */
  async leave(): Promise<void> {
    for (const leave of this.leavers.reverse()) await Promise.resolve(leave()).catch(() => {})
  }
}
