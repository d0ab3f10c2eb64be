import { expect, test } from './support/test.ts'

test.use({ clusters: { alpha: ['/elections/address/a/'], beta: ['/elections/address/b/'] } })

test('filter, sort, search and cluster are in the address: reload and back bring them back', async ({
  page,
  actors,
  elections,
  election,
  shell,
}) => {
  for (const [name, value] of [
    ['pay-1', 'worker-a'],
    ['pay-2', 'worker-c'],
    ['pay-3', 'worker-b'],
    ['mail', 'worker-d'],
  ] as const) {
    await actors.enter({ prefix: `/elections/address/b/${name}`, value })
  }
  await actors.enter({ prefix: '/elections/address/a/pay-9', value: 'worker-z' })
  const pay4 = { prefix: '/elections/address/b/pay-4' }
  await actors.enter({ ...pay4, value: 'worker-e' })
  await actors.enter({ ...pay4, value: 'worker-f' })

  await elections.open()
  await expect(elections.link('pay-9')).toBeVisible()
  await shell.clusterPicker.selectOption('beta')
  await expect(page).toHaveURL('/?cluster=beta')
  await expect(elections.link('pay-9')).toBeHidden()
  await elections.filter('Needs attention').click()
  await elections.search.fill('pay')
  await elections.sortBy('Leader').click()
  await elections.sortBy('Leader').click()

  const address = '/?cluster=beta&status=attention&q=pay&sort=-leader'
  const asAsked = async () => {
    await expect(page).toHaveURL(address)
    await expect.poll(() => elections.names()).toEqual(['pay-2', 'pay-3', 'pay-1'])
    await expect(elections.filter('Needs attention')).toBeChecked()
    await expect(elections.search).toHaveValue('pay')
    await expect(elections.column('Leader')).toHaveAttribute('aria-sort', 'descending')
    await expect(shell.clusterPicker).toHaveValue('beta')
  }
  await asAsked()
  await page.reload()
  await asAsked()

  await elections.link('pay-3').click()
  await expect(election.heading).toHaveText('pay-3')
  await election.range('6 hours').click()
  await expect(page).toHaveURL(/\?range=6h$/)
  await page.reload()
  await expect(election.range('6 hours')).toBeChecked()
  await page.goBack()
  await asAsked()
  await page.goBack()
  await expect(page).toHaveURL('/')
  await expect(elections.link('pay-9')).toBeVisible()
  await expect(elections.search).toHaveValue('')
})

test('an election opened while the address still follows the typing is opened', async ({
  page,
  actors,
  elections,
  election,
}) => {
  for (const name of ['quick-1', 'quick-2']) await actors.enter({ prefix: `/elections/address/a/${name}`, value: name })
  await elections.open()
  await expect(elections.link('quick-2')).toBeVisible()
  for (const name of ['quick-1', 'quick-2']) {
    // By the page itself: the pause after typing is shorter than a test's way to the browser and back.
    await elections.search.pressSequentially(name.at(-1) ?? '')
    await elections.link(name).evaluate((link: HTMLElement) => link.click())
    await expect(election.heading).toHaveText(name)
    await page.goBack()
    await expect(page).toHaveURL(`/?q=${name.at(-1)}`)
    await elections.search.clear()
    await expect(page).toHaveURL('/')
  }
})
