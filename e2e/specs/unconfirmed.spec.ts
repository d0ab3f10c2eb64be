import { ElectionPage } from '../pages/election-page.ts'
import { expectAccessible } from './support/accessible.ts'
import type { Actors } from './support/actors.ts'
import { expect, test } from './support/test.ts'

// What an admin confirmed is remembered by the server: no other test may see it.
test.use({ settings: {} })

/** Two servers that told a registry where they are. */
async function register(actors: Actors, prefix: string) {
  for (const address of ['10.0.0.7:8080', '10.0.0.8:8080']) {
    const lease = await actors.lease()
    await actors.put(`${prefix}/${lease}`, address, lease)
  }
}

test('a look-alike carries no actions until an admin says that it is an election; by the keyboard alone', async ({
  page,
  actors,
  election,
}) => {
  const prefix = '/elections/registry/orders.rpc'
  await register(actors, prefix)
  await election.open(prefix)
  await expect(election.sentence).toContainText('unconfirmed')
  await expect(page.getByRole('button', { name: 'Hand off…' })).toBeDisabled()
  const opener = page.getByRole('button', { name: 'Confirm…' })
  await expect(opener).toHaveAttribute('aria-disabled', 'false')
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Service registries')
  await expectAccessible(page)
  const effect = dialog.getByRole('button', { name: 'Confirm that registry/orders.rpc is an election' })
  await expect(effect).toBeDisabled()
  await dialog.getByLabel('Reason').focus()
  await page.keyboard.type('it elects the writer of orders')
  // Cancel, then the effect.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(effect).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('It counts as an election from now on.')
  await page.keyboard.press('Escape')
  await expect(election.sentence).toContainText('is led by')
  await expect(opener).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Hand off…' })).toBeEnabled()
  await page.reload()
  await expect(new ElectionPage(page).sentence).toContainText('is led by')
})

test('confirmed by mouse @long', async ({ page, actors, election }) => {
  const prefix = '/elections/registry/bills.rpc'
  await register(actors, prefix)
  await election.open(prefix)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Confirm…' }).click()
  await dialog.getByLabel('Reason').fill('it elects the writer of bills')
  await dialog.getByRole('button', { name: 'Confirm that registry/bills.rpc is an election' }).click()
  await expect(dialog).toContainText('It counts as an election from now on.')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(election.sentence).toContainText('is led by')
})
