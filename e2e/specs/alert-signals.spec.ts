import type { BrowserContext, Page } from '@playwright/test'
import { AlertsPage } from '../pages/alerts-page.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

interface Told {
  title: string
  body: string
  tag: string
}
declare global {
  var told: Told[]
  var isHidden: boolean
}

/** A browser whose notifications are written down, and whose tabs can be said to be hidden. */
async function prepare(context: BrowserContext, answer: NotificationPermission): Promise<void> {
  await context.addInitScript((answered) => {
    globalThis.told = []
    globalThis.isHidden = false
    Object.defineProperty(document, 'visibilityState', { get: () => (globalThis.isHidden ? 'hidden' : 'visible') })
    class Recorded {
      static permission: NotificationPermission = answered === 'denied' ? 'denied' : 'default'
      static async requestPermission() {
        Recorded.permission = answered
        return answered
      }
      onclick: (() => void) | null = null
      constructor(title: string, options: { body: string; tag: string }) {
        globalThis.told.push({ title, ...options })
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Recorded })
  }, answer)
}

async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((is) => {
    globalThis.isHidden = is
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

const toldIn = (page: Page) => page.evaluate(() => globalThis.told.map(({ title }) => title))

test.use({
  ownEtcd: true,
  settings: { alerts: { rules: { leaderless: { forMs: 0 }, 'no-standby': { off: true } } } },
})

test('asked for: what begins to fire while nobody looks is told once, and the title counts', async ({
  page,
  context,
  actors,
  elections,
  shell,
}) => {
  test.setTimeout(90_000)
  await prepare(context, 'granted')
  const enter = (name: string) => actors.enter({ prefix: `/elections/signals/${name}`, value: `${name}-a` })
  const [early, late, last] = [await enter('early'), await enter('late'), await enter('last')]
  const alerts = new AlertsPage(page)
  await alerts.open()
  await early.revoke()
  await expect(alerts.sentence).toContainText('signals/early has no leader')

  const panel = alerts.panel('In this browser')
  await expect(panel).toContainText('Off.')
  await hide(page, true)
  await expect(page).toHaveTitle('Alerts · Tenure')
  await hide(page, false)
  await panel.getByRole('button').press('Enter')
  await expect(panel).toContainText('On.')
  await expectAccessible(page)
  await expect(page).toHaveTitle('Alerts · Tenure')

  await test.step('hidden: the title counts, and nothing is told of what fired before', async () => {
    await hide(page, true)
    await expect(page).toHaveTitle('(1) Alerts · Tenure')
    await late.revoke()
    await expect.poll(() => toldIn(page)).toEqual(['signals/late has no leader and no candidates'])
    await expect(page).toHaveTitle('(2) Alerts · Tenure')
    const [told] = await page.evaluate(() => globalThis.told)
    expect(told?.body).toContain('Nobody has led since')
  })

  await test.step('looked at again: the title is plain, and stays right from page to page', async () => {
    await hide(page, false)
    await expect(page).toHaveTitle('Alerts · Tenure')
    await shell.navigation('Elections').click()
    await expect(page).toHaveTitle('Elections · Tenure')
    await expect(elections.attention.getByRole('link')).toHaveCount(2)
    await hide(page, true)
    await expect(page).toHaveTitle('(2) Elections · Tenure')
  })

  await test.step('two tabs tell it once', async () => {
    const other = await context.newPage()
    await other.goto('/audit')
    await expect(new AlertsPage(other).badge).toBeVisible()
    await hide(other, true)
    await expect(other).toHaveTitle('(2) Audit · Tenure')
    await last.revoke()
    await expect(other).toHaveTitle('(3) Audit · Tenure')
    await expect(page).toHaveTitle('(3) Elections · Tenure')
    await expect
      .poll(async () => [...(await toldIn(page)), ...(await toldIn(other))].filter((title) => title.includes('last')))
      .toHaveLength(1)
    await shell.waitClock(1).catch(() => {})
    expect([...(await toldIn(page)), ...(await toldIn(other))]).toHaveLength(2)
  })

  await test.step('turned off in one tab, it is off in all', async () => {
    await hide(page, false)
    await shell.navigation('Alerts').click()
    await panel.getByRole('button', { name: 'Turn off' }).click()
    await expect(panel).toContainText('Off.')
    await hide(page, true)
    await expect(page).toHaveTitle('Alerts · Tenure')
    await expect(context.pages()[1] as Page).toHaveTitle('Audit · Tenure')
  })
})

test('a browser that blocks notifications is told what to do; the title counts all the same @long', async ({
  page,
  context,
  actors,
}) => {
  await prepare(context, 'denied')
  const leader = await actors.enter({ prefix: '/elections/signals/blocked', value: 'a' })
  const alerts = new AlertsPage(page)
  await alerts.open()
  const panel = alerts.panel('In this browser')
  await panel.getByRole('button').click()
  await expect(panel).toContainText('Notifications are blocked: allow them for this address')
  await expectAccessible(page)
  await hide(page, true)
  await leader.revoke()
  await expect(page).toHaveTitle('(1) Alerts · Tenure')
  expect(await toldIn(page)).toEqual([])
})
