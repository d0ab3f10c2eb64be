import { refOf } from '../../lib/election/ids.ts'
import { startProxy } from '../harness/proxy.ts'
import { AlertsPage } from '../pages/alerts-page.ts'
import { expectAccessible } from './support/accessible.ts'
import { test as base, expect } from './support/test.ts'

const test = base.extend<{ alerts: AlertsPage }>({
  alerts: async ({ page }, use) => use(new AlertsPage(page)),
})

const TAG = '<img src=x onerror=alert(1)>'

// A server and an etcd of its own: nothing else fires there. A lone candidate is no trouble here.
test.use({
  ownEtcd: true,
  settings: { alerts: { rules: { leaderless: { forMs: 0 }, 'no-standby': { off: true } } } },
})

test('a leader goes and nobody waits: seen, acknowledged and silenced by keyboard, over, and in the past', async ({
  page,
  actors,
  elections,
  election,
  alerts,
  shell,
}) => {
  test.setTimeout(120_000)
  const name = 'alerts/job'
  const prefix = `/elections/${name}`
  const leader = await actors.enter({ prefix, value: 'worker-a' })
  await elections.open()
  await expect(elections.cell(name, 'leader')).toContainText('worker-a')
  await expect(elections.attention).toContainText('Nothing needs attention.')
  await expect(alerts.badge).toHaveCount(0)

  await test.step('the strip and the bell say so', async () => {
    await leader.revoke()
    const item = elections.attention.getByRole('link')
    await expect(item).toHaveCount(1)
    await expect(item).toContainText('Leaderless')
    await expect(item).toContainText(name)
    await expect(item).toContainText('worker-a lost its lease at')
    await expect(alerts.badge).toHaveText('1 fire, not acknowledged')
  })

  await test.step('G A goes to the page, which opens with one sentence', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await expect(page).toHaveURL('/alerts')
    await expect(page.getByRole('textbox', { name: 'Show everything as of' })).toBeHidden()
    await expect(shell.navigation('Alerts')).toHaveAttribute('aria-current', 'page')
    await expect(alerts.sentence).toHaveText(
      /^1 alert fires, critical and not acknowledged: alerts\/job has no leader and no candidates since \d\d:\d\d:\d\d\.$/,
    )
    await expect(alerts.alert(name)).toContainText('Nobody has led since')
    await expect(alerts.alert(name).getByRole('link', { name: 'Runbook: Leaderless' })).toHaveAttribute(
      'href',
      '/runbooks/leaderless',
    )
    await expectAccessible(page)
  })

  await test.step('acknowledged, with a comment', async () => {
    await alerts.acknowledge(name).focus()
    await page.keyboard.press('Enter')
    await expect(alerts.comment).toBeFocused()
    await page.keyboard.type('I look at it')
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(alerts.dialog).toBeHidden()
    await expect(alerts.alert(name)).toContainText(/Acknowledged by .+, \d\d:\d\d:\d\d UTC: I look at it/)
    await expect(alerts.sentence).toContainText('1 alert fires, acknowledged')
    // Whoever works by keys stays where they were.
    await expect(page.getByRole('button', { name: `Acknowledge again… ${name}` })).toBeFocused()
    await expect(alerts.badge).toHaveCount(0)
  })

  await test.step('silenced from itself, and the silence ended', async () => {
    await alerts.silence(name).focus()
    await page.keyboard.press('Enter')
    await expect(alerts.dialog.getByRole('textbox', { name: 'Prefix of the election' })).toHaveValue(`${prefix}/`)
    await expect(alerts.dialog.getByRole('combobox', { name: 'Rule' })).toHaveValue('leaderless')
    await expect(alerts.dialog.getByRole('region', { name: 'What it fits now' })).toContainText(name)
    const send = alerts.dialog.getByRole('button', { name: /^Silence until/ })
    await expect(send).toBeDisabled()
    await expect(alerts.comment).toBeFocused()
    await page.keyboard.type('disk is being replaced')
    await expect(send).toBeEnabled()
    await expectAccessible(page)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(alerts.dialog).toBeHidden()
    await expect(alerts.sentence).toContainText(
      'Nothing fires that is not silenced. 1 alert is silenced. 1 silence holds until',
    )
    await expect(alerts.panel('Silenced')).toContainText(/Silenced by .+ until .+: disk is being replaced/)
    await expect(alerts.silences).toContainText([/Leaderless of \/elections\/alerts\/job\/ in test.*left/])
    await alerts.silences.getByRole('button', { name: /^End…/ }).press('Enter')
    await expect(alerts.dialog).toContainText('1 alert that fires may be told at once.')
    await alerts.dialog.getByRole('button', { name: 'End it now' }).press('Enter')
    await expect(alerts.dialog).toBeHidden()
    await expect(alerts.silences).toContainText([/ended by .+ at/])
    await expect(alerts.sentence).toContainText('1 alert fires, acknowledged')
  })

  await test.step('its runbook', async () => {
    await alerts.alert(name).getByRole('link', { name: 'Runbook: Leaderless' }).press('Enter')
    await expect(page).toHaveURL('/runbooks/leaderless')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(shell.navigation('Alerts')).toHaveAttribute('aria-current', 'page')
    await page.goBack()
  })

  await test.step('it leads to the election at that moment', async () => {
    await alerts.alert(name).getByRole('link', { name }).press('Enter')
    await expect(page).toHaveURL(/\/elections\/test\/q~[\w-]+\?range=15m&end=/)
    await expect(election.heading).toHaveText('job')
    await page.goBack()
  })

  const during = new Date().toISOString()
  await test.step('over', async () => {
    await actors.enter({ prefix, value: 'worker-b' })
    await expect(alerts.sentence).toHaveText('Nothing fires.')
    await expect(alerts.panel('Firing')).toContainText('By the rules for alerts nothing is wrong.')
    await expect(alerts.fired).toHaveCount(1)
    await expect(alerts.fired).toContainText(/\d+ s.*I look at it/)
    await alerts.fired.getByRole('button').press('Enter')
    await expect(alerts.fired).toContainText('No channel was told.')
    await expectAccessible(page)
  })

  await test.step('the page as it was', async () => {
    await shell.waitClock(1)
    await alerts.open(`?asof=${during}`)
    await expect(shell.past).toBeVisible()
    await expect(alerts.sentence).toHaveText(/^1 alert fired then: alerts\/job has no leader/)
    await expect(alerts.silence(name)).toHaveAccessibleDescription(/^You look at the past/)
    await expect(alerts.fired).toContainText('still fires')
    await expectAccessible(page)
  })
})

