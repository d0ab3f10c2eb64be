import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { startProxy } from '../harness/proxy.ts'
import { ElectionPage, electionPath } from '../pages/election-page.ts'
import { Shell } from '../pages/shell.ts'
import type { Actors, Entrant } from './support/actors.ts'
import { expect, test } from './support/test.ts'
import { askApi, type ListTruth, truthOf } from './support/truth.ts'

/** Longer than silence may last before a page calls itself stale. */
const ASLEEP_MS = 4_000
const NAMES = ['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'a-5']

declare global {
  var beatsMs: number[]
}

/** Six candidates in the queue; `handOver` lets the first five go, one after the other. */
async function queueOfSix(actors: Actors, prefix: string): Promise<() => Promise<void>> {
  const queue: Entrant[] = []
  for (const value of NAMES) queue.push(await actors.enter({ prefix, value, ttlSeconds: 60 }))
  return async () => {
    for (const leader of queue.slice(0, 5)) await leader.resign()
  }
}

async function ordinals(request: APIRequestContext, ref: string): Promise<number[]> {
  const { terms } = await askApi<{ terms: { ordinal: number }[] }>(request, 'elections.terms', { cluster: 'test', ref })
  return terms.map(({ ordinal }) => ordinal)
}

/** Until the newest term has lasted this long by the server's time. */
async function handedOverFor(request: APIRequestContext, ref: string, ms: number): Promise<void> {
  const lasted = async () => {
    const { serverTime, elections } = await askApi<ListTruth>(request, 'elections.list', { cluster: 'test' })
    const since = elections.find((election) => election.ref === ref)?.term?.since
    return since === undefined ? 0 : Date.parse(serverTime) - Date.parse(since)
  }
  await expect.poll(lasted).toBeGreaterThan(ms)
}

/** The right leader, and each of the five handovers once, in the table, in the events and in the API. */
async function expectCaughtUp(page: Page, request: APIRequestContext, prefix: string): Promise<void> {
  const election = new ElectionPage(page)
  await expect(election.leaderName).toHaveText('a-5', { timeout: 3_000 })
  await expect(new Shell(page).connection).toHaveText('Live', { timeout: 3_000 })
  await expect(election.terms).toHaveCount(6)
  for (const [at, name] of NAMES.entries()) {
    await expect(election.term(at + 1)).toHaveCount(1)
    await expect(election.term(at + 1)).toContainText(name)
  }
  for (const [at, name] of NAMES.slice(1).entries()) {
    await expect(election.events.filter({ hasText: `${name} leads: #${at + 2},` })).toHaveCount(1)
  }
  const truth = await truthOf(page, `${prefix}/`)
  expect(await ordinals(request, truth?.ref ?? '')).toEqual([6, 5, 4, 3, 2, 1])
}

/** Processes that run pages and workers of this test's browser. */
async function renderers(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

test('a tab that slept through five handovers shows the right leader at once', async ({
  browser,
  page,
  request,
  actors,
  election,
  shell,
}) => {
  const prefix = '/elections/sleep/frozen'
  const handOver = await queueOfSix(actors, prefix)
  await election.open(prefix)
  await expect(election.leaderName).toHaveText('a-0')
  await expect(election.terms).toHaveCount(1)
  await shell.mark()
  await page.evaluate(() => {
    globalThis.beatsMs = [performance.now()]
    setInterval(() => globalThis.beatsMs.push(performance.now()), 50)
  })

  const ref = (await truthOf(page, `${prefix}/`))?.ref ?? ''
  const asleep = await renderers(browser)
  for (const pid of asleep) process.kill(pid, 'SIGSTOP')
  try {
    await handOver()
    await expect.poll(async () => (await ordinals(request, ref)).length).toBe(6)
    await handedOverFor(request, ref, ASLEEP_MS)
  } finally {
    for (const pid of asleep) process.kill(pid, 'SIGCONT')
  }

  await expectCaughtUp(page, request, prefix)
  await shell.expectNotReloaded()
  const beatsMs = await page.evaluate(() => globalThis.beatsMs)
  const longestMs = Math.max(...beatsMs.map((at, index) => at - (beatsMs[index - 1] ?? at)))
  expect(longestMs, 'how long nothing ran in the tab').toBeGreaterThan(ASLEEP_MS)
})

for (const mode of ['black-hole', 'refuse'] as const) {
  const how = mode === 'refuse' ? 'whose connection was cut' : 'behind a dead network'
  test(`a tab ${how} says since when it is stale, then catches up`, async ({ page, request, dashboard, actors }) => {
    const prefix = `/elections/sleep/${mode}`
    const handOver = await queueOfSix(actors, prefix)
    const proxy = await startProxy({ target: dashboard.url })
    const at = proxy.endpoint
    const election = new ElectionPage(page)
    const shell = new Shell(page)
    try {
      await page.goto(at + electionPath('test', 'queue', `${prefix}/`))
      await expect(election.leaderName).toHaveText('a-0')
      await expect(election.leader).toContainText('of 60 s left')
      await shell.mark()

      await proxy.setMode(mode)
      await handOver()
      await expect(shell.connectionLine).toHaveText(/Reconnecting\s*· since \d\d:\d\d:\d\d, \d+ s ago/, {
        timeout: 5_000,
      })
      await expect(shell.banner('This page lost Tenure at')).toBeVisible()
      await expect(election.sentence).toContainText(/As of \d\d:\d\d:\d\d UTC \(\d+ s ago\)/)
      await expect(election.sentence).toContainText('was led by a-0')
      await expect(election.leader).toContainText('frozen')

      await proxy.setMode('pass')
      await expectCaughtUp(page, request, prefix)
      await expect(shell.banner('This page lost Tenure')).toBeHidden()
      await shell.expectNotReloaded()
    } finally {
      await proxy.stop()
    }
  })
}
