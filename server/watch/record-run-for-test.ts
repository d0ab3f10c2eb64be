/**
 * A real run, recorded: everything that reached history, and the history that came of it. The golden history is
 * made anew by `node -e "import('./server/watch/record-run-for-test.ts').then((m) => m.renewGolden())"`, log and
 * history of another run by `keepGolden`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEtcd } from '../../e2e/harness/etcd.ts'
import { startProxy } from '../../e2e/harness/proxy.ts'
import { connect, deleteKey, enterCandidate, leaseHex, putCandidate, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { restoreSnapshot } from '../../e2e/harness/restore.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { type Instant, instant, msOf, steadyClock } from '../../lib/shared/clock.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { dump } from '../history/dump-for-test.ts'
import type { History } from '../history/history.ts'
import { openSqliteHistory } from '../history/sqlite-history.ts'
import { LogClock, type Logged, readLog, replay, written } from './replay-for-test.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

export interface RecordedRun {
  log: Logged[]
  history: string
  /** The store is left open, so that it can be asked. */
  store: History
  /** A moment before the store was rolled back, with who led then. */
  beforeRollback: Instant
  /** At the end of the time in which Tenure could see nothing, and history was compacted. */
  gapAt: Instant
}

const FOLDER = '/elections/past'
const job = (name: string) => `${FOLDER}/${name}`

/** Everything that reaches the store is logged with the time at which the store is told. */
class Recorder {
  readonly log: Logged[] = []
  private readonly wall = steadyClock()
  private readonly clock = new LogClock()
  private readonly file: string
  store: History

  constructor(file: string) {
    this.file = file
    this.clock.ms = this.wall.nowMs()
    this.store = openSqliteHistory({ file, clock: this.clock })
  }

  get history(): string {
    return dump(this.file)
  }

  async reopen(): Promise<void> {
    await this.store.close()
    this.clock.ms = this.wall.nowMs()
    this.store = openSqliteHistory({ file: this.file, clock: this.clock })
  }

  watch(endpoint: string): Watching {
    const watching = startWatching({ endpoints: [endpoint], watch: [`${FOLDER}/`], store: this.recorded() })
    const { elections } = watching.watcher
    const publish = elections.publish.bind(elections)
    elections.publish = (changes) => {
      if (changes.length > 0) this.note({ type: 'changes', changes })
      publish(changes)
    }
    return watching
  }

  private note(entry: Logged extends infer Entry ? (Entry extends Logged ? Omit<Entry, 'ms'> : never) : never): void {
    this.clock.ms = this.wall.nowMs()
    // As it is now: what was published is told on, and nobody may change it.
    this.log.push(JSON.parse(JSON.stringify({ ms: this.clock.ms, ...entry })) as Logged)
  }

  private recorded(): History {
    const { store } = this
    return new Proxy(store, {
      get: (target, name: keyof History) => {
        const call = (...args: unknown[]) => (target[name] as (...given: unknown[]) => unknown).apply(target, args)
        return (...args: unknown[]) => {
          if (name === 'load') this.note({ type: 'started', now: args[1] as Instant })
          if (name === 'recordGap') this.note({ type: 'gap', gap: args[1] as never })
          if (name === 'recordStops') this.note({ type: 'stops', stops: args[1] as never })
          if (name === 'alive') this.note({ type: 'alive', mark: args[1] as never })
          return call(...args)
        }
      },
    })
  }
}

type Etcd = Awaited<ReturnType<typeof startEtcd>>
type Client = ReturnType<typeof connect>

interface Stage {
  etcd: Etcd
  client: Client
  proxy: Awaited<ReturnType<typeof startProxy>>
  recorder: Recorder
  watching: Watching
}

const enter = (client: Client, name: string, value: string, ttlSeconds = 600) =>
  enterCandidate(client, { prefix: job(name), value, ttlSeconds })
const leads = ({ watching }: Stage, name: string, identity: string) =>
  watching.until(
    `${job(name)}/`,
    ({ term, ended }) => {
      const known = ended.every(({ endedBy }) => endedBy?.evidence.includes('not been looked up yet') !== true)
      return known && term?.leader.identity === identity
    },
    30_000,
  )

/** Joins, a proclaim, a key given up, a lease revoked, one that runs out, and namesakes (RC-14). */
async function ordinaryLife(stage: Stage): Promise<void> {
  const { client } = stage
  const first = await enter(client, 'job', 'a')
  const second = await enter(client, 'job', 'b')
  await enter(client, 'job', 'c')
  await putCandidate(client, { prefix: job('job'), value: 'a, ready', lease: first.lease })
  await leads(stage, 'job', 'a, ready')
  await deleteKey(client, first.key)
  await leads(stage, 'job', 'b')
  await revokeLease(client, second.lease)
  await leads(stage, 'job', 'c')
  await enter(client, 'namesakes', 'localhost', 2)
  await enter(client, 'namesakes', 'localhost')
  await stage.watching.until(`${job('namesakes')}/`, ({ lastOrdinal }) => lastOrdinal === 2, 30_000)
}

