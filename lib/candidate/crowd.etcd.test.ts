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

/** As etcd counts them: those that began and have not ended. */
async function openStreams(method: string): Promise<number> {
  const text = await (await fetch(`${scene.etcd.endpoints[0]}/metrics`)).text()
  const count = (what: string) =>
    [...text.matchAll(new RegExp(`^grpc_server_${what}_total\\{[^}]*grpc_method="${method}"[^}]*\\} (\\d+)$`, 'gm'))]
      .map(([, digits]) => Number(digits))
      .reduce((sum, each) => sum + each, 0)
  return count('started') - count('handled')
}

it('100 elections with 10 candidates each in one process: one connection, and little CPU while idle', async () => {
  const proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
  const lines: (CrowdReady | CrowdIdle)[] = []
  const args = [script, proxy.endpoint, '100', '10', '30', '30']
  const child = spawnOwned(process.execPath, args, { onLine: (line) => lines.push(JSON.parse(line)) })
  let most = 0
  let streams: number[] = []
  const idling = setTimeout(async () => {
    streams = [await openStreams('Watch'), await openStreams('LeaseKeepAlive')]
  }, 30_000)
  const timer = setInterval(() => {
    if (lines.length === 1) most = Math.max(most, proxy.connections)
  }, 20)
  expect(await child.exited).toBe(0)
  clearInterval(timer)
  clearTimeout(idling)
  const [ready, idle] = lines as [CrowdReady, CrowdIdle]
  console.error(
    `1,000 candidates: all led after ${ready.readyMs} ms; idle ${idle.cpuPercent} % CPU, ${most} connection(s)`,
  )
  expect([idle.led, idle.terms]).toEqual([100, 100])
  expect(streams).toEqual([1, 1])
  expect(most).toBeLessThanOrEqual(3)
  expect(idle.cpuPercent).toBeLessThan(10)
  expect(await scene.keys('crowd/')).toEqual([])
  await proxy.stop()
}, 120_000)

it('an etcd that answers nothing for 5 s, while renewals of 500 candidates are due, costs none of them its seat', async () => {
  const [member] = scene.etcd.members
  const lines: (CrowdReady | CrowdIdle)[] = []
  const args = [script, scene.etcd.endpoints[0] ?? '', '100', '5', '30', '20']
  const child = spawnOwned(process.execPath, args, {
    onLine: (line) => {
      if (lines.push(JSON.parse(line)) > 1) return
      setTimeout(() => member?.freeze(), 10_000)
      setTimeout(() => member?.thaw(), 15_000)
    },
  })
  expect(await child.exited).toBe(0)
  const idle = lines[1] as CrowdIdle
  expect([idle.led, idle.terms]).toEqual([100, 100])
}, 120_000)
