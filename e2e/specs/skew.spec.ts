import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

test.use({ clusters: { test: { watch: ['/elections/skew/'] } } })

test('the cluster page shows who leads how many, and which handoffs would even it out', async ({
  actors,
  cluster,
  page,
}) => {
  for (const job of ['a', 'b', 'c', 'd']) {
    await actors.enter({ prefix: `/elections/skew/${job}`, value: 'host-1' })
    await actors.enter({ prefix: `/elections/skew/${job}`, value: 'host-2' })
  }
  await cluster.open()
  const skew = page.getByRole('region', { name: 'Spread of leaderships' })
  await expect(skew).toContainText('host-1 leads 4 of 4 elections. 2 handoffs to who is next up')
  await expect(skew.getByRole('row', { name: /^host-1 4 / })).toBeVisible()
  await expect(skew.getByRole('row', { name: /^host-2 0 4 2$/ })).toBeVisible()
  await expectAccessible(page)
  await skew.getByRole('listitem').first().getByRole('link').press('Enter')
  await expect(page.getByRole('button', { name: /^Hand off/ })).toBeVisible()
})
