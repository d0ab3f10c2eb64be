import { AlertsPage } from '../pages/alerts-page.ts'
import { firstLink, PeoplePages } from '../pages/people-pages.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

test.use({
  ownEtcd: true,
  settings: { auth: 'required', alerts: { rules: { leaderless: { forMs: 0 } } } },
})

test('a viewer sees what fires and why nothing can be done, and is refused the same past the page @long', async ({
  page,
  actors,
  dashboard,
  openContext,
}) => {
  test.setTimeout(90_000)
  const name = 'alerts/job'
  const leader = await actors.enter({ prefix: `/elections/${name}`, value: 'worker-a' })
  const ada = new PeoplePages(page)
  await ada.setUp(firstLink(dashboard), { name: 'Ada', email: 'ada@example.org' })
  await ada.choose('People')
  const newcomer = async (who: string, role: string) => {
    const link = await ada.add({ name: who, email: `${who.toLowerCase()}@example.org`, role })
    await page.getByRole('button', { name: 'Done' }).click()
    const own = await (await openContext()).newPage()
    await new PeoplePages(own).setUp(link)
    return own
  }
  const viewer = await newcomer('Vi', 'viewer')
  const operator = await newcomer('Bob', 'operator')
  await leader.revoke()

  await test.step('the viewer', async () => {
    const alerts = new AlertsPage(viewer)
    await alerts.open()
    await expect(alerts.alert(name)).toContainText('Nobody has led since')
    const all = [alerts.acknowledge(name), alerts.silence(name), alerts.panel('Silences').getByRole('button').first()]
    for (const button of all) {
      await expect(button).toBeDisabled()
      await expect(button).toHaveAccessibleDescription(
        /^You are a viewer. To acknowledge or silence alerts, you must be an operator./,
      )
    }
    await alerts.acknowledge(name).focus()
    await viewer.keyboard.press('Enter')
    await expect(alerts.dialog).toHaveCount(0)
    await expectAccessible(viewer)
    const refused = await viewer.evaluate(async () => {
      const headers = { 'content-type': 'application/json' }
      const ask = async (path: string, input: object) => {
        const answer = await fetch(`/api/trpc/alerts.${path}`, { method: 'POST', headers, body: JSON.stringify(input) })
        return [
          answer.status,
          ((await answer.json()) as { error: { data: { refusal?: { code: string } } } }).error.data.refusal?.code,
        ]
      }
      const until = new Date(Date.now() + 3_600_000).toISOString()
      return [await ask('silence', { until, comment: 'quiet' }), await ask('test', { channel: 'any' })]
    })
    expect(refused).toEqual([
      [403, 'role'],
      [403, 'role'],
    ])
  })

  await test.step('an operator may; the viewer sees who did', async () => {
    const alerts = new AlertsPage(operator)
    await alerts.open()
    await alerts.acknowledge(name).click()
    await alerts.comment.fill('on it')
    await operator.keyboard.press('ControlOrMeta+Enter')
    await expect(alerts.alert(name)).toContainText('Acknowledged by Bob')
    await expect(new AlertsPage(viewer).alert(name)).toContainText(/Acknowledged by Bob, .+: on it/)
  })
})
