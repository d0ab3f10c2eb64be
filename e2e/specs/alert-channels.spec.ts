import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HttpSink, startHttpSink } from '../harness/http-sink.ts'
import { makeTempFolder } from '../harness/temp-folder.ts'
import { AlertsPage } from '../pages/alerts-page.ts'
import { expectAccessible } from './support/accessible.ts'
import { test as base, expect } from './support/test.ts'

/** A webhook that records what it gets, as the one channel of the server. */
const test = base.extend<{ sink: HttpSink; alerts: AlertsPage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are wanted from the pattern
  sink: async ({}, use) => {
    const sink = await startHttpSink()
    await use(sink)
    await sink.stop()
  },
  settings: async ({ sink }, use) => {
    const folder = makeTempFolder('hook')
    const secretFile = join(folder.path, 'secret')
    writeFileSync(secretFile, 'secret-of-the-hook')
    await use({
      alerts: {
        rules: { leaderless: { forMs: 0 }, 'no-standby': { off: true } },
        channels: [{ name: 'hook', type: 'webhook', url: `${sink.url}/alerts`, secretFile }],
      },
    })
    folder.remove()
  },
  alerts: async ({ page }, use) => use(new AlertsPage(page)),
})
test.use({ ownEtcd: true })

test('a channel: a test is sent, an alert is told once, a failure and its end are said', async ({
  page,
  sink,
  alerts,
  actors,
  shell,
}) => {
  test.setTimeout(90_000)
  const name = 'alerts/told'
  const leader = await actors.enter({ prefix: `/elections/${name}`, value: 'worker-a' })
  await alerts.open()
  await shell.waitLive()
  await expect(alerts.channel('hook')).toContainText('never used')

  await test.step('a test', async () => {
    await alerts.sendTest('hook').press('Enter')
    await expect(alerts.channel('hook')).toContainText(/Test delivered in [\d.]+ m?s\./)
    const [request] = await sink.received(1)
    expect(request?.body).toContain('"test"')
    await expect(alerts.deliveries.filter({ hasText: 'Test' })).toContainText('delivered')
    await expectAccessible(page)
  })

  await test.step('an alert', async () => {
    await leader.revoke()
    await expect(alerts.deliveries.filter({ hasText: 'Fires' })).toContainText(/alerts\/told has no leader.*delivered/)
    await expect(alerts.channel('hook')).toContainText(/delivered \d+ s ago/)
    expect((await sink.received(2))[1]?.body).toContain(name)
    await alerts.fired.getByRole('button').click()
    await expect(alerts.fired).toContainText(/Fires to hook: delivered/)
  })

  await test.step('the other side fails, and the page says what it says', async () => {
    sink.answer({ status: 503 })
    await actors.enter({ prefix: `/elections/${name}`, value: 'worker-b' })
    await expect(alerts.channel('hook')).toContainText(/1 waiting: .*503/)
    await expect(alerts.deliveries.filter({ hasText: 'Over' })).toContainText(/waiting: .*503/)
    await alerts.sendTest('hook').click()
    await expect(alerts.channel('hook')).toContainText(/Test not delivered after .+503/)
    sink.answer({ status: 200 })
    await expect(alerts.deliveries.filter({ hasText: 'Over' })).toContainText(/delivered .+ after \d+ attempts/, {
      timeout: 40_000,
    })
    await expect(alerts.channel('hook')).toContainText(/delivered \d+ s ago/)
  })
})
