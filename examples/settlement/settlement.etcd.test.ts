import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { eventually } from '../../e2e/harness/library-candidate.ts'
import { type OwnedProcess, spawnOwned } from '../../e2e/harness/owned-process.ts'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'

interface Booked {
  region: string
  slot: number
  batch: number
  worker: string
  token: string
}

interface Settler {
  process: OwnedProcess
  events: { type: string; region: string }[]
}

const NAMES = ['settler-1', 'settler-2', 'settler-3']
let etcd: EtcdCluster
let folder: TempFolder
let settlers: Map<string, Settler>

beforeEach(async () => {
  etcd = await startEtcd()
  folder = makeTempFolder('settlement')
  settlers = new Map(NAMES.map((name) => [name, start(name)]))
})

afterEach(async () => {
  await Promise.all([...settlers.values()].map(({ process }) => process.kill()))
  await etcd.stop()
  folder.remove()
})

function start(name: string): Settler {
  const ledger = join(folder.path, 'ledger.db')
  const flags = { endpoints: etcd.endpoints.join(','), ledger, worker: name, regions: 'eu', ttl: '3' }
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
  const events: Settler['events'] = []
  const process = spawnOwned(globalThis.process.execPath, [join(rootDir, 'examples/settlement/worker.ts'), ...args], {
    stdin: 'pipe',
    onLine: (line) => events.push(JSON.parse(line)),
  })
  return { process, events }
}

function booked(): Booked[] {
  const db = new DatabaseSync(join(folder.path, 'ledger.db'))
  try {
    return db.prepare('SELECT * FROM settlement ORDER BY rowid').all() as unknown as Booked[]
  } catch {
    return [] // Nobody has opened the books yet.
  } finally {
    db.close()
  }
}

async function leaderAfter(count: number): Promise<[string, Settler]> {
  const worker = () => booked()[count]?.worker
  await eventually('somebody books', () => worker() !== undefined, 20_000)
  const name = worker() ?? ''
  return [name, settlers.get(name) as Settler]
}

function expectOneWriterAtATime(rows: Booked[]): void {
  const tokens = rows.map(({ token }) => BigInt(token.split('.')[1] ?? 0))
  expect(tokens).toEqual([...tokens].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
  const ofToken = new Map(rows.map(({ token, worker }) => [token, worker]))
  for (const { token, worker } of rows) expect(ofToken.get(token)).toBe(worker)
}

it('goes on with another worker when the one that settles is killed, and books nothing twice', async () => {
  const [first, settler] = await leaderAfter(2)
  await settler.process.kill()
  const before = booked().length
  const [second] = await leaderAfter(before + 3)
  expect(second).not.toBe(first)
  expectOneWriterAtATime(booked())
}, 40_000)

it('books nothing more by a worker that slept through its successor, and lets it queue again', async () => {
  const [first, settler] = await leaderAfter(2)
  settler.process.freeze()
  const [second] = await leaderAfter(booked().length + 2)
  expect(second).not.toBe(first)
  settler.process.thaw()
  await eventually('it queues again', () => settler.events.at(-1)?.type === 'waiting')
  const [after] = await leaderAfter(booked().length + 3)
  expect(after).toBe(second)
  expectOneWriterAtATime(booked())
}, 60_000)

it('gives the seat up when it is told to end, without waiting for the lease', async () => {
  const [, settler] = await leaderAfter(1)
  const leases = async () => (await etcd.etcdctl(['lease', 'list'])).stdout
  await eventually('all three have queued', async () => (await leases()).includes('found 3 leases'))
  await settler.process.stop()
  expect(await leases()).toContain('found 2 leases')
  await eventually('another one leads', () =>
    [...settlers.values()].some(
      ({ events, process }) => process.isRunning() && events.some((e) => e.type === 'leading'),
    ),
  )
}, 40_000)
