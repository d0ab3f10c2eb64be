/** One run: an election of its own on the stage, its workers, what is done to them, and the verdict. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { workDir } from '../../scripts/setup/paths.mjs'
import { type ElectedWorker, spawnElectedWorker, type WorkerPlan } from '../harness/elected-worker.ts'
import { eventually } from '../harness/library-candidate.ts'
import { machineMs } from '../harness/machine-clock.ts'
import { type NetworkProxy, type ProxyMode, startProxy } from '../harness/proxy.ts'
import { noteJudgement } from './figures.ts'
import { judge } from './judge.ts'
import type { Believed, Failover, Frozen, Judgement, Recording } from './record.ts'
import type { FaultStage } from './stage.ts'

/** Nothing is measured before: several cases begin at once, on a machine that may be slow. */
const READY_WITHIN_MS = 40_000

export type EnterOptions = Partial<Omit<WorkerPlan, 'name' | 'election' | 'socket' | 'endpoints'>> & {
  /** Through a proxy of its own to each member. */
  proxied?: boolean
  env?: Record<string, string>
}

/** A worker of a run, and the network between it and etcd. */
export interface Entered extends ElectedWorker {
  network(mode: ProxyMode, options?: { delayMs?: number }): Promise<void>
}

export class FaultRun {
  readonly election: string
  readonly name: string
  readonly stage: FaultStage
  readonly workers: Entered[] = []
  isJudged = false
  private readonly proxies: NetworkProxy[] = []
  private login: readonly string[] = []
  private readonly frozen: Frozen[] = []
  private readonly failovers: Failover[] = []
  /** When they were killed, and so could not say goodbye. */
  private readonly killed = new Map<ElectedWorker, number>()

  constructor(stage: FaultStage, name: string) {
    this.stage = stage
    this.name = name
    this.election = `faults/${name.replaceAll(/[^a-z0-9]+/gi, '-')}`
  }

  /** A process that is ready to campaign once it is told to `enter`. */
  async spawn(name: string, { proxied, env, ...options }: EnterOptions = {}): Promise<Entered> {
    const { etcd, resource, folder } = this.stage
    const proxies = proxied ? await Promise.all(etcd.endpoints.map((target) => startProxy({ target }))) : []
    this.proxies.push(...proxies)
    const endpoints = proxied ? proxies.map(({ endpoint }) => endpoint) : etcd.endpoints
    const plan = { ttlSeconds: 5, ...options, name, endpoints, election: this.election, socket: resource.socket }
    const log = join(folder, `${this.election.replace('/', '-')}-${name}.log`)
    const worker = Object.assign(spawnElectedWorker(plan, { logFile: log, ...(env && { env }) }), {
      network: async (mode: ProxyMode, more?: { delayMs?: number }) =>
        void (await Promise.all(proxies.map((proxy) => proxy.setMode(mode, more)))),
    })
    this.workers.push(worker)
    return worker
  }

  /** Enters them one after the other, so that the first leads and the others wait in this order. */
  async enterInOrder<const Names extends readonly string[]>(
    names: Names,
    options: EnterOptions | ((name: string) => EnterOptions) = {},
  ) {
    const optionsOf = typeof options === 'function' ? options : () => options
    const workers = await Promise.all(names.map((name) => this.spawn(name, optionsOf(name))))
    await Promise.all(workers.map((worker) => worker.first('ready', { withinMs: READY_WITHIN_MS })))
    for (const [at, worker] of workers.entries()) {
      worker.order({ do: 'enter' })
      await eventually(
        `${worker.plan.name} is in the queue`,
        async () => (await this.keys()).length > at,
        READY_WITHIN_MS,
      )
    }
    // On a busy machine one may have lost its place again: the order that counts is etcd's.
    let order: string[] = []
    await eventually(
      'all are in the queue and the first leads',
      async () => {
        order = await this.queue()
        const first = workers.find(({ plan }) => plan.name === order[0])
        return order.length === names.length && first !== undefined && first.leadsWith() !== null
      },
      READY_WITHIN_MS,
    )
    const sorted = workers.toSorted((a, b) => order.indexOf(a.plan.name) - order.indexOf(b.plan.name))
    return sorted as { [Name in keyof Names]: Entered }
  }

  /** Flags with which this run itself asks etcd. */
  actAs(login: readonly string[]): void {
    this.login = login
  }

  /** The keys of the queue, the leader's first. */
  async keys(): Promise<string[]> {
    return (await this.get(['--keys-only'])).split('\n').filter(Boolean)
  }

  /** Their values, in the same order. */
  async queue(): Promise<string[]> {
    return (await this.get(['--print-value-only'])).split('\n').filter(Boolean)
  }

  async queueBecomes(workers: readonly ElectedWorker[], withinMs = 15_000): Promise<void> {
    const wanted = workers.map(({ plan }) => plan.name).join()
    await eventually(`the queue is ${wanted}`, async () => (await this.queue()).join() === wanted, withinMs)
  }

