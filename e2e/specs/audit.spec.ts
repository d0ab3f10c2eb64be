import { readFileSync } from 'node:fs'
import { refOf } from '../../lib/election/ids.ts'
import { type AuditDraft, type AuditLog, openAuditLog } from '../harness/audit-log.ts'
import { AuditPage } from '../pages/audit-page.ts'
import { expectAccessible } from './support/accessible.ts'
import { test as base, expect } from './support/test.ts'

/** `log` is the server's own file: what is added to it is told by the server like what it added itself. */
const test = base.extend<{ audit: AuditPage; log: AuditLog }>({
  audit: async ({ page }, use) => use(new AuditPage(page)),
  log: async ({ dashboard }, use) => {
    const log = openAuditLog(dashboard.dataDir)
    await use(log)
    log.close()
  },
})
// A server of its own: its log is empty when the test begins.
test.use({ settings: {} })

const TAG = '<img src=x onerror=alert(1)>'
const FORMULA = '=HYPERLINK("http://x")'
const REF = refOf('queue', '/elections/audited/')
const ANNA = { kind: 'person', name: 'Anna', personId: 'p1', address: '192.0.2.7' } as const

function handoff(more: Partial<AuditDraft> = {}): AuditDraft {
  return {
    kind: 'intent',
    operation: 'op-handoff-1',
    verb: 'handoff',
    actor: ANNA,
    subject: { cluster: 'test', ref: REF, name: 'audited' },
    reason: 'deploy of 4.2',
    asked: { method: 'ask' },
    seen: { leader: 'worker-1', revision: '123456' },
    ...more,
  }
}
const verified = (more: Partial<AuditDraft> = {}) =>
  handoff({
    kind: 'outcome',
    seen: null,
    outcome: { is: 'verified', words: 'worker-2 leads.', revision: '1234567' as never },
    durationMs: 412,
    ...more,
  })
const refused = (more: Partial<AuditDraft> = {}) =>
  handoff({
    kind: 'refusal',
    seen: {},
    code: 'role',
    words: 'You are a viewer.',
    operation: '',
    verb: 'engage',
    reason: '',
    ...more,
  })

