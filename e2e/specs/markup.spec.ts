import { expect, test } from './support/test.ts'

const TAG = '<img src=x onerror=alert(1)>'
const SCRIPT = '"><script>alert(1)</script>'
const FORMULA = '=HYPERLINK("http://x")'

test('markup, formulas and terminal escapes in names and values are shown as they are', async ({
  page,
  actors,
  elections,
  election,
  shell,
}) => {
  const prefix = `/elections/xss/${TAG}`
  const name = `xss/${TAG}`
  const leader = await actors.enter({ prefix, value: SCRIPT })
  await actors.enter({ prefix, value: FORMULA })
  await actors.enter({ prefix, value: '\x1b[31mred\x1b[0m' })

  await elections.open('?q=xss')
  await expect(elections.link(name)).toBeVisible()
  await expect(elections.cell(name, 'leader')).toHaveText(SCRIPT)
  await expect(elections.cell(name, 'candidates')).toContainText(`next ${FORMULA}`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('onerror')
  await expect(page.getByRole('option')).toHaveCount(1)
  await expect(page.getByRole('option')).toContainText(TAG)
  await page.keyboard.press('Enter')

  await expect(election.heading).toHaveText(TAG)
  await expect(page).toHaveTitle(`${name} · Tenure`)
  await expect(election.leaderName).toHaveText(SCRIPT)
  await expect(election.sentence).toContainText(`${name} is led by ${SCRIPT}`)
  await expect(election.candidates.nth(2)).toContainText('\\x1b[31mred\\x1b[0m')
  await expect(election.lanes).toContainText(SCRIPT)
  await election.leader.getByRole('button', { name: 'Show whole value' }).click()
  await expect(election.leader.locator('pre')).toHaveText(SCRIPT)

  await leader.resign()
  await expect(election.leaderName).toHaveText(FORMULA)
  await expect(election.term(1)).toContainText(SCRIPT)
  await expect(election.events.filter({ hasText: `${SCRIPT} lost the lead` })).toHaveCount(1)
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(election.cursor).toHaveAttribute('aria-valuetext', /<script>alert/)

  await page.reload()
  await expect(page).toHaveTitle(`${name} · Tenure`)
  await expect(election.leaderName).toHaveText(FORMULA)
  expect(await page.locator('img').count()).toBe(0)
  await shell.waitLive()
  // Had a dialog opened or the policy been broken, the journal would say so when the test ends.
})

test('no page lets a script in, and no answer can be taken for a page', async ({ page, request, dashboard }) => {
  for (const path of ['/', '/audit', '/clusters/test', '/elections/test/q~bm93aGVyZS8', '/no/such/page']) {
    const answer = await page.goto(path)
    const headers = answer?.headers() ?? {}
    const policy = Object.fromEntries(
      (headers['content-security-policy'] ?? '').split('; ').map((rule) => {
        const [name = '', ...values] = rule.split(' ')
        return [name, values]
      }),
    )
    expect(policy['default-src']).toEqual(["'self'"])
    expect(policy['script-src']).toContainEqual(expect.stringMatching(/^'nonce-[A-Za-z0-9+/=]{20,}'$/))
    expect(policy['script-src']).not.toContain("'unsafe-inline'")
    expect(policy['script-src']).not.toContain("'unsafe-eval'")
    expect(policy['object-src']).toEqual(["'none'"])
    expect(policy['base-uri']).toEqual(["'none'"])
    expect(policy['frame-ancestors']).toEqual(["'none'"])
    expect(headers['x-content-type-options']).toBe('nosniff')
    await expect(page.getByRole('banner').getByRole('status')).toHaveText('Live')
  }
  const [first, second] = await Promise.all([request.get('/'), request.get('/')])
  expect(first.headers()['content-security-policy']).not.toBe(second.headers()['content-security-policy'])

  for (const path of ['/api/trpc/elections.list', '/api/trpc/nothing', '/api/health']) {
    const answer = await request.get(path)
    expect(answer.headers()['content-type']).toMatch(/^application\/json/)
    expect(answer.headers()['x-content-type-options']).toBe('nosniff')
  }
  const stream = await fetch(`${dashboard.url}/api/trpc/live.events`, { headers: { accept: 'text/event-stream' } })
  expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(stream.headers.get('x-content-type-options')).toBe('nosniff')
  await stream.body?.cancel()
})
