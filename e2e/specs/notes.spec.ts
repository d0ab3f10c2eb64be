import { ElectionPage } from '../pages/election-page.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/notes/job'

test('the end of a term is acknowledged and noted by keyboard alone; two who write at once do not overwrite each other', async ({
  actors,
  election,
  page,
  openContext,
}) => {
  const first = await actors.enter({ prefix, value: 'worker-a' })
  await actors.enter({ prefix, value: 'worker-b' })
  await election.open(prefix)
  await expect(election.leaderName).toHaveText('worker-a')
  await first.resign()
  const row = election.term(1)
  await row.getByRole('button', { name: 'resigned or removed' }).press('Enter')
  await page.getByRole('button', { name: 'Acknowledge the end of term #1' }).press('Enter')
  await expect(page.getByText(/^Acknowledged by somebody on this machine, /)).toBeVisible()
  await expect(row.getByRole('img', { name: 'acknowledged by somebody on this machine' })).toBeVisible()

  const other = new ElectionPage(await (await openContext()).newPage())
  await other.open(prefix)
  await other.term(1).getByRole('button', { name: 'resigned or removed' }).click()
  await other.page.getByRole('button', { name: 'Write a note' }).click()

  await page.getByRole('button', { name: 'Write a note' }).press('Enter')
  await page.keyboard.type('The disk was full.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('blockquote')).toContainText('The disk was full.')
  await expect(row.getByRole('img', { name: 'has a note' })).toBeVisible()

  await other.page.getByRole('textbox', { name: /^Note on term #1/ }).fill('No idea.')
  await other.page.getByRole('button', { name: 'Save note' }).click()
  await expect(other.page.getByText(/^Not written: /)).toContainText(
    'the note was changed meanwhile: by somebody on this machine it reads "The disk was full."',
  )
  await expect(other.page.getByRole('textbox', { name: /^Note on term #1/ })).toHaveValue('No idea.')
  await expect(other.page.getByRole('button', { name: 'Save mine after it' })).toBeEnabled()

  await page.getByRole('button', { name: 'Edit note' }).press('Enter')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('The disk of worker-a was full.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '2 versions' }).press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: 'The disk was full.' })).toBeVisible()
  await expectAccessible(page)

  // It is history: a reload shows the same.
  await page.reload()
  await election.term(1).getByRole('button', { name: 'resigned or removed' }).click()
  await expect(page.getByRole('blockquote')).toContainText('The disk of worker-a was full.')
})
