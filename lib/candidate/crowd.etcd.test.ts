import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CrowdIdle, CrowdReady } from '../../e2e/harness/crowd-process.ts'
import { Scene } from '../../e2e/harness/election-scene.ts'
import { spawnOwned } from '../../e2e/harness/owned-process.ts'
import { startProxy } from '../../e2e/harness/proxy.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'

const script = join(rootDir, 'e2e', 'harness', 'crowd-process.ts')
let scene: Scene

beforeAll(async () => {
  scene = await Scene.open()
})
afterAll(() => scene.stop())

it('100 elections with 10 candidates each in one process: one connection, and little CPU while idle', async () => {
  const proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
  const lines: (CrowdReady | CrowdIdle)[] = []
  const args = [script, proxy.endpoint, '100', '10', '30', '30']
  const child = spawnOwned(process.execPath, args, { onLine: (line) => lines.push(JSON.parse(line)) })
  let most = 0
  const timer = setInterval(() => {
    if (lines.length === 1) most = Math.max(most, proxy.connections)
  }, 20)
  expect(await child.exited).toBe(0)
  clearInterval(timer)
  const [ready, idle] = lines as [CrowdReady, CrowdIdle]
  console.error(
    `1,000 candidates: all led after ${ready.readyMs} ms; idle ${idle.cpuPercent} % CPU, ${most} connection(s)`,
  )
  expect(idle.led).toBe(100)
  expect(most).toBeLessThanOrEqual(3)
  expect(idle.cpuPercent).toBeLessThan(10)
  expect(await scene.keys('crowd/')).toEqual([])
  await proxy.stop()
}, 120_000)