test('the quorum is lost: said once of the cluster, in the strip and on the page, and over when it is back', async ({
  page,
  actors,
  etcd,
  alerts,
  elections,
}) => {
  test.setTimeout(120_000)
  await actors.enter({ prefix: '/elections/alerts/quorum', value: 'worker-a', ttlSeconds: 120 })
  await elections.open()
  await expect(elections.cell('alerts/quorum', 'leader')).toContainText('worker-a')
  const stopped = etcd.members.slice(0, 2)
  await Promise.all(stopped.map((member) => member.kill()))
  const item = elections.attention.getByRole('link').filter({ hasText: 'Quorum lost' })
  await expect(item).toContainText('etcd answers no linearizable read')
  await expect(item).toHaveAttribute('href', '/alerts')
  await item.press('Enter')
  await expect(alerts.sentence).toContainText(/^1 alert fires, critical.*etcd cluster test has lost its quorum/)
  // Alerts are Tenure's own: they can be acknowledged while etcd is away.
  await alerts.acknowledge('test').click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(alerts.sentence).toContainText('1 alert fires, acknowledged')
  await Promise.all(stopped.map((member) => member.start()))
  await expect(alerts.sentence).toHaveText('Nothing fires.', { timeout: 30_000 })

  // The link of a message about it: it is open, and in sight.
  const over = alerts.fired.filter({ hasText: 'Quorum lost' })
  const id = await over.getAttribute('data-fired')
  await page.goto('/failovers')
  await page.goto(`/alerts#${id}`)
  await expect(over.getByText('etcd answers no linearizable read')).toBeInViewport()
})

