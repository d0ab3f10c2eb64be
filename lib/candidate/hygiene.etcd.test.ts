import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Scene } from '../../e2e/harness/election-scene.ts'
import { spawnOwned } from '../../e2e/harness/owned-process.ts'
import { startProxy } from '../../e2e/harness/proxy.ts'
import type { StoppedRun, StoppingOptions } from '../../e2e/harness/stopping-process.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'

const script = join(rootDir, 'e2e', 'harness', 'stopping-process.ts')
let scene: Scene

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())

const random = (count: number, mostMs: number) => Array.from({ length: count }, () => Math.random() * mostMs)

interface Outcome {
  runs: StoppedRun[]
  /** Lines that are no run: unhandled rejections and warnings. */
  complaints: unknown[]
  exit: number | string
  /** From the last run's end until the process had ended by itself. */
  exitMs: number
}

/** Runs it to its end, which nobody but itself may bring about. */
async function runToEnd(options: Partial<StoppingOptions> & { stopAfterMs: readonly number[] }): Promise<Outcome> {
  const runs: StoppedRun[] = []
  const complaints: unknown[] = []
  let closedMs = 0
  const given = { endpoints: scene.etcd.endpoints, election: scene.newElection(), ...options }
  const child = spawnOwned(process.execPath, [script, JSON.stringify(given)], {
    onLine: (text) => {
      const line = JSON.parse(text) as StoppedRun | string | object
      if (line === 'closed') closedMs = performance.now()
      else if (typeof line === 'object' && 'tookMs' in line) runs.push(line)
      else complaints.push(line)
    },
  })
  const exit = await child.exited
  return { runs, complaints, exit, exitMs: closedMs === 0 ? Number.NaN : performance.now() - closedMs }
}

/** A connection that is never answered is given up by gRPC after a second; nothing else may linger. */
function clean({ runs, complaints, exit, exitMs }: Outcome, count: number, isUnanswered = false): void {
  expect(complaints).toEqual([])
  expect(runs).toHaveLength(count)
  expect(runs.filter(({ error }) => error !== null)).toEqual([])
  if (!isUnanswered) expect(runs.filter(({ left }) => left.length > 0)).toEqual([])
  expect(exit).toBe(0)
  expect(exitMs).toBeLessThan(isUnanswered ? 2_000 : 500)
}

it('100 times told to stop at a random moment: nothing is left, and the process ends by itself', async () => {
  const [election, single] = [scene.newElection(), scene.newElection()]
  // Three of them compete, so that leaders as well as waiters are stopped.
  const all = await Promise.all([
    ...[1, 2, 3].map(() => runToEnd({ election, stopAfterMs: random(25, 400) })),
    runToEnd({ election: single, layout: 'single-key', stopAfterMs: random(25, 400) }),
  ])
  for (const outcome of all) clean(outcome, 25)
  const runs = all.flatMap((outcome) => outcome.runs)
  const slowest = Math.round(Math.max(...runs.map(({ tookMs }) => tookMs)))
  console.error(`100 stops, ${runs.filter(({ led }) => led).length} of leaders; the slowest took ${slowest} ms`)
  expect(await scene.keys('jobs/')).toEqual([])
  expect((await scene.etcd.etcdctl(['lease', 'list'])).stdout).toContain('found 0 leases')
}, 120_000)

it.each([
  ['refuses', 'refuse'],
  ['does not answer', 'black-hole'],
  ['resets', 'reset'],
] as const)(
  'an etcd that %s: it stops within the time of a few calls and ends by itself',
  async (_name, mode) => {
    const proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
    await proxy.setMode(mode)
    const outcome = await runToEnd({ endpoints: [proxy.endpoint], stopAfterMs: [50, 700, 1_600] })
    clean(outcome, 3, mode === 'black-hole')
    for (const { tookMs } of outcome.runs) expect(tookMs).toBeLessThan(2_000)
    await proxy.stop()
  },
  60_000,
)

it('reports to a dashboard that is away keep nothing alive', async () => {
  clean(await runToEnd({ reportsUrl: 'http://127.0.0.1:9/api/reports', stopAfterMs: [30, 300] }), 2)
}, 60_000)
