import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDashboard } from './dashboard.ts'
import { makeTempFolder, type TempFolder } from './temp-folder.ts'

// A stand-in for the server: healthy after 300 ms, tells its environment, ends on SIGTERM with code 0.
const standIn = `
import { createServer } from 'node:http'
const startedAt = performance.now()
process.on('SIGTERM', () => process.exit(0))
const { TENURE_ETCD_ENDPOINTS, TENURE_WATCH, TENURE_DATA, EXTRA } = process.env
console.error(JSON.stringify({ TENURE_ETCD_ENDPOINTS, TENURE_WATCH, TENURE_DATA, EXTRA }))
if (EXTRA === 'broken') throw new Error('wrong setting')
createServer((request, response) => {
  response.statusCode = performance.now() - startedAt > 300 ? 200 : 503
  response.end()
}).listen(Number(process.env.PORT), '127.0.0.1')
`
let folder: TempFolder
let entry: string

beforeAll(() => {
  folder = makeTempFolder('stand-in')
  entry = join(folder.path, 'main.mjs')
  writeFileSync(entry, standIn)
})
afterAll(() => folder.remove())

it('waits for health, hands on the settings and stops cleanly', async () => {
  const startedAt = performance.now()
  const dashboard = await startDashboard({ endpoints: ['http://a:1', 'http://b:2'], entry, env: { EXTRA: 'x' } })
  expect(performance.now() - startedAt).toBeGreaterThan(300)
  expect((await fetch(`${dashboard.url}/api/health`)).status).toBe(200)
  expect(JSON.parse(dashboard.log())).toEqual({
    TENURE_ETCD_ENDPOINTS: 'http://a:1,http://b:2',
    TENURE_WATCH: '/elections/',
    TENURE_DATA: dashboard.dataDir,
    EXTRA: 'x',
  })
  expect(await dashboard.stop()).toBe(0)
  expect(existsSync(`/proc/${dashboard.pid}`)).toBe(false)
  expect(dashboard.log()).toContain('http://a:1')
})

it('can be killed', async () => {
  const dashboard = await startDashboard({ endpoints: ['http://a:1'], entry })
  await dashboard.kill()
  expect(await dashboard.process.exited).toBe('SIGKILL')
  await dashboard.stop()
})

it('a server that ends while it starts is reported with its own words', async () => {
  const start = startDashboard({ endpoints: ['http://a:1'], entry, env: { EXTRA: 'broken' } })
  await expect(start).rejects.toThrow('wrong setting')
})