test('what was tried: one row for an operation, filters and search in the address, markup as text (RC-25)', async ({
  page,
  audit,
  log,
  actors,
  shell,
}) => {
  await actors.enter({ prefix: '/elections/audited', value: 'worker-1' })
  await audit.open()
  await expect(audit.sentence).toHaveText(/^Nothing was recorded yet\./)
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  await expectAccessible(page)

  log.add(handoff())
  await expect(audit.row('Hand off')).toContainText('No outcome yet')
  log.add(verified())
  await expect(audit.row('Hand off')).toContainText('Verified')
  await expect(audit.rows).toHaveCount(1)
  log.add(refused({ actor: { kind: 'token', name: 'Bob', personId: 'p2', token: 'ci', address: '192.0.2.8' } }))
  log.add(handoff({ operation: 'op-2', reason: TAG, subject: { cluster: 'test', ref: REF, name: TAG } }))
  log.add(verified({ operation: 'op-2', reason: TAG, outcome: { is: 'unknown', words: 'No answer.', revision: null } }))
  await audit.page.mouse.move(0, 0)
  await expect(audit.rows).toHaveCount(3)
  await expect(audit.sentence).toHaveText(/^2 actions in the last 24 h, 1 refusal\./)
  await expect(audit.rows.nth(0)).toContainText(TAG)
  await expect(audit.rows.nth(0)).toContainText('Unknown')
  await expect(audit.row('Engage kill switch')).toContainText('token ci192.0.2.8')
  expect(await page.locator('main img').count()).toBe(0)

  await test.step('a row opens to what was seen, what was asked, and the hashes', async () => {
    const row = audit.row('deploy of 4.2')
    await audit.toggle(row).click()
    await expect(row).toContainText('"leader": "worker-1"')
    await expect(row).toContainText('worker-2 leads.')
    await expect(row.getByText(/^[0-9a-f]{64}$/)).toHaveCount(2)
    await expectAccessible(page)
    log.add(refused({ words: 'Another one.' }))
    await expect(audit.newRows).toHaveText(/1 new row/)
    await expect(audit.rows).toHaveCount(3)
    await page.keyboard.press('Escape')
    await page.locator('body').press('r')
    await expect(audit.rows).toHaveCount(4)
    await expect(row).toContainText('worker-2 leads.')
  })

  await test.step('filters and search are kept in the address', async () => {
    await audit.filter('Result').selectOption('Refused')
    await expect(audit.rows).toHaveCount(2)
    await expect(page).toHaveURL('/audit?result=refused')
    await audit.filter('What').selectOption('Hand off')
    await expect(page.getByRole('heading', { name: 'No entry matches' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect(audit.rows).toHaveCount(4)
    await expect(page).toHaveURL('/audit')
    await audit.search.fill('de')
    await expect(page.getByText('Search: 3 characters or more')).toBeVisible()
    await audit.search.fill('DEPLOY of')
    await expect(audit.rows).toHaveCount(1)
    await expect(page).toHaveURL('/audit?q=DEPLOY+of')
    await page.reload()
    await expect(audit.search).toHaveValue('DEPLOY of')
    await expect(audit.rows).toHaveCount(1)
    await audit.open('?from=2020-01-01T00:00:00.000Z&to=2020-02-01T00:00:00.000Z')
    await expect(audit.time('From')).toHaveValue('2020-01-01T00:00')
    await expect(page.getByRole('heading', { name: 'No entry matches' })).toBeVisible()
    await audit.time('To').fill('2090-01-01T00:00')
    await expect(audit.rows).toHaveCount(4)
    await audit.open('?verb=handoff&result=verified')
    await expect(audit.rows).toHaveCount(1)
    await expect(audit.row('audited')).toContainText('Verified')
  })

  await test.step('the election’s name leads to its page at that moment', async () => {
    await audit.row('audited').getByRole('link', { name: 'audited' }).click()
    await expect(page).toHaveURL(new RegExp(`/elections/test/${REF}\\?range=15m&end=`))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('audited')
    await shell.waitLive()
  })
})

test('what somebody really does here is told, with what came of it', async ({ page, audit, actors, shell }) => {
  await actors.enter({ prefix: '/elections/audited', value: 'worker-1' })
  await page.goto('/')
  await shell.waitLive()
  const act = (reason: string) =>
    page.request.post('/api/trpc/actions.confirmElection', {
      headers: { origin: new URL(page.url()).origin },
      data: { cluster: 'test', ref: REF, operation: `op-${reason.length}-confirm`, reason },
    })
  await expect.poll(async () => (await act('')).status()).toBe(409)
  expect((await act('it is one')).status()).toBe(200)
  await audit.open()
  const row = audit.row('it is one')
  await expect(row).toContainText('Confirm election')
  await expect(row).toContainText('Verified')
  await expect(row).toContainText('somebody on this machine')
  await expect(row).toContainText('127.0.0.1')
  await expect(audit.row('No reason was given.').first()).toContainText('Refused')
})

test('exports have what is shown, with formulas made text (RC-25)', async ({ page, audit, log }) => {
  log.add(handoff({ reason: FORMULA, actor: { ...ANNA, name: '@SUM(A1)' } }))
  log.add(verified({ reason: `${FORMULA}\nsecond line` }))
  log.add(refused())
  await audit.open()
  await expect(audit.rows).toHaveCount(2)

  const save = async (format: 'CSV' | 'JSON Lines') => {
    const [download] = await Promise.all([page.waitForEvent('download'), audit.exportLink(format).click()])
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  }
  const csv = await save('CSV')
  expect(csv.name).toMatch(/^tenure-audit-.*\.csv$/)
  expect(csv.text).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(csv.text).toContain(`"'=HYPERLINK(""http://x"")\nsecond line"`)
  expect(csv.text).toContain("'@SUM(A1)")
  expect(csv.text).not.toMatch(/(^|,)"?[=+@-]/m)
  const lines = (await save('JSON Lines')).text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).number)).toEqual([3, 2, 1])
  expect(JSON.parse(lines[2] ?? '').reason).toBe(FORMULA)

  await audit.filter('Result').selectOption('Refused')
  await expect(audit.rows).toHaveCount(1)
  expect((await save('JSON Lines')).text.trimEnd().split('\n')).toHaveLength(1)

  const answer = await page.request.get('/api/audit/export?format=csv')
  expect(answer.headers()).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect(answer.headers()['content-disposition']).toMatch(/^attachment/)
  const elsewhere = await page.request.get('/api/audit/export?format=csv', {
    headers: { origin: 'http://evil.example' },
  })
  expect(elsewhere.status()).toBe(403)
  expect(
    (
      await page.request.post('/api/audit/export?format=csv', { headers: { origin: new URL(page.url()).origin } })
    ).status(),
  ).toBe(405)
})

test('by keys alone: there by G U, search, open a row, new rows by R', async ({ page, audit, log, shell }) => {
  log.add(handoff())
  log.add(verified())
  await page.goto('/')
  await shell.waitLive()
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect(page).toHaveURL('/audit')
  await expect(shell.navigation('Audit')).toHaveAttribute('aria-current', 'page')
  await expect(audit.rows).toHaveCount(1)
  await page.keyboard.press('/')
  await expect(audit.search).toBeFocused()
  await page.keyboard.type('worker-2')
  await expect(page).toHaveURL('/audit?q=worker-2')
  await expect(audit.rows).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(audit.search).not.toBeFocused()
  const toggle = audit.toggle(audit.rows.first())
  for (let tabs = 0; tabs < 40 && !(await toggle.evaluate((node) => node === document.activeElement)); tabs += 1) {
    await page.keyboard.press('Tab')
  }
  await expect(toggle).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect(audit.rows.first()).toContainText('Operation op-handoff-1')
  log.add(handoff({ operation: 'op-2', reason: 'worker-2 is slow' }))
  await expect(audit.newRows).toBeVisible()
  await page.keyboard.press('r')
  await expect(audit.rows).toHaveCount(2)
})

test('a log that cannot be read says so, keeps what was shown, and goes on when it can', async ({
  page,
  audit,
  log,
}) => {
  log.add(handoff())
  await audit.open()
  await expect(audit.rows).toHaveCount(1)
  await page.route('**/api/trpc/audit.list*', (route) =>
    route.fulfill({
      status: 503,
      json: {
        error: {
          message: 'the audit log cannot be used: the disk of audit.sqlite is full',
          code: -32603,
          data: { code: 'SERVICE_UNAVAILABLE', httpStatus: 503, path: 'audit.list' },
        },
      },
    }),
  )
  await expect(audit.trouble).toContainText('the disk of audit.sqlite is full')
  await expect(audit.rows).toHaveCount(1)
  await expectAccessible(page)
  const asked = page.waitForRequest('**/api/trpc/audit.list*')
  await audit.trouble.getByRole('button', { name: 'Retry' }).click()
  await asked
  // By itself as well: once it can be read again, nobody has to press anything.
  await page.unroute('**/api/trpc/audit.list*')
  await expect(audit.trouble).toBeHidden()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  test('cards, nothing sideways', async ({ page, audit, log, shell }) => {
    log.add(handoff({ reason: 'a-reason-without-any-space-that-is-longer-than-a-phone-is-wide'.repeat(3) }))
    log.add(verified())
    log.add(refused())
    await audit.open()
    await expect(audit.rows).toHaveCount(2)
    await expect(page.getByRole('table')).toHaveCount(0)
    await shell.expectNoSidewaysScroll()
    await audit.toggle(audit.row('Hand off')).tap()
    await expect(audit.row('Hand off')).toContainText('worker-2 leads.')
    await shell.expectNoSidewaysScroll()
    await expectAccessible(page)
    await shell.navigation('Elections').tap()
    await expect(page).toHaveURL('/')
  })
})