  /** The create revision of the first key: the token of whoever leads by etcd's account. */
  async headRevision(): Promise<string | undefined> {
    return /"create_revision":(\d+)/.exec(await this.get(['--limit=1', '--write-out=json']))?.[1]
  }

  private async get(args: readonly string[]): Promise<string> {
    const range = ['get', `${this.election}/`, '--prefix', '--sort-by=CREATE', '--order=ASCEND']
    return (await this.stage.etcd.etcdctl([...this.login, ...range, ...args])).stdout
  }

  freeze(worker: ElectedWorker): void {
    worker.freeze()
    this.frozen.push({ worker: worker.plan.name, fromMs: machineMs(), toMs: Number.POSITIVE_INFINITY })
  }

  thaw(worker: ElectedWorker): void {
    const frozen = this.frozen.findLast((each) => each.worker === worker.plan.name)
    if (frozen !== undefined) frozen.toMs = machineMs()
    worker.thaw()
  }

  /** A pause that the worker makes itself. */
  noteFrozen(frozen: Frozen): void {
    this.frozen.push(frozen)
  }

  async kill(worker: ElectedWorker): Promise<void> {
    const dead = worker.kill()
    this.killed.set(worker, machineMs())
    await dead
  }

  /** As a deployment ends one: it hands over and leaves by itself. */
  async end(worker: ElectedWorker): Promise<void> {
    worker.order({ do: 'end' })
    const code = await Promise.race([worker.exited, pause(15_000, 'hangs')])
    expect(code, `${worker.plan.name} ends by itself, with 0`).toBe(0)
  }

  /** Another term must begin within the time, from now on. To be called before what it is about. */
  mustFailOver(what: string, boundMs: number, atMs = machineMs()): void {
    this.failovers.push({ what, atMs, boundMs })
  }

  /** Somebody else than `former` leads. */
  async successorOf(former: ElectedWorker, withinMs = 20_000): Promise<Entered> {
    const next = () => this.workers.find((each) => each !== former && each.leadsWith() !== null)
    await eventually(`a successor of ${former.plan.name} leads`, () => next() !== undefined, withinMs)
    return next() as Entered
  }

  /** Ends every worker, as a deployment would, and judges what was written down. */
  async judged(rules: { exclusive: boolean }): Promise<Judgement> {
    await Promise.all(this.proxies.map((proxy) => proxy.setMode('pass')))
    const left = this.workers.filter((each) => !this.killed.has(each))
    const ends = await Promise.allSettled(left.map((each) => this.end(each)))
    const recording = await this.recording()
    const judgement = judge(recording, rules)
    this.isJudged = true
    this.keep({ recording, judgement })
    noteJudgement(this.name, judgement)
    expect(judgement.findings).toEqual([])
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    return judgement
  }

  async stop(): Promise<void> {
    await Promise.all(this.workers.map((each) => each.kill()))
    await Promise.all(this.proxies.map((proxy) => proxy.stop()))
  }

  private async recording(): Promise<Recording> {
    const goodbyes = this.workers.flatMap(({ plan, all }) =>
      all('left').map(({ rejected }) => ({ worker: plan.name, rejected })),
    )
    return {
      name: this.name,
      terms: this.workers.flatMap((each) => this.termsOf(each)),
      attempts: await this.stage.resource.log(this.election),
      frozen: this.frozen,
      failovers: this.failovers,
      counted: goodbyes,
    }
  }

  private termsOf(worker: ElectedWorker): Believed[] {
    const { name } = worker.plan
    const ended = worker.all('ended').map((each): Believed => ({ ...each, worker: name }))
    const open = worker.all('leading').at(ended.length)
    const killedMs = this.killed.get(worker)
    if (open === undefined) return ended
    // A worker that never said goodbye may have believed until it was killed.
    const untilMs = killedMs ?? machineMs()
    const { token, fromMs } = open
    return [...ended, { worker: name, token, fromMs, provenMs: untilMs, learnedMs: null, why: 'killed', ended: 0 }]
  }

  /** For whoever has to find out why: in `.tenure/faults`. */
  keep(record: object): void {
    const told = this.workers.map(({ plan, told }) => [plan.name, told])
    const folder = join(workDir, 'faults')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, `${this.election.split('/')[1]}.json`),
      JSON.stringify({ ...record, told }, undefined, 1),
    )
  }
}

/** One run from its first worker to its verdict; whatever happens, nothing of it stays. */
export async function withRun(stage: FaultStage, name: string, play: (run: FaultRun) => Promise<void>): Promise<void> {
  const run = new FaultRun(stage, name)
  try {
    await play(run)
  } catch (error) {
    if (!run.isJudged) run.keep({ error: String(error) })
    throw error
  } finally {
    await run.stop()
  }
}
