/** The workers of the demo: engaging on the settlement stops them within a second. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pause, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually } from '../../e2e/harness/library-candidate.ts'
import { type OwnedProcess, spawnOwned } from '../../e2e/harness/owned-process.ts'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { Acting } from '../../server/actions/switches/act-for-test.ts'

const SCOPE = '/elections/settlement/'
let scene: Scene
let acting: Acting
let folder: TempFolder
const workers: { process: OwnedProcess; states: Map<string, string> }[] = []

beforeAll(async () => {
  scene = await Scene.open()
  folder = makeTempFolder('settlement')
  acting = await Acting.start({ endpoints: scene.etcd.endpoints, watch: ['/elections/'] })
  for (const worker of ['settler-1', 'settler-2']) {
    // They wait until they say something else.
    const states = new Map([
      ['eu', 'waiting'],
      ['us', 'waiting'],
    ])
    const flags = {
      endpoints: scene.etcd.endpoints.join(','),
      ledger: join(folder.path, 'ledger.db'),
      worker,
      regions: 'eu,us',
      ttl: '6',
    }
    const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
    const process = spawnOwned(globalThis.process.execPath, [join(rootDir, 'examples/settlement/worker.ts'), ...args], {
      stdin: 'pipe',
      onLine: (line) => {
        const { type, region } = JSON.parse(line) as { type: string; region?: string }
        if (region !== undefined && ['leading', 'waiting', 'stopped', 'draining'].includes(type))
          states.set(region, type)
      },
    })
    workers.push({ process, states })
  }
})
afterAll(async () => {
  await Promise.all(workers.map(({ process }) => process.kill()))
  await acting.stop()
  await scene.stop()
  folder.remove()
})

const states = () => workers.flatMap(({ states }) => [...states.values()])
function booked(): number {
  const db = new DatabaseSync(join(folder.path, 'ledger.db'))
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM settlement').get()?.n)
  } finally {
    db.close()
  }
}

it('stops all workers within a second, books nothing until the release, and goes on after it', async () => {
  await eventually(
    'both regions are settled',
    () => states().filter((state) => state === 'leading').length === 2,
    20_000,
  )
  await eventually('all are there', async () => (await scene.keys('/tenure/presence/')).length === 4)
  await acting.knows(2)
  await eventually('something is booked', () => booked() > 0, 20_000)
  const fromMs = performance.now()
  const { outcome } = await acting.engage(SCOPE, { match: 'prefix', reason: 'double payouts' })
  await eventually('all have stopped', () => states().every((state) => state === 'stopped'), 1_000)
  expect(performance.now() - fromMs).toBeLessThan(1_000)
  expect(outcome?.is).toBe('verified')
  const proof = await acting.proof(SCOPE)
  expect(proof).toMatchObject({ acknowledged: 4, of: 4, electionCount: 2 })
  const before = booked()
  await pause(1_500)
  expect(booked()).toBe(before)
  await acting.release(SCOPE)
  await eventually('they settle again', () => states().filter((state) => state === 'leading').length === 2)
  await eventually('and book', () => booked() > before, 20_000)
}, 60_000)
