/** The candidates of the soak: a few processes with several each, and real `etcdctl elect` beside them. */
import { join } from 'node:path'
import { spawnElect } from '../../e2e/harness/candidate.ts'
import { type OwnedProcess, spawnOwned } from '../../e2e/harness/owned-process.ts'
import { rootDir } from '../setup/paths.mjs'
import type { Order } from './candidates.ts'
import type { Deed } from './model.ts'
import type { Random } from './random.ts'

const podFile = join(rootDir, 'scripts', 'soak', 'candidates.ts')
const PODS = 3
const MOST_PER_ELECTION = 4

interface Placed {
  id: string
  prefixes: string[]
}

interface Pod {
  process: OwnedProcess
  candidates: Map<string, Placed>
  frozen: boolean
}

interface Elect {
  process: OwnedProcess
  election: string
  value: string
}

export interface PodsOptions {
  endpoints: readonly string[]
  /** Queues with their last slash, single keys without. */
  prefixes: readonly string[]
  random: Random
  deeds: Deed[]
}

export class Pods {
  private readonly options: PodsOptions
  private readonly pods: Pod[] = []
  private elects: Elect[] = []
  private count = 0

  constructor(options: PodsOptions) {
    this.options = options
  }

  start(): void {
    for (let at = 0; at < PODS; at += 1) this.pods.push(this.spawn())
    for (const [at, prefix] of this.options.prefixes.entries()) {
      this.join(this.pods[at % PODS], [prefix])
      this.join(this.pods[(at + 1) % PODS], [prefix])
    }
    const queues = this.options.prefixes.filter((prefix) => prefix.endsWith('/'))
    for (const prefix of queues.slice(0, 2)) this.elects.push(this.elect(prefix.slice(0, -1)))
  }

  /** A newcomer, now and then with two elections on one lease. */
  newcomer(pick: number): void {
    const { prefixes, random } = this.options
    const roomy = prefixes.filter((prefix) => this.countIn(prefix) < MOST_PER_ELECTION)
    const first = roomy[Math.floor(pick * roomy.length)]
    if (first === undefined) return
    const second = random.next() < 0.25 ? roomy[Math.floor(random.next() * roomy.length)] : undefined
    // Two on one lease in a queue and in the one nested below it would block each other for ever.
    const both = second && !second.startsWith(first) && !first.startsWith(second) ? [first, second] : [first]
    this.join(random.pick(this.pods), both)
  }

  /** Orders for the candidate with this identity, wherever it runs; false when it is none of ours. */
  order(identity: string, make: (id: string) => Order): boolean {
    const pod = this.pods.find(({ candidates }) => candidates.has(identity))
    if (pod === undefined) return false
    const order = make(identity)
    if (order.do === 'leave') pod.candidates.delete(identity)
    pod.process.writeLine(JSON.stringify(order))
    return true
  }

  identities(): string[] {
    return this.pods.flatMap(({ candidates }) => [...candidates.keys()])
  }

  /** SIGKILL; another process takes its place a little later, with candidates of new names. */
  async kill(pick: number, forMs: number, rest: (ms: number) => Promise<void>): Promise<void> {
    const pod = this.pods[Math.floor(pick * this.pods.length)]
    if (pod === undefined || pod.frozen) return
    await pod.process.kill()
    const lost = [...pod.candidates.values()]
    await rest(forMs)
    this.pods[this.pods.indexOf(pod)] = this.spawn()
    const next = this.pods[Math.floor(pick * this.pods.length)]
    for (const { prefixes } of lost) this.join(next, prefixes)
  }

  /** Longer than any lease of its candidates. */
  async freeze(pick: number, forMs: number, rest: (ms: number) => Promise<void>): Promise<void> {
    const pod = this.pods[Math.floor(pick * this.pods.length)]
    if (pod === undefined || pod.frozen) return
    pod.frozen = true
    pod.process.freeze()
    await rest(5_000 + forMs)
    pod.process.thaw()
    pod.frozen = false
  }

  /** `etcdctl elect` resigns when asked to end, and only vanishes when killed: its lease is 60 s long. */
  async replaceElect(
    pick: number,
    how: 'stop' | 'kill',
    then: { rest: () => Promise<void>; revokeOf: (identity: string) => Promise<void> },
  ): Promise<void> {
    const elect = this.elects[Math.floor(pick * this.elects.length)]
    if (elect === undefined) return
    if (how === 'stop') await elect.process.stop(4_000)
    const vanished = how === 'kill' || (await elect.process.exited) === 'SIGKILL'
    if (how === 'kill') await elect.process.kill()
    if (vanished) this.options.deeds.push({ type: 'killed', identity: elect.value, atMs: Date.now() })
    await then.rest()
    if (vanished) await then.revokeOf(elect.value)
    const at = this.elects.indexOf(elect)
    if (at >= 0) this.elects[at] = this.elect(elect.election)
  }

  async stop(): Promise<void> {
    const all = [...this.pods, ...this.elects].map(({ process }) => process)
    await Promise.all(all.map((process) => process.kill()))
  }

  private countIn(prefix: string): number {
    const placed = this.pods.flatMap(({ candidates }) => [...candidates.values()])
    return placed.filter(({ prefixes }) => prefixes.includes(prefix)).length
  }

  private spawn(): Pod {
    const { endpoints, deeds } = this.options
    const process = spawnOwned(globalThis.process.execPath, [podFile, endpoints.join(',')], {
      stdin: 'pipe',
      onLine: (line) => void deeds.push(JSON.parse(line) as Deed),
    })
    return { process, candidates: new Map(), frozen: false }
  }

  private join(pod: Pod | undefined, prefixes: string[]): void {
    if (pod === undefined) return
    this.count += 1
    const id = `c${this.count}`
    pod.candidates.set(id, { id, prefixes })
    const ttl = this.options.random.whole(2, 5)
    pod.process.writeLine(JSON.stringify({ do: 'join', id, prefixes, ttl } satisfies Order))
  }

  private elect(election: string): Elect {
    this.count += 1
    const value = `etcdctl-${this.count}`
    const process = spawnElect({ endpoints: this.options.endpoints, election, value })
    return { process, election, value }
  }
}