test('no channels: the page names the setting; what cannot be saved or read is said', async ({
  page,
  alerts,
  shell,
}) => {
  await alerts.open()
  await shell.waitLive()
  await expect(alerts.panel('Channels')).toContainText('No channels are configured.')
  await expect(alerts.panel('Channels')).toContainText('alerts.channels in tenure.yaml')
  await expect(alerts.panel('Silences')).toContainText('None holds.')
  await expect(alerts.panel('History')).toContainText('Nothing has fired yet.')
  await expectAccessible(page)

  let answers: 'unsaved' | 'not' | 'denied' | 'right' = 'unsaved'
  await page.route('**/api/trpc/alerts.list*', async (route) => {
    if (answers === 'right') return route.continue()
    if (answers === 'not') {
      const data = { code: 'SERVICE_UNAVAILABLE', httpStatus: 503 }
      return route.fulfill({ status: 503, json: { error: { message: 'not now', code: -32603, data } } })
    }
    if (answers === 'denied') {
      const data = { code: 'FORBIDDEN', httpStatus: 403 }
      return route.fulfill({ status: 403, json: { error: { message: 'not for you', code: -32003, data } } })
    }
    const answer = await route.fetch()
    const body = await answer.json()
    body.result.data.problem = 'alerts.sqlite cannot be written: the disk is full.'
    return route.fulfill({ response: answer, json: body })
  })
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: 'The state of alerts is not being saved.' })).toContainText(
    'the disk is full',
  )
  answers = 'denied'
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: 'You may not see alerts.' })).toContainText('not for you')
  answers = 'not'
  await page.reload()
  const trouble = page.getByRole('alert').filter({ hasText: 'Alerts cannot be read.' })
  await expect(trouble).toContainText('not now')
  await expectAccessible(page)
  answers = 'right'
  await trouble.getByRole('button', { name: 'Retry' }).click()
  await expect(alerts.sentence).toHaveText('Nothing fires.')
})

test('a silence until a time; markup in names and comments stays text', async ({ page, actors, alerts, elections }) => {
  const name = `alerts/${TAG}`
  const leader = await actors.enter({ prefix: `/elections/${name}`, value: TAG })
  await elections.open()
  await expect(elections.cell(name, 'leader')).toHaveText(TAG)
  await leader.revoke()
  await expect(elections.attention.getByRole('link')).toContainText(name)
  await alerts.open()
  await expect(alerts.alert(name)).toContainText(TAG)
  await alerts.acknowledge(name).click()
  await alerts.comment.fill(TAG)
  await alerts.dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await expect(alerts.alert(name)).toContainText(`UTC: ${TAG}`)

  await alerts.silence(name).click()
  await alerts.comment.fill(TAG)
  await alerts.dialog.getByRole('radio', { name: 'Until a time, UTC' }).click()
  await expect(alerts.dialog).toContainText('Say until when.')
  await alerts.dialog.getByLabel('Until, UTC').fill('soon')
  await expect(alerts.dialog).toContainText('“soon” is no time.')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await alerts.dialog.getByLabel('Until, UTC').fill(`${tomorrow} 05:30`)
  await alerts.dialog.getByRole('button', { name: /^Silence until .+ 05:30 UTC$/ }).click()
  await expect(alerts.silences).toContainText([TAG])
  expect(await page.locator('img').count()).toBe(0)
})

test('channels: how each does, and what came of a test', async ({ page, alerts }) => {
  const channel = (name: string, more: object) => ({
    name,
    type: 'webhook',
    to: 'hooks.example.org',
    severities: ['critical', 'warning'],
    waiting: 0,
    lastDeliveredAt: null,
    trouble: null,
    ...more,
  })
  await page.route('**/api/trpc/alerts.list*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    body.result.data.channels = [
      channel('oncall', { lastDeliveredAt: new Date(Date.now() - 41_000).toISOString(), severities: ['critical'] }),
      channel('hook', { waiting: 3, trouble: '503 from hooks.example.org' }),
      channel('mail', { type: 'email', to: `oncall@example.org ${TAG}` }),
    ]
    await route.fulfill({ response: answer, json: body })
  })
  const answers = [
    { delivered: true, tookMs: 41 },
    { delivered: false, error: `401 ${TAG}`, tookMs: 1_200 },
  ]
  await page.route('**/api/trpc/alerts.test', (route) => route.fulfill({ json: { result: { data: answers.shift() } } }))
  await alerts.open()
  await expect(alerts.channel('oncall')).toContainText(/critical only.*delivered 4\d s ago/)
  await expect(alerts.channel('hook')).toContainText('3 waiting: 503 from hooks.example.org')
  await expect(alerts.channel('mail')).toContainText(/e-mail.*never used/)
  await alerts.sendTest('oncall').press('Enter')
  await expect(alerts.channel('oncall')).toContainText('Test delivered in 41 ms.')
  await alerts.sendTest('hook').click()
  await expect(alerts.channel('hook')).toContainText(`Test not delivered after 1.2 s: 401 ${TAG}`)
  await expectAccessible(page)
})

