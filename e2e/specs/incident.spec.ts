import { readFileSync } from 'node:fs'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/export/job'
const ttlSeconds = 2
const TAG = '<img src=x onerror=alert(1)>|`'

test('the morning after a failover: one document says what happened, on the page, on paper and as files', async ({
  actors,
  election,
  page,
}) => {
  const doomed = await actors.leader({ prefix, name: 'doomed', ttlSeconds })
  await actors.process({ prefix, name: TAG, ttlSeconds })
  await election.open(prefix, '?range=15m')
  await expect(election.leaderName).toHaveText('doomed')
  await doomed.kill()
  await expect(election.leaderName).toHaveText(TAG)
  await expect(election.term(1)).toContainText('lease lost')

  await page.getByRole('link', { name: 'Export…' }).press('Enter')
  const sheet = page.getByRole('article')
  await expect(sheet.getByRole('heading', { level: 1 })).toHaveText(/^1 failover in 1 election in 1[45] m /)
  await expect(sheet).toContainText('All times are UTC.')
  await expect(
    sheet.getByRole('listitem').filter({ hasText: 'doomed lost the lead: #1 ended, lease lost' }),
  ).toHaveCount(1)
  await expect(sheet.getByRole('img')).toHaveAccessibleName(/^1 elections?, a lane each\. 1 failover/)
  const drawn = () => sheet.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(drawn).toBe(1_040)
  await expectAccessible(page)

  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Markdown', exact: true }).press('Enter')
  const download = await coming
  expect(download.suggestedFilename()).toMatch(/^tenure-incident-test-\d{8}T\d{6}Z-\d{8}T\d{6}Z\.md$/)
  const markdown = readFileSync(await download.path(), 'utf8')
  const told =
    /^\| (\d{4}-\d\d-\d\dT[\d:.]+Z) \| export\/job \| doomed lost the lead: \\#1 ended, lease lost \(failover, .*\) \| (.*) \|$/m.exec(
      markdown,
    )
  expect(told?.[2]).toMatch(/it expired or was revoked/)
  expect(markdown).toContain('\\<img src=x onerror=alert(1)\\>\\|\\` leads: \\#2')
  expect(markdown).not.toMatch(/(^|[^\\])<img/)
  const json = await page.request.get((await page.getByRole('link', { name: 'JSON' }).getAttribute('href')) ?? '')
  const report = await json.json()
  expect(report.elections[0].terms[0]).toMatchObject({
    identity: 'doomed',
    cause: 'lease lost',
    kind: 'failover',
    to: told?.[1],
  })

  await page.getByRole('button', { name: 'Copy Markdown' }).press('Enter')
  await expect(page.getByText('Copied.')).toBeVisible()

  // On paper there is the sheet and nothing else.
  await page.emulateMedia({ media: 'print' })
  await expect(sheet).toBeVisible()
  for (const chrome of [page.getByRole('banner'), page.getByRole('navigation'), page.getByRole('button')]) {
    for (const each of await chrome.all()) await expect(each).toBeHidden()
  }
})

test('a time that cannot be told is refused in words, and one before Tenure watched says so', async ({ page }) => {
  await page.goto('/incident?cluster=test&from=2026-03-12T03:00:00Z&to=2026-03-12T02:00:00Z')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The end must be after the beginning.')
  await page.getByLabel('To, UTC').fill('2026-03-12T03:10:00Z')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Not observed: nothing is known of these 10 m 00 s.')
  await expect(page.getByRole('article')).toContainText('Tenure had not begun to watch')
})
