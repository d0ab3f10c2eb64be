import type { Page } from '@playwright/test'
import { AlertsPage } from '../pages/alerts-page.ts'
import type { Actors, Entrant } from './support/actors.ts'
import { expect, test } from './support/test.ts'

const STREAMING_MS = 8_000
const MOST_SHIFT = 0.01
const NAMES = ['worker-a', 'worker-b', 'worker-c']

declare global {
  var shifts: { value: number; what: string[] }[]
  var places: string[]
}

/** From now on every movement of what stands on the page is written down, and every place of its parts. */
async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    globalThis.shifts = []
    globalThis.places = []
    const isRow = (node: Node | null) =>
      (node instanceof Element ? node : node?.parentElement)?.closest('tbody') != null
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as (PerformanceEntry & {
        value: number
        sources: { node: Node | null }[]
      })[]) {
        // Rows give way to newer ones above them: so does every table that has the newest first.
        if (sources.every(({ node }) => isRow(node))) continue
        const what = sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 200) ?? '')
        globalThis.shifts.push({ value, what })
      }
    }).observe({ type: 'layout-shift' })
    const look = () => {
      const parts = [...document.querySelectorAll('main :is(header, section, figure, thead, h1, h2)')]
      const boxes = parts.map((part) => ({ part, ...part.getBoundingClientRect().toJSON() }))
      const text = boxes
        .map(({ part, left, top }) => `${part.tagName} ${Math.round(left)},${Math.round(top)}`)
        .join(' ')
      if (text !== globalThis.places.at(-1)) globalThis.places.push(text)
      requestAnimationFrame(look)
    }
    look()
  })
}

async function expectNoShift(page: Page): Promise<void> {
  expect(await page.evaluate(() => globalThis.places)).toHaveLength(1)
  const shifts = await page.evaluate(() => globalThis.shifts)
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThanOrEqual(MOST_SHIFT)
}

/** A handover in each queue in turn and a proclaim, again after each `pause`, until the time is over. */
async function stream(queues: Entrant[][], pause = async () => {}): Promise<number> {
  const untilMs = performance.now() + STREAMING_MS
  let changes = 0
  while (performance.now() < untilMs) {
    const queue = queues[changes % queues.length] ?? []
    const leader = queue.shift()
    if (leader !== undefined) queue.push(await leader.requeue())
    await queue[0]?.proclaim()
    changes += 1
    await pause()
  }
  return changes
}

const enter = async (actors: Actors, prefixes: readonly string[]) => {
  const queues: Entrant[][] = []
  for (const prefix of prefixes) {
    const queue: Entrant[] = []
    for (const value of NAMES) queue.push(await actors.enter({ prefix, value }))
    queues.push(queue)
  }
  return queues
}

// What other journeys left behind must not come to light meanwhile, and the streams below are no flapping.
const rules = { leaderless: { forMs: 0 }, flapping: { off: true }, 'no-standby': { off: true } }
test.use({ ownEtcd: true, settings: { alerts: { rules } } })

test('nothing moves on the list while changes stream in', async ({ page, actors, elections }) => {
  const prefixes = ['one', 'two', 'three'].map((name) => `/elections/still/${name}`)
  const queues = await enter(actors, prefixes)
  await elections.open('?q=still/&sort=election')
  await expect(elections.cell('still/three', 'lease')).toContainText('of 30 s')
  await expect(elections.cell('still/three', 'renewal')).toContainText('ms')
  await watchShifts(page)
  expect(await stream(queues)).toBeGreaterThan(10)
  await expect(elections.cell('still/one', 'leader')).toContainText('worker-')
  await expectNoShift(page)
})

test('nothing moves on an election’s page while changes stream in', async ({ page, actors, election, shell }) => {
  const prefix = '/elections/still/page'
  const queues = await enter(actors, [prefix])
  const [queue = []] = queues
  // Revisions of four digits, so that none grows by one while the page is watched.
  while (Number(await queue[0]?.proclaim()) < 1_000);
  // A table that has reached its length, as it has on any day but the first.
  for (let terms = 0; terms < 8; terms += 1) {
    const leader = queue.shift()
    if (leader !== undefined) queue.push(await leader.requeue())
  }
  await election.open(prefix)
  await expect(election.term(9)).toBeVisible()
  await expect(election.leader).toContainText('of 30 s left')
  await expect(election.events.nth(13)).toBeVisible()
  await expect(election.leaseKeys).toContainText(prefix)
  await expect(election.charts.getByRole('figure')).toHaveCount(4)
  await watchShifts(page)
  // As busy as no real election is: a handover every second.
  expect(await stream(queues, () => shell.waitClock(1))).toBeGreaterThan(5)
  await expectNoShift(page)
})

test('nothing moves on the alerts page while changes stream in', async ({ page, actors }) => {
  const alone = await actors.enter({ prefix: '/elections/still/alone', value: 'worker-a' })
  const queues = await enter(actors, ['/elections/still/four'])
  const alerts = new AlertsPage(page)
  await alerts.open()
  await alone.revoke()
  await expect(alerts.alert('still/alone')).toContainText('Nobody has led since')
  await expect(alerts.sentence).toContainText('still/alone has no leader')
  await watchShifts(page)
  expect(await stream(queues)).toBeGreaterThan(10)
  await expect(alerts.sentence).toContainText('1 alert fires')
  await expectNoShift(page)
})
