import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Dashboard, startDashboard } from '../harness/dashboard.ts'
import { hasFakeClock, makeFakeClock } from '../harness/fake-clock.ts'
import { makeTempFolder } from '../harness/temp-folder.ts'
import { expect, test } from './support/test.ts'

interface Term {
  ordinal: number
  token: string
  leader: { identity: string }
  from: string
  to: string | null
}

interface History {
  terms: Term[]
  gaps: { from: string; to: string; reason: string }[]
}

const refOf = (prefix: string) => `q~${Buffer.from(`${prefix}/`).toString('base64url')}`

async function termsOf({ url }: Dashboard, prefix: string): Promise<History> {
  const input = encodeURIComponent(JSON.stringify({ cluster: 'test', ref: refOf(prefix), limit: 500 }))
  const response = await fetch(`${url}/api/trpc/elections.terms?input=${input}`)
  const body = (await response.json()) as { result: { data: History } }
  return body.result.data
}

/** History is written in batches, and a server that began a moment ago may know nothing of the election yet. */
function newestOf(server: Dashboard, prefix: string): Promise<string | undefined> {
  const newest = termsOf(server, prefix).then(({ terms }) => terms[0]?.token)
  return newest.catch(() => 'not known yet')
}

test('killed at any moment: history is whole, downtime is a gap, no term that etcd still knows is lost', async ({
  etcd,
  actors,
}) => {
  const folder = makeTempFolder('killed')
  const dataDir = join(folder.path, 'data')
  const prefix = '/elections/killed/job'
  const start = () => startDashboard({ endpoints: etcd.endpoints, watch: ['/elections/killed/'], dataDir })
  const down: number[] = []
  let leader = await actors.enter({ prefix, value: 'w0', ttlSeconds: 300 })
  for (let round = 1; round <= 4; round += 1) {
    const server = await start()
    for (let n = 1; n <= 10; n += 1) {
      const next = await actors.enter({ prefix, value: `w${round}-${n}`, ttlSeconds: 300 })
      await leader.resign()
      leader = next
    }
    await expect.poll(() => newestOf(server, prefix)).toBe(leader.revision)
    await server.kill()
    down.push(Date.now() + 5)
    const database = new DatabaseSync(join(dataDir, 'history.sqlite'), { readOnly: true })
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    database.close()
  }
  const last = await start()
  await expect.poll(() => newestOf(last, prefix)).toBe(leader.revision)
  const { terms, gaps } = await termsOf(last, prefix)
  const tokens = terms.map(({ token }) => BigInt(token))
  expect(tokens).toEqual([...tokens].sort((a, b) => (b > a ? 1 : -1)))
  expect(terms.map(({ ordinal }) => ordinal)).toEqual(terms.map((_, n) => terms.length - n))
  expect(terms.filter(({ to }) => to === null)).toHaveLength(1)
  const downtimes = gaps.filter(({ reason }) => reason === 'Tenure was not running')
  for (const at of down) {
    expect(downtimes.some(({ from, to }) => Date.parse(from) <= at && at <= Date.parse(to))).toBe(true)
  }
  await last.stop()
  folder.remove()
})

test('a data folder that cannot be written: the live view goes on, and every page says so', async ({
  etcd,
  actors,
  page,
}) => {
  const folder = makeTempFolder('unwritable')
  const dataDir = join(folder.path, 'data')
  mkdirSync(join(dataDir, 'history.sqlite'), { recursive: true })
  const prefix = '/elections/unwritable/job'
  const first = await actors.enter({ prefix, value: 'worker-a', ttlSeconds: 300 })
  await actors.enter({ prefix, value: 'worker-b', ttlSeconds: 300 })
  const server = await startDashboard({ endpoints: etcd.endpoints, watch: ['/elections/unwritable/'], dataDir })
  await page.goto(server.url)
  await expect(page.getByText(/History of test is not being written/).first()).toBeVisible()
  await expect(page.getByText('worker-a').first()).toBeVisible()
  await first.resign()
  await expect(page.getByText('worker-b').first()).toBeVisible({ timeout: 5_000 })
  await server.stop()
  folder.remove()
})

const clockNote = hasFakeClock ? '' : ' (skipped: libfaketime is not here)'

test(`the server's clock stepped by an hour: durations stay right, order is kept${clockNote}`, async ({
  etcd,
  actors,
}) => {
  test.skip(!hasFakeClock, 'libfaketime is not here')
  const folder = makeTempFolder('stepped')
  const clock = makeFakeClock(folder.path)
  const prefix = '/elections/stepped/job'
  let leader = await actors.enter({ prefix, value: 'w0', ttlSeconds: 300 })
  const server = await startDashboard({ endpoints: etcd.endpoints, watch: ['/elections/stepped/'], env: clock.env })
  const handOver = async (value: string) => {
    const next = await actors.enter({ prefix, value, ttlSeconds: 300 })
    await leader.resign()
    leader = next
    await expect.poll(() => newestOf(server, prefix)).toBe(next.revision)
  }
  const startedMs = performance.now()
  for (const [n, seconds] of [3_600, -3_600, 0].entries()) {
    clock.step(seconds)
    await handOver(`w${n + 1}`)
  }
  const passedMs = performance.now() - startedMs
  const { terms } = await termsOf(server, prefix)
  const starts = terms.map(({ from }) => Date.parse(from))
  expect(starts).toEqual([...starts].sort((a, b) => b - a))
  for (const { from, to } of terms.filter((term) => term.to !== null)) {
    const lastedMs = Date.parse(to ?? from) - Date.parse(from)
    expect(lastedMs).toBeGreaterThanOrEqual(0)
    expect(lastedMs).toBeLessThan(passedMs + 2_000)
  }
  await server.stop()
  folder.remove()
})
