import { ElectionPage } from '../pages/election-page.ts'
import { HandoffDialog } from '../pages/handoff-dialog.ts'
import { firstLink, PASSWORD, PeoplePages } from '../pages/people-pages.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

test.use({ settings: { auth: 'required' } })

test('a viewer sees why not, and is refused the same past the page', async ({
  page,
  actors,
  dashboard,
  openContext,
}) => {
  const prefix = '/elections/handoff-viewer/job'
  await actors.enter({ prefix, value: 'worker-b' })
  await actors.enter({ prefix, value: 'worker-c' })
  const pages = new PeoplePages(page)
  await pages.setUp(firstLink(dashboard), { name: 'Ada', email: 'ada@example.org' })
  await page.goto('/people')
  const link = await pages.add({ name: 'Vic', email: 'vic@example.org', role: 'viewer' })
  const viewer = await (await openContext()).newPage()
  await viewer.goto(link)
  await viewer.getByLabel('Password').fill(PASSWORD)
  await viewer.getByLabel('The same again').fill(PASSWORD)
  await viewer.getByRole('button', { name: 'Set the password and sign in' }).click()
  await expect(viewer).toHaveURL('/')

  await new ElectionPage(viewer).open(prefix)
  const handoff = new HandoffDialog(viewer)
  await expect(handoff.button).toHaveAttribute('aria-disabled', 'true')
  await expect(handoff.button).toHaveAccessibleDescription(
    /^You are a viewer. To hand leadership off, you must be an operator./,
  )
  await handoff.button.hover()
  await expect(viewer.getByRole('tooltip')).toBeVisible()
  await expectAccessible(viewer)
  await handoff.button.click({ force: true })
  await viewer.keyboard.press('h')
  await expect(viewer.getByRole('dialog')).toHaveCount(0)
  const code = await viewer.evaluate(
    async (ref) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ cluster: 'test', ref, action: 'handoff' })
      const answer = await fetch('/api/trpc/actions.preflight', { method: 'POST', headers, body })
      return [
        answer.status,
        ((await answer.json()) as { error: { data: { refusal: { code: string } } } }).error.data.refusal.code,
      ]
    },
    `q~${Buffer.from(`${prefix}/`).toString('base64url')}`,
  )
  expect(code).toEqual([403, 'role'])
})
