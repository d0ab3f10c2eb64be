/** A real etcd with candidates of the library in this process, and the hand of an operator on its keys. */
import { randomUUID } from 'node:crypto'
import { spanOf } from '../../lib/candidate/keys.ts'
import { type HandoffRequest, handoffRequest } from '../../lib/election/handoff.ts'
import type { KeyValue } from '../../lib/election/ports.ts'
import { type Presence, presence } from '../../lib/election/presence.ts'
import type { SwitchRecord } from '../../lib/election/switches.ts'
import type { LeaseId } from '../../lib/election/types.ts'
import { EtcdClient } from '../../lib/etcd/client.ts'
import type { CredentialFiles } from '../../lib/etcd/credentials.ts'
import { fromLatin1, latin1, utf8 } from '../../lib/shared/bytes.ts'
import { type EtcdCluster, type StartEtcdOptions, startEtcd } from './etcd.ts'
import { eventually, startCandidate, type TestCandidate, type TestOptions, untilAborted } from './library-candidate.ts'

export type Entrant = Partial<TestOptions> & { election: TestOptions['election'] }

const CALL = { deadlineMs: 5_000 }

export class Scene {
  readonly etcd: EtcdCluster
  /** Writes what operators write; replaced where a password is asked for. */
  admin: EtcdClient
  private readonly clients: EtcdClient[] = []
  private readonly started: TestCandidate[] = []
  private nth = 0

  private constructor(etcd: EtcdCluster) {
    this.etcd = etcd
    this.admin = new EtcdClient({ endpoints: etcd.endpoints })
  }

  static async open(options: StartEtcdOptions = {}): Promise<Scene> {
    return new Scene(await startEtcd(options))
  }

  /** A client with these files, closed when the scene stops. */
  client(credentials: CredentialFiles, endpoints: readonly string[] = this.etcd.endpoints): EtcdClient {
    const made = new EtcdClient({ endpoints, credentials })
    this.clients.push(made)
    return made
  }

  newElection(): string {
    this.nth += 1
    return `jobs/${this.nth}`
  }

  /** A candidate that leads whenever it can, until the scene is cleared. */
  enter(options: Entrant): TestCandidate {
    const one = startCandidate({ endpoints: this.etcd.endpoints, identity: 'one', ...options })
    this.started.push(one)
    return one
  }

  /** One that leads already. */
  async leader(options: Entrant): Promise<TestCandidate> {
    const one = this.enter(options)
    await eventually('one leads', () => leads(one))
    return one
  }

  /** One that stands at the end of the queue, or waits for the single key. */
  async waiter(options: Entrant): Promise<TestCandidate> {
    const { election, layout } = options
    const before = (await this.presences(String(election), options.metaPrefix)).length
    const one = this.enter(options)
    await eventually('one waits', async () => {
      const said = await this.presences(String(election), options.metaPrefix)
      return said.length > before && said.some(({ state }) => state === 'waiting')
    })
    if (layout !== 'single-key') await eventually('it has a place', async () => (await this.queue(election)).length > 1)
    return one
  }

  /** Enters one for each letter, one behind the other. */
  async line(election: string, identities: string, options: Partial<Entrant> = {}): Promise<TestCandidate[]> {
    const all: TestCandidate[] = []
    for (const identity of identities) {
      const entrant = { election, identity, ...options }
      all.push(await (all.length === 0 ? this.leader(entrant) : this.waiter(entrant)))
      await eventually(`${identity} has its place`, async () => (await this.queue(election)).length === all.length)
    }
    return all
  }

  /** Keys that begin with `prefix` (latin1 or bytes), oldest first. */
  async keys(prefix: string | Uint8Array): Promise<readonly KeyValue[]> {
    const text = typeof prefix === 'string' ? prefix : latin1(prefix)
    return (await this.admin.range({ ...spanOf(text), order: 'oldest-first' }, CALL)).kvs
  }

  /** What competes for the seat of this queue, oldest first. */
  queue(election: TestOptions['election']): Promise<readonly KeyValue[]> {
    return this.keys(typeof election === 'string' ? `${election}/` : `${latin1(election)}/`)
  }

  /** Their values side by side. */
  async order(election: string): Promise<string> {
    return (await this.queue(election)).map(({ value }) => Buffer.from(value).toString()).join('')
  }

  /** Who stands there in the queue, 0 leads, as a request names it. */
  async targetOf(election: string, place: number): Promise<NonNullable<HandoffRequest['target']>> {
    const { createRevision, lease } = (await this.queue(election))[place] ?? { lease: null }
    if (createRevision === undefined || lease === null) throw new Error(`no candidate at place ${place}`)
    return { createRevision, lease }
  }

