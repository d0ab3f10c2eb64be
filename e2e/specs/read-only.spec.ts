import { StopDialogPage } from '../pages/stop-dialog.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const until = () => new Date(Date.now() + 3_600_000).toISOString()
const ENGAGE = {
  cluster: 'test',
  scopeBase64: btoa('/elections/'),
  match: 'prefix',
  mode: 'cooperative',
  reason: 'r',
  typedName: '/elections/',
  operation: 'op-0123456789',
}

test.use({ ownEtcd: true, settings: { readOnly: true } })

test('read-only: every page says so, no button acts, and neither does the API', async ({
  page,
  dashboard,
  actors,
  election,
  shell,
}) => {
  await actors.enter({ prefix: '/elections/job', value: 'w-1' })
  await actors.enter({ prefix: '/elections/job', value: 'w-2' })
  const stop = new StopDialogPage(page)
  await election.open('/elections/job')
  await expect(election.sentence).toContainText('is led by')
  await expect(shell.banner('Read-only.')).toBeVisible()
  await expect(stop.opener).toBeDisabled()
  await expect(stop.opener).toHaveAccessibleDescription(/read-only/)
  await page.keyboard.press('x')
  await expect(stop.dialog).toBeHidden()
  await expectAccessible(page)

  await page.goto('/switches')
  await expect(shell.banner('Read-only.')).toBeVisible()
  await expect(stop.opener).toBeDisabled()
  await expect(page.getByRole('main')).toContainText('read-only')
  await expectAccessible(page)

  const before = (await actors.client.kv.range({ key: Buffer.from('/tenure/'), range_end: Buffer.from('/tenure0') }))
    .kvs
  const answer = await fetch(`${dashboard.url}/api/trpc/actions.engageSwitch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: dashboard.url },
    body: JSON.stringify({ ...ENGAGE, until: until() }),
  })
  expect(answer.status).toBe(409)
  expect(JSON.stringify(await answer.json())).toContain('read-only')
  const after = (await actors.client.kv.range({ key: Buffer.from('/tenure/'), range_end: Buffer.from('/tenure0') })).kvs
  expect(after).toEqual(before)
})
