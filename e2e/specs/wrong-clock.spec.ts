import type { Page } from '@playwright/test'
import { ElectionPage } from '../pages/election-page.ts'
import { ElectionsPage } from '../pages/elections-page.ts'
import { Shell } from '../pages/shell.ts'
import { expect, test } from './support/test.ts'
import { listTruth } from './support/truth.ts'

const MINUTE = 60_000
const TTL_S = 10

declare global {
  var skewMs: number
}

/** The wall clock of every page of this context is off; `performance.now` is not, as on a real machine. */
function skewClock(skewMs: number): void {
  const RealDate = Date
  globalThis.skewMs = skewMs
  globalThis.Date = class extends RealDate {
    constructor(...given: []) {
      if (given.length === 0) super(RealDate.now() + globalThis.skewMs)
      else super(...given)
    }
    static override now() {
      return RealDate.now() + globalThis.skewMs
    }
  } as DateConstructor
}

/** What is left by the newest look-up, at the server's time now. */
async function truth(page: Page, name: string): Promise<{ leftS: number; sinceS: number }> {
  const { serverTime, elections } = await listTruth(page)
  const found = elections.find((election) => election.name === name)
  const { ttl } = found?.leader ?? {}
  if (!ttl || !found?.term) throw new Error(`no leader with a lease in ${JSON.stringify(found)}`)
  const now = Date.parse(serverTime)
  return {
    leftS: Math.min(ttl.grantedMs, Math.max(0, ttl.remainingMs - (now - Date.parse(ttl.asOf)))) / 1000,
    sinceS: (now - Date.parse(found.term.since)) / 1000,
  }
}

for (const [title, skewMs, words] of [
  ['seven minutes ahead', 7 * MINUTE, 'Your clock is 7 m ahead of the server’s.'],
  ['seven minutes behind @long', -7 * MINUTE, 'Your clock is 7 m behind the server’s.'],
] as const) {
  test(`a browser clock ${title} moves no countdown and no age`, async ({ openContext, actors }) => {
    const name = `clock/${skewMs > 0 ? 'ahead' : 'behind'}`
    await actors.enter({ prefix: `/elections/${name}`, value: 'sp-1', ttlSeconds: TTL_S })
    await actors.enter({ prefix: `/elections/${name}`, value: 'sp-2', ttlSeconds: TTL_S })
    const context = await openContext({ timezoneId: 'America/St_Johns' })
    await context.addInitScript(skewClock, skewMs)
    const page = await context.newPage()
    const elections = new ElectionsPage(page)
    const election = new ElectionPage(page)
    const shell = new Shell(page)

    const expectTrue = async (read: () => Promise<{ leftS: number; ofS: number }>) => {
      for (let sample = 0; sample < 4; sample += 1) {
        // A renewal may come to light between two questions: the truth lies before or after it.
        const askedMs = performance.now()
        const before = await read()
        const real = await truth(page, name)
        const after = await read()
        for (const shown of [before, after]) {
          expect(shown.ofS).toBe(TTL_S)
          expect(shown.leftS).toBeGreaterThanOrEqual(0)
          expect(shown.leftS).toBeLessThanOrEqual(TTL_S)
        }
        const offS = [before, after].map(({ leftS }) => Math.abs(leftS - real.leftS))
        // A loaded machine takes its time between the questions.
        const tookS = (performance.now() - askedMs) / 1_000
        expect(Math.min(...offS)).toBeLessThan(1.5 + tookS)
        await shell.waitClock(1)
      }
    }

    await elections.open('?q=clock')
    await expect(shell.banner(words)).toBeVisible()
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now() - skewMs)).toBeLessThan(MINUTE)
    await expect(elections.cell(name, 'lease')).toContainText('of 10 s')
    await expectTrue(() => elections.lease(name))

    await election.open(`/elections/${name}`)
    await expect(election.leader).toContainText('of 10 s left')
    await expectTrue(() => election.lease())
    const { sinceS } = await truth(page, name)
    const shownS = Number(/led by sp-1 for (\d+) s/.exec((await election.sentence.textContent()) ?? '')?.[1])
    expect(Math.abs(shownS - sinceS)).toBeLessThan(2.5)
    // Absolute times are the server's and name their zone.
    await expect(shell.clock).toContainText('UTC')
    await expect(election.charts).toContainText(/\d\d:\d\d to now UTC/)
    const clock =
      /(\d\d):(\d\d):(\d\d)/
        .exec((await shell.clock.textContent()) ?? '')
        ?.slice(1)
        .map(Number) ?? []
    const [hours = 0, minutes = 0, seconds = 0] = clock
    const realS = (Date.now() / 1000) % 86_400
    const offS = Math.abs(hours * 3_600 + minutes * 60 + seconds - realS)
    expect(Math.min(offS, 86_400 - offS)).toBeLessThan(3)
  })
}

test('a clock that is set while the page is open makes nothing jump', async ({ openContext, actors }) => {
  await actors.enter({ prefix: '/elections/clock/set', value: 'sp-1', ttlSeconds: 120 })
  await actors.enter({ prefix: '/elections/clock/set', value: 'sp-2', ttlSeconds: 120 })
  const context = await openContext()
  await context.addInitScript(skewClock, 0)
  const page = await context.newPage()
  const election = new ElectionPage(page)
  const shell = new Shell(page)
  await election.open('/elections/clock/set')
  await expect(election.leader).toContainText('of 120 s left')
  await expect(shell.banner('Your clock')).toBeHidden()

  for (const [step, words] of [
    [60 * MINUTE, 'Your clock is 1 h ahead of the server’s.'],
    [-60 * MINUTE, 'Your clock is 1 h behind the server’s.'],
  ] as const) {
    const before = await election.lease()
    const startedMs = performance.now()
    await page.evaluate((ms) => {
      globalThis.skewMs = ms
    }, step)
    await expect(shell.banner(words)).toBeVisible()
    await expect(shell.connection).toHaveText('Live')
    const after = await election.lease()
    const passedS = (performance.now() - startedMs) / 1000
    expect(before.leftS - after.leftS).toBeGreaterThan(-1.5)
    expect(before.leftS - after.leftS).toBeLessThan(passedS + 1.5)
    await expect(election.sentence).toHaveText(/led by sp-1 for \d+ s/)
  }
})