  async presences(election: string, metaPrefix = '/tenure/'): Promise<Presence[]> {
    const found = await this.keys(`${metaPrefix}presence/${election}`)
    return found.map(({ value }) => presence.parse(JSON.parse(Buffer.from(value).toString())))
  }

  async said(election: string, identity: string): Promise<Presence | undefined> {
    return (await this.presences(election)).find((each) => each.identity === identity)
  }

  async put(key: string | Uint8Array, value: string | Uint8Array, lease: LeaseId | null = null): Promise<void> {
    const bytes = (given: string | Uint8Array) => (typeof given === 'string' ? utf8(given) : given)
    await this.admin.txn({ compare: [], success: [{ type: 'put', key: bytes(key), value: bytes(value), lease }] }, CALL)
  }

  async delete(key: string | Uint8Array): Promise<void> {
    const bytes = typeof key === 'string' ? utf8(key) : key
    await this.admin.txn({ compare: [], success: [{ type: 'delete', key: bytes }] }, CALL)
  }

  /** Answers the nonce. */
  async engage(scope: string, words: Partial<SwitchRecord> & { metaPrefix?: string } = {}): Promise<string> {
    const { metaPrefix = '/tenure/', ...over } = words
    const record = switchOf('engaged', over)
    await this.put(fromLatin1(`${metaPrefix}switch/${scope}`), JSON.stringify(record))
    return record.nonce
  }

  async release(scope: string, words: Partial<SwitchRecord> & { metaPrefix?: string } = {}): Promise<void> {
    const { metaPrefix = '/tenure/', ...over } = words
    await this.put(fromLatin1(`${metaPrefix}switch/${scope}`), JSON.stringify(switchOf('released', over)))
  }

  /** Asks the leader of a queue to hand over; answers the lease that the request is on. */
  async ask(election: string, words: Partial<HandoffRequest> & { ttlSeconds?: number } = {}): Promise<LeaseId> {
    const { ttlSeconds = 30, ...over } = words
    const [head] = await this.queue(election)
    const token = { epoch: 0, revision: head?.createRevision ?? ('0' as never) }
    const asked = { v: 1, id: randomUUID(), token, target: null, reason: 'a test', by: 'ops', ...over }
    handoffRequest.parse(asked)
    const { lease } = await this.admin.grant(ttlSeconds, CALL)
    await this.put(`/tenure/handoff/${election}/`, JSON.stringify(asked), lease)
    return lease
  }

  async withdraw(election: string): Promise<void> {
    await this.delete(`/tenure/handoff/${election}/`)
  }

  async revoke(lease: LeaseId): Promise<void> {
    await this.admin.revoke(lease, CALL)
  }

  /** Ends all candidates and forgets what operators wrote. */
  async clear(): Promise<void> {
    await Promise.all(this.started.splice(0).map((each) => each.stop()))
    for (const { key } of await this.keys('/tenure/')) await this.delete(key)
  }

  async stop(): Promise<void> {
    await Promise.all(this.started.splice(0).map((each) => each.stop()))
    for (const client of [this.admin, ...this.clients.splice(0)]) client.close()
    await this.etcd.stop()
  }
}

function switchOf(state: SwitchRecord['state'], over: Partial<SwitchRecord>): SwitchRecord {
  const at = new Date().toISOString()
  const by = { reason: 'a test', by: 'ops', operation: randomUUID(), nonce: randomUUID() }
  return { v: 1, state, at, until: at, match: 'prefix', ...by, ...over }
}

/** Runs its work, and could prove it. */
export const leads = ({ candidate, terms }: TestCandidate) =>
  candidate.state === 'leading' && terms.at(-1)?.leadership.signal.aborted === false

export const leadersOf = (all: readonly TestCandidate[]) => all.filter(leads)

/** A work that takes a while to end. */
export const slow = (ms: number) => async (leadership: { signal: AbortSignal }) => {
  await untilAborted(leadership.signal)
  await pause(ms)
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Looks every few milliseconds for `ms`; rejects at the first moment at which it does not hold. */
export async function always(what: string, holds: () => boolean, ms: number): Promise<void> {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs) {
    if (!holds()) throw new Error(`did not hold: ${what}`)
    await pause(2)
  }
}

/** Looks every 2 ms who leads; tells the most that led one election at once. */
export function watchLeaders(elections: readonly (readonly TestCandidate[])[]) {
  let most = 0
  const look = () => {
    for (const all of elections) most = Math.max(most, leadersOf(all).length)
  }
  const timer = setInterval(look, 2)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}
