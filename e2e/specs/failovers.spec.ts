import { FailoversPage } from '../pages/failovers-page.ts'
import { expectAccessible } from './support/accessible.ts'
import { test as base, expect } from './support/test.ts'

const test = base.extend<{ failovers: FailoversPage }>({
  failovers: async ({ page }, use) => use(new FailoversPage(page)),
})

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six']

test('all changes of leader on one page: a mass event folded, a mark opened by keys, every change as a table', async ({
  page,
  actors,
  elections,
  election,
  failovers,
  shell,
  openContext,
}) => {
  test.setTimeout(90_000)
  const leaders = await Promise.all(
    NAMES.map(async (name) => {
      const prefix = `/elections/failovers/${name}`
      const leader = await actors.enter({ prefix, value: `${name}-a` })
      await actors.enter({ prefix, value: `${name}-b` })
      return leader
    }),
  )

  await test.step('G F goes there, / filters, and the address keeps it', async () => {
    await elections.open('?q=failovers')
    await expect(elections.link('failovers/six')).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('f')
    await expect(shell.navigation('Failovers')).toHaveAttribute('aria-current', 'page')
    await page.keyboard.press('/')
    await page.keyboard.type('/failovers/')
    await page.keyboard.press('Escape')
    await expect(failovers.sentence).toHaveText(/^No failover that matches in 24 h\./)
    await expect(page).toHaveURL(/q=%2Ffailovers%2F/)
  })

  await test.step('five leaders lost at once are one event, which unfolds into its members', async () => {
    await leaders[5]?.resign()
    await Promise.all(leaders.slice(0, 5).map((leader) => leader.revoke()))
    await expect(failovers.sentence).toHaveText(/^5 failovers that match in 24 h, 5 of them one event\./, {
      timeout: 20_000,
    })
    await expect(failovers.newest).toHaveCount(2)
    const event = failovers.newest.filter({ hasText: /5 elections moved within/ })
    await event.getByRole('button').click()
    await expect(event.getByRole('listitem')).toHaveCount(5)
    await expect(event.getByRole('listitem').first()).toContainText('-a → ')
    await expect(failovers.causes.filter({ hasText: 'Lease lost' })).toContainText('5 in events')
    await expect(failovers.led).toHaveCount(7)
    await expectAccessible(page)
  })

  await test.step('a mark says what it is, and Enter opens the election at that moment', async () => {
    await failovers.marks.focus()
    await page.keyboard.press('Home')
    await expect(failovers.marks).toHaveAttribute('aria-valuetext', /failovers\/six, Resigned or removed/)
    await page.keyboard.press('ArrowRight')
    await expect(failovers.marks).toHaveAttribute('aria-valuetext', /5 elections moved within/)
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect(election.heading).toHaveText('six')
    await expect(page).toHaveURL(/[?&]end=/)
    await page.goBack()
  })

  await test.step('every change as a table, also after a reload', async () => {
    await failovers.all.click()
    await expect(failovers.changes).toHaveCount(7)
    await expect(page).toHaveURL(/all=1/)
    await page.reload()
    await expect(failovers.changes.filter({ hasText: 'failovers/six' })).toContainText('six-a → six-b')
    await expectAccessible(page)
  })

  await test.step('a phone has no sideways scrolling', async () => {
    const context = await openContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
    const phone = await context.newPage()
    await phone.goto('/failovers?q=/failovers/')
    await expect(new FailoversPage(phone).newest).toHaveCount(2)
    const { scrollWidth } = await phone.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }))
    expect(scrollWidth).toBe(390)
  })
})
