/** Everything that a soak starts, and takes down again. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Dashboard, startDashboard } from '../../e2e/harness/dashboard.ts'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { freePort } from '../../e2e/harness/ports.ts'
import { type NetworkProxy, startProxy } from '../../e2e/harness/proxy.ts'
import { connect, type Etcd3 } from '../../e2e/harness/raw-etcd.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { MemoryWatch } from './memory.ts'
import type { Deed, Seat } from './model.ts'
import { type Observer, observe } from './observer.ts'
import { Pods } from './pods.ts'
import type { Random } from './random.ts'
import { listElections } from './tenure.ts'
import { startViewer, type Viewer } from './viewer.ts'

const queue = (name: string): Seat => ({ layout: 'queue', prefix: `/elections/${name}/` })

export const SEATS: readonly Seat[] = [
  ...['billing', 'mail', 'ledger', 'index', 'cron', 'import', 'export', 'audit'].map(queue),
  queue('nest/outer'),
  queue('nest/outer/inner'),
  { layout: 'single-key', prefix: '/service/soak/leader' },
]
const WATCH = ['/elections/', '/service/']

/** The production server, on the same port and data folder however often it is killed. */
export class Server {
  readonly url: string
  readonly dataDir: string
  restarts = 0
  readonly memory = new MemoryWatch()
  private readonly port: number
  private readonly endpoints: readonly string[]
  private running: Dashboard | null = null
  private logs = ''

  constructor(options: { port: number; dataDir: string; endpoints: readonly string[] }) {
    this.port = options.port
    this.dataDir = options.dataDir
    this.endpoints = options.endpoints
    this.url = `http://127.0.0.1:${options.port}`
  }

  /** Waits until it answers at all: with etcd cut off it cannot be healthy. */
  async start(healthyWithinMs = 0): Promise<void> {
    const { endpoints, port, dataDir } = this
    this.running = await startDashboard({ endpoints, port, dataDir, watch: WATCH, healthyWithinMs })
    this.memory.begin(this.running.pid)
  }

  async kill(): Promise<void> {
    this.memory.end()
    await this.running?.kill()
    await this.tidy()
    this.restarts += 1
  }

  freeze(): void {
    this.running?.process.freeze()
  }

  thaw(): void {
    this.running?.process.thaw()
  }

  /** What all its runs wrote. */
  log(): string {
    return `${this.logs}${this.running?.log() ?? ''}`
  }

  async stop(): Promise<void> {
    this.memory.end()
    await this.running?.stop()
    await this.tidy()
  }

  private async tidy(): Promise<void> {
    this.logs = this.log()
    const { running } = this
    this.running = null
    await running?.stop()
  }
}

export interface Stage {
  etcd: EtcdCluster
  client: Etcd3
  /** One for each member, before the dashboard only. */
  proxies: NetworkProxy[]
  observer: Observer
  server: Server
  pods: Pods
  viewer: Viewer
  deeds: Deed[]
  /** Member name → id in hex. */
  memberIds: Map<string, string>
  stop(): Promise<void>
}

async function idsOf(etcd: EtcdCluster): Promise<Map<string, string>> {
  const { stdout } = await etcd.etcdctl(['member', 'list', '--write-out=simple'])
  return new Map(
    stdout.split('\n').flatMap((line) => [line.split(', ')].map(([id = '', , name = '']) => [name, id] as const)),
  )
}

/** What is there before Tenure looks for the first time, it cannot have seen to begin. */
async function becomesLive(url: string): Promise<void> {
  const until = performance.now() + 30_000
  while ((await listElections(url).catch(() => null))?.freshness !== 'live') {
    if (performance.now() > until) throw new Error('Tenure is not live within 30 s of its start')
    await pause(100)
  }
}

/** The observer looks first, then Tenure, then the candidates come. */
export async function openStage(random: Random): Promise<Stage> {
  const folder = makeTempFolder('soak')
  const closing: (() => Promise<void> | void)[] = [() => folder.remove()]
  const stop = async () => {
    for (const close of closing.reverse()) await close()
  }
  try {
    const etcd = await startEtcd({ members: 3 })
    closing.push(() => etcd.stop())
    const client = connect(etcd.endpoints)
    closing.push(() => client.close())
    const { header } = await client.kv.range({ key: Buffer.from('/') })
    const observer = observe(etcd.endpoints, Number(header.revision))
    closing.push(() => observer.stop())
    const proxies = await Promise.all(etcd.endpoints.map((target) => startProxy({ target })))
    closing.push(async () => void (await Promise.all(proxies.map((proxy) => proxy.stop()))))
    const endpoints = proxies.map(({ endpoint }) => endpoint)
    const server = new Server({ port: await freePort(), dataDir: join(folder.path, 'data'), endpoints })
    closing.push(() => server.stop())
    await server.start(60_000)
    await becomesLive(server.url)
    const viewer = startViewer(server.url)
    closing.push(() => viewer.stop())
    const deeds: Deed[] = []
    const prefixes = SEATS.map(({ prefix }) => prefix)
    const pods = new Pods({ endpoints: etcd.endpoints, prefixes, random, deeds })
    closing.push(() => pods.stop())
    pods.start()
    return { etcd, client, proxies, observer, server, pods, viewer, deeds, memberIds: await idsOf(etcd), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
