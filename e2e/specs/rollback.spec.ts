import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { EtcdCluster } from '../harness/etcd.ts'
import { restoreSnapshot } from '../harness/restore.ts'
import { makeTempFolder } from '../harness/temp-folder.ts'
import { StopDialogPage } from '../pages/stop-dialog.ts'
import { expectAccessible } from './support/accessible.ts'
import type { Actors } from './support/actors.ts'
import { expect, test } from './support/test.ts'

// A store is put back: no other test may be in it.
test.use({ ownEtcd: true })

const ELECTION = '/elections/restored/job'

/** Everything since `before` is lost, as after a backup was restored. */
async function goBack(etcd: EtcdCluster, actors: Actors, page: Page): Promise<void> {
  const folder = makeTempFolder('snapshot')
  const file = join(folder.path, 'backup.db')
  const [endpoint] = etcd.endpoints
  const { code, stderr } = await etcd.etcdctl(['snapshot', 'save', file], { endpoints: [endpoint as string] })
  if (code !== 0) throw new Error(stderr)
  for (let step = 0; step < 20; step += 1) await actors.put(`/elsewhere/${step}`, 'later', '0')
  // The revision that will be missed has to have been seen.
  await expect(page.getByRole('banner').getByRole('status').locator('xpath=..')).toContainText('rev')
  await page.waitForTimeout(2_500)
  await restoreSnapshot(etcd, file)
  folder.remove()
}

test('a store that went back freezes every action until an admin acknowledges it, by mouse or by keyboard alone', async ({
  page,
  etcd,
  actors,
  election,
  cluster,
  shell,
}) => {
  test.setTimeout(120_000)
  const stop = new StopDialogPage(page)
  const handOff = page.getByRole('button', { name: 'Hand off…' })
  const opener = page.getByRole('button', { name: 'Acknowledge…' })
  const dialog = page.getByRole('dialog', { name: 'Acknowledge the rollback of test' })
  const effect = dialog.getByRole('button', { name: 'Acknowledge the rollback of test' })
  await actors.enter({ prefix: ELECTION, value: 'w-1' })
  await actors.enter({ prefix: ELECTION, value: 'w-2' })
  await election.open(ELECTION)
  await shell.waitLive()
  await expect(handOff).toBeEnabled()

  await test.step('nothing is handed off, and the cluster’s page says why', async () => {
    await goBack(etcd, actors, page)
    await expect(handOff).toBeDisabled({ timeout: 20_000 })
    await expect(handOff).toHaveAccessibleDescription(/rolled back/)
    await cluster.open('test')
    await expect(page.getByRole('main')).toContainText('The store went back')
    await expectAccessible(page)
  })
  await test.step('by mouse: a reason and the typed name', async () => {
    await opener.click()
    await expect(dialog).toContainText('Before you do')
    await expect(effect).toBeDisabled()
    await dialog.getByLabel('Reason').fill('backup of 03:00')
    await expect(effect).toBeDisabled()
    await stop.typed.pressSequentially('tes')
    await expect(effect).toBeDisabled()
    await stop.typed.pressSequentially('t')
    await expectAccessible(page)
    await effect.click()
    await expect(dialog).toContainText('Verified')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(opener).toHaveCount(0)
    await expect(page.getByRole('main')).not.toContainText('The store went back')
    await election.open(ELECTION)
    await expect(handOff).toBeEnabled()
  })
  await test.step('once more, by the keyboard alone', async () => {
    await goBack(etcd, actors, page)
    await expect(handOff).toBeDisabled({ timeout: 20_000 })
    await cluster.open('test')
    // Off while the view is stale; a key does not wait for it as a click does.
    await expect(opener).toHaveAttribute('aria-disabled', 'false')
    await opener.focus()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Reason').focus()
    await page.keyboard.type('the backup before that')
    await page.keyboard.press('Tab')
    await expect(stop.typed).toBeFocused()
    await page.keyboard.type('test')
    await page.keyboard.press('Enter')
    // Cancel, then the effect.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(effect).toBeFocused()
    await expect(dialog).not.toContainText('Verified')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Verified')
    await page.keyboard.press('Escape')
    await expect(opener).toHaveCount(0)
  })
})
