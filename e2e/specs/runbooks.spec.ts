import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

test.describe('with an etcd of its own', () => {
  test.use({ ownEtcd: true })

  test('a runbook is there, whole, when etcd is away', async ({ page, etcd, shell }) => {
    await page.goto('/')
    await shell.waitLive()
    await Promise.all(etcd.members.map((member) => member.kill()))
    await expect(shell.connection).toHaveText('Unreachable')
    await page.goto('/runbooks/quorum-lost')
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toContainText('etcd gives no answer that a majority stands behind')
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'What you see',
      'What it means for your service',
      'Check first',
      'Do',
      'When it resolves',
      'Not a fault when',
    ])
    await expect(page).toHaveTitle('quorum-lost · Runbook · Tenure')
    await expectAccessible(page)
  })
})

test('from the list to a runbook, its commands and what it points to, by keys alone', async ({ page, openContext }) => {
  await page.goto('/runbooks')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('What to do when Tenure alerts')
  await expect(page.getByRole('row')).toHaveCount(19)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'store-rolled-back' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('etcd went back to an older state')
  await expectAccessible(page)

  await test.step('commands are copied byte for byte', async () => {
    const context = await openContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const other = await context.newPage()
    await other.goto('/runbooks/store-rolled-back')
    const copy = other.getByRole('button', { name: 'Copy' }).first()
    await copy.focus()
    await other.keyboard.press('Enter')
    await expect(other.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await other.evaluate(() => navigator.clipboard.readText())).toBe(
      'export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=http://127.0.0.1:2379 # every member, separated by commas\n' +
        'PREFIX=/elections/media/ # of the queue, with its last slash; of a single-key election the whole key',
    )
  })

  await test.step('another document opens at the heading that is meant', async () => {
    await page.getByRole('link', { name: 'by hand' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/runbooks\/break-glass$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Without Tenure')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'With etcd out of space' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'With etcd out of space' })).toBeInViewport()
    // A file that has no page is named, not linked to.
    await expect(page.getByText('lib/candidate/break-glass.etcd.test.ts')).toBeVisible()
    await page.goto('/runbooks/leaderless')
    await page.getByRole('link', { name: 'All runbooks' }).click()
    await expect(page).toHaveURL(/\/runbooks$/)
  })
})

test.describe('with a rule that waits for nothing', () => {
  test.use({ settings: { alerts: { rules: { leaderless: { forMs: 0 } } } } })

  test('the report of an incident tells the alert, and leads to its runbook @long', async ({
    actors,
    election,
    page,
  }) => {
    const prefix = '/elections/runbooks/night'
    const ttlSeconds = 2
    const alone = await actors.leader({ prefix, name: 'alone', ttlSeconds })
    await election.open(prefix, '?range=15m')
    await expect(election.leaderName).toHaveText('alone')
    await alone.kill()
    await expect(page.getByRole('heading', { name: 'Nobody leads' })).toBeVisible()
    await page.getByRole('link', { name: 'Export…' }).press('Enter')
    await expect(page).toHaveURL(/\/incident\?/)
    const sheet = page.getByRole('article')
    const entry = sheet.getByRole('listitem').filter({ hasText: 'Alert:' })
    await expect(async () => {
      await page.reload()
      await expect(entry).toContainText(/^since .* has no leader.*, fired \d\d:\d\d:\d\d, not over/, { timeout: 3_000 })
    }).toPass()
    await expectAccessible(page)

    await actors.process({ prefix, name: 'heir', ttlSeconds })
    await expect(async () => {
      await page.reload()
      await expect(entry).toContainText(/, over after \d+ s/, { timeout: 3_000 })
    }).toPass()
    await entry.getByRole('link', { name: 'Runbook' }).press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Nobody leads this election')
  })
})

test('a name of no rule is said to be none @long', async ({ page }) => {
  for (const name of ['atlantis', '..%2f..%2fpackage', 'api']) {
    await page.goto(`/runbooks/${name}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('There is no runbook of this name.')
  }
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All runbooks' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('What to do when Tenure alerts')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

  test('nothing goes sideways but commands and tables, in boxes of their own @long', async ({ page, shell }) => {
    for (const path of ['/runbooks', '/runbooks/leaderless', '/runbooks/etcd-alarm', '/runbooks/break-glass']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await shell.expectNoSidewaysScroll()
    }
    await expectAccessible(page)
  })
})