/** An enforced stop: the head is held, the record stands, and both go again. */
async function stopped(stage: Stage): Promise<void> {
  const { client, watching } = stage
  const held = await enter(client, 'held', 'h')
  await leads(stage, 'held', 'h')
  const halt = { tenure: 'halt', nonce: 'b1946ac92492d234', operation: 'op-1', by: 'ann', layout: 'queue' }
  const value = JSON.stringify({ ...halt, lease: leaseHex(held.lease), identity: 'h', library: false })
  await client.kv.put({ key: held.key, value: Buffer.from(value), lease: '0' })
  await watching.until(`${job('held')}/`, ({ term }) => term === null)
  const at = instant(Date.now())
  const record = { v: 1, state: 'engaged', reason: 'replay', by: 'ann', at, until: at, nonce: halt.nonce }
  const key = Buffer.from(`/tenure/switch/${job('held')}/`)
  const put = (state: string) =>
    client.kv.put({ key, value: Buffer.from(JSON.stringify({ ...record, state, operation: 'op-1', match: 'exact' })) })
  const stopsAre = (is: (to: Instant | null) => boolean) =>
    eventually(() => watching.watcher.elections.view.info.stops?.some(({ to }) => is(to)))
  await put('engaged')
  await stopsAre((to) => to === null)
  await put('released')
  await stopsAre((to) => to !== null)
  await deleteKey(client, held.key)
}

/** What happened while Tenure was cut off has been compacted away when it comes back (RC-08). */
async function compacted(stage: Stage): Promise<void> {
  const { client, etcd, proxy, watching } = stage
  const first = await enter(client, 'cut', 'A')
  await leads(stage, 'cut', 'A')
  await proxy.setMode('refuse')
  await eventually(() => watching.watcher.elections.view.info.freshness !== 'live')
  let last = first
  for (const name of ['B', 'C', 'D']) {
    const next = await enter(client, 'cut', name)
    await deleteKey(client, last.key)
    last = next
  }
  const { header } = await client.kv.range({ key: Buffer.from('/x') })
  await etcd.etcdctl(['compact', header.revision])
  await proxy.setMode('pass')
  await leads(stage, 'cut', 'D')
}

/** Tenure is stopped, and somebody leads who did not before. */
async function restarted(stage: Stage): Promise<void> {
  const { client, proxy, recorder } = stage
  await stage.watching.stop()
  await recorder.reopen()
  await enter(client, 'job', 'd')
  const state = stage.watching.state(`${job('job')}/`)
  const [leader] = state?.candidates ?? []
  if (leader !== undefined) await deleteKey(client, Buffer.from(leader.keyBase64, 'base64'))
  stage.watching = recorder.watch(proxy.endpoint)
  await leads(stage, 'job', 'd')
}

/** The store goes back to what it was before the restart (RC-09). */
async function rolledBack(stage: Stage, snapshot: string): Promise<Instant> {
  await eventually(() => stage.watching.watcher.elections.view.info.freshness === 'live')
  const before = instant(Date.now())
  await restoreSnapshot(stage.etcd, snapshot)
  await eventually(() => stage.watching.watcher.elections.view.info.rolledBack, 30_000)
  await leads(stage, 'job', 'c')
  return before
}

/** Takes some twenty seconds: a lease must run out, and etcd must be restored. */
export async function recordRun(): Promise<RecordedRun & { close(): Promise<void> }> {
  const folder = makeTempFolder('record')
  const etcd = await startEtcd({ members: 1 })
  const client = connect(etcd.endpoints)
  const proxy = await startProxy({ target: etcd.endpoints[0] ?? '' })
  const recorder = new Recorder(join(folder.path, 'history.sqlite'))
  const stage: Stage = { etcd, client, proxy, recorder, watching: recorder.watch(proxy.endpoint) }
  await eventually(() => stage.watching.watcher.coldStartMs !== null)
  await ordinaryLife(stage)
  await stopped(stage)
  const snapshot = join(folder.path, 'snapshot.db')
  await etcd.etcdctl(['snapshot', 'save', snapshot])
  await compacted(stage)
  await restarted(stage)
  const beforeRollback = await rolledBack(stage, snapshot)
  await stage.watching.stop()
  const gaps = recorder.log.flatMap((entry) => (entry.type === 'gap' ? [entry.gap] : []))
  const lost = gaps.find(({ reason }) => reason.includes('compacted'))
  await recorder.store.flush()
  return {
    log: recorder.log,
    store: recorder.store,
    history: recorder.history,
    beforeRollback,
    gapAt: instant(msOf(lost?.to ?? '') - 1),
    close: async () => {
      await recorder.store.close()
      client.close()
      await proxy.stop()
      await etcd.stop()
      folder.remove()
    },
  }
}

export const GOLDEN = join(rootDir, 'server', 'watch', 'golden')

export async function keepGolden(): Promise<void> {
  const run = await recordRun()
  mkdirSync(GOLDEN, { recursive: true })
  writeFileSync(join(GOLDEN, 'run.jsonl'), written(run.log))
  writeFileSync(join(GOLDEN, 'run.history.jsonl'), run.history)
  await run.close()
}

/** After a change that is meant to tell the past otherwise: the same log, and what comes of it now. */
export async function renewGolden(): Promise<void> {
  const folder = makeTempFolder('replay')
  const log = readLog(readFileSync(join(GOLDEN, 'run.jsonl'), 'utf8'))
  writeFileSync(join(GOLDEN, 'run.history.jsonl'), await replay(log, join(folder.path, 'history.sqlite')))
  folder.remove()
}