test('very many alerts come in parts, and those of a mass event under it @long', async ({ page, alerts }) => {
  const since = new Date().toISOString()
  const alert = (id: string, more: object = {}) => ({
    ...{ id, key: id, rule: 'leaderless', severity: 'critical', cluster: 'test', subject: id, stage: 'firing' },
    ...{ since, sinceApproximate: false, firedAt: since, resolvedAt: null, resolvedApproximate: false },
    ...{ summary: `${id} has no leader`, detail: '', acknowledged: null, silence: null, partOf: null },
    ...more,
  })
  const many = Array.from({ length: 150 }, (_, at) => alert(`job-${at}`))
  const parts = Array.from({ length: 40 }, (_, at) => {
    return alert(`part-${at}`, { partOf: 'mass', ref: refOf('queue', `/e/part-${at}/`) })
  })
  const mass = alert('mass', { rule: 'mass-event', summary: '40 elections lost their leaders at once' })
  await page.route('**/api/trpc/alerts.list*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    body.result.data.alerts = [mass, ...parts, ...many]
    await route.fulfill({ response: answer, json: body })
  })
  await alerts.open()
  await expect(alerts.sentence).toContainText('151 alerts fire')
  await expect(page.getByRole('article')).toHaveCount(60)
  await page.getByRole('button', { name: 'Show 91 more' }).press('Enter')
  await expect(page.getByRole('article')).toHaveCount(151)
  const said = page.getByRole('button', { name: 'and 40 elections, said by this alert' })
  await expect(said).toHaveAttribute('aria-expanded', 'false')
  await said.press('Enter')
  await expect(page.getByRole('listitem').filter({ hasText: 'part-39' })).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('Tenure does not answer: as of when, and nothing can be sent @long', async ({
  page,
  actors,
  alerts,
  dashboard,
  elections,
}) => {
  const name = 'alerts/lost'
  const proxy = await startProxy({ target: dashboard.url })
  try {
    const leader = await actors.enter({ prefix: `/elections/${name}`, value: 'a' })
    await page.goto(proxy.endpoint)
    await expect(elections.cell(name, 'leader')).toContainText('a')
    await leader.revoke()
    await expect(elections.attention.getByRole('link')).toHaveCount(1)
    await page.goto(`${proxy.endpoint}/alerts`)
    await expect(alerts.sentence).toContainText('1 alert fires')
    await proxy.setMode('black-hole')
    await expect(alerts.sentence).toContainText(/^As of \d\d:\d\d:\d\d UTC: 1 alert fires/)
    await expect(alerts.acknowledge(name)).toHaveAccessibleDescription(/^Tenure’s server has not answered since/)
    await expectAccessible(page)
    await proxy.setMode('pass')
    await expect(alerts.sentence).toHaveText(/^1 alert fires/)
    await expect(alerts.acknowledge(name)).toBeEnabled()
  } finally {
    await proxy.stop()
  }
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  test('a tab of its own, nothing sideways @long', async ({ page, actors, alerts, shell, elections }) => {
    const name = 'alerts/a-name-that-is-longer-than-any-phone-is-wide/settlement-of-the-night'
    const leader = await actors.enter({ prefix: `/elections/${name}`, value: 'a' })
    await elections.open()
    await expect(elections.card(/settlement/)).toContainText('No standby')
    await leader.revoke()
    await expect(alerts.badge).toBeVisible()
    await shell.navigation('Alerts').tap()
    await expect(alerts.alert(name)).toContainText('Nobody has led since')
    await shell.expectNoSidewaysScroll()
    await expectAccessible(page)
    await alerts.silence(name).tap()
    await expect(alerts.dialog).toBeVisible()
    await shell.expectNoSidewaysScroll()
    await alerts.comment.fill('known')
    await alerts.dialog.getByRole('button', { name: /^Silence until/ }).tap()
    await expect(alerts.silences).toHaveCount(1)
    await shell.expectNoSidewaysScroll()
  })
})
