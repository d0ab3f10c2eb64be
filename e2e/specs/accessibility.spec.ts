import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

// Of the empty and the stale view: `first-leader.spec.ts` and `etcd-stopped.spec.ts`.
test('axe finds nothing on the list, an election, the cluster, dialogs and wrong addresses', async ({
  page,
  actors,
  elections,
  election,
  cluster,
  shell,
}) => {
  test.setTimeout(90_000)
  const prefix = '/elections/axe/ledger'
  const leader = await actors.enter({ prefix, value: 'sp-1' })
  await actors.enter({ prefix, value: 'sp-2' })
  await actors.enter({ prefix, value: 'sp-2' })
  await leader.revoke()
  await actors.put('/service/axe/leader', 'held without a lease')

  await test.step('list', async () => {
    await elections.open()
    await expect(elections.cell('axe/ledger', 'change')).toContainText('lease lost')
    await expect(elections.cell('axe/ledger', 'lease')).toContainText('of 30 s')
    await expectAccessible(page)
  })
  await test.step('dialogs', async () => {
    await page.keyboard.press('?')
    await expect(shell.dialog('All keys')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('axe')
    await expect(page.getByRole('option').first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })
  await test.step('election', async () => {
    await election.open(prefix)
    await expect(election.term(1)).toContainText('lease lost')
    await expect(election.leader).toContainText('of 30 s left')
    await election.term(1).getByRole('button').click()
    await election.leader.getByRole('button', { name: 'Show whole value' }).click()
    await page.keyboard.press('ArrowLeft')
    await expectAccessible(page)
  })
  await test.step('cluster', async () => {
    await cluster.open()
    await expect(cluster.members).toHaveCount(3)
    await expectAccessible(page)
  })
  await test.step('addresses of nothing', async () => {
    await election.open('/elections/axe/nobody-ever-put-this')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('No election')
    await expectAccessible(page)
    await cluster.open('atlantis')
    await expect(cluster.sentence).toContainText('No cluster is called “atlantis”.')
    await expectAccessible(page)
    const answer = await page.goto('/no/such/page')
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toContainText('There is nothing at this address.')
    await expectAccessible(page)
  })
})

test('axe finds nothing on a phone', async ({ browser, openContext, actors }) => {
  const prefix = '/elections/axe-phone/ledger'
  await actors.enter({ prefix, value: 'sp-1' })
  const context = await openContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  expect(browser.contexts()).toContain(context)
  const page = await context.newPage()
  await page.goto('/?q=axe-phone')
  await page.getByRole('list', { name: 'Elections' }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: 'ledger' })).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(page.getByRole('list', { name: 'Elections' })).toBeVisible()
  await expectAccessible(page)
})
