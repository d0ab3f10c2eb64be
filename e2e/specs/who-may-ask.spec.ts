import type { BrowserContext } from '@playwright/test'
import { firstLink, PeoplePages } from '../pages/people-pages.ts'
import { Shell } from '../pages/shell.ts'
import { rawRequest } from './support/raw-request.ts'
import { expect, test } from './support/test.ts'

const ada = { name: 'Ada', email: 'ada@example.org' }

const cookieOf = async (context: BrowserContext) =>
  (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')

test.describe('with a session', () => {
  test.use({ settings: { auth: 'required' } })

  test('pages of other sites, other hosts and GETs change nothing', async ({
    page,
    context,
    dashboard,
    openContext,
  }) => {
    const { port } = dashboard
    const pages = new PeoplePages(page)
    await pages.setUp(firstLink(dashboard), ada)
    const cookie = await cookieOf(context)
    const host = `127.0.0.1:${port}`
    const own = `http://${host}`
    const post = (headers: Record<string, string>, path = '/api/trpc/account.signOutEverywhere') =>
      rawRequest(port, {
        method: 'POST',
        path,
        headers: { host, cookie, 'content-type': 'application/json', ...headers },
        body: '{}',
      })
    for (const origin of ['https://attacker.example', 'null', `http://localhost:${port + 1}`]) {
      expect([origin, await post({ origin })]).toEqual([origin, 403])
      expect([origin, await post({ origin }, '/api/auth/sign-out')]).toEqual([origin, 403])
      const stream = { path: '/api/trpc/live.events', headers: { host, cookie, origin } }
      expect([origin, await rawRequest(port, stream)]).toEqual([origin, 403])
    }
    expect(await post({})).toBe(403)
    expect(await post({ origin: own, 'content-type': 'text/plain' }, '/api/auth/sign-out')).toBe(415)
    expect(await post({ origin: own, host: 'rebound.example' })).toBe(421)
    for (const path of ['account.signOutEverywhere', 'people.add', 'account.makeToken']) {
      const input = encodeURIComponent(JSON.stringify({ name: 'n', email: 'n@example.org', role: 'viewer' }))
      expect([
        path,
        await rawRequest(port, { path: `/api/trpc/${path}?input=${input}`, headers: { host, cookie } }),
      ]).toEqual([path, 405])
    }
    expect(await rawRequest(port, { path: '/api/auth/sign-out', headers: { host, cookie } })).toBe(405)

    await test.step('nor does a form of another site in a real browser', async () => {
      const elsewhere = await (await openContext()).newPage()
      await elsewhere.route('http://attacker.example/', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<form method="post" action="${own}/api/auth/sign-out"><button>go</button></form>`,
        }),
      )
      await elsewhere.goto('http://attacker.example/')
      const answer = elsewhere.waitForResponse('**/api/auth/sign-out')
      await elsewhere.getByRole('button').click()
      expect((await answer).status()).toBe(403)
    })
    await page.reload()
    await expect(pages.menu).toHaveAccessibleName('Account: Ada, admin')
    expect(await post({ origin: own })).toBe(200)
    await page.reload()
    await expect(page).toHaveURL('/sign-in')
  })

  test('the session is a cookie that no script of the page reads', async ({ page, context, dashboard }) => {
    await new PeoplePages(page).setUp(firstLink(dashboard), ada)
    const [cookie, ...others] = await context.cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({
      name: 'tenure.session_token',
      httpOnly: true,
      sameSite: 'Lax',
      secure: false,
      path: '/',
    })
    expect(await page.evaluate(() => document.cookie)).toBe('')
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(cookie?.value)
  })

  test('nobody else is answered', async ({ dashboard }) => {
    for (const path of ['clusters.list', 'elections.list', 'people.list', 'account.sessions']) {
      expect([path, (await fetch(`${dashboard.url}/api/trpc/${path}`)).status]).toEqual([path, 401])
    }
    const stream = await fetch(`${dashboard.url}/api/trpc/live.events`)
    expect(await stream.text()).toContain('"code":"UNAUTHORIZED"')
    expect((await fetch(`${dashboard.url}/api/health`)).status).toBe(200)
  })
})

test.describe('with anonymous viewing', () => {
  test.use({ settings: { auth: 'required', anonymousViewing: true, readOnly: true } })

  test('anybody looks, and is asked to sign in for more', async ({ page, shell, dashboard }) => {
    await page.goto('/')
    await shell.waitLive()
    const pages = new PeoplePages(page)
    await expect(pages.menu).toHaveCount(0)
    await expect(shell.banner('Read-only. Nothing is written to test from here')).toBeVisible()
    await page.goto('/people')
    await expect(pages.sentence).toContainText('People are managed by admins. You are a viewer.')
    expect((await fetch(`${dashboard.url}/api/trpc/people.list`)).status).toBe(403)
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await expect(pages.sentence).toHaveText('Nobody can sign in yet.')
    await pages.setUp(firstLink(dashboard), ada)
    await expect(pages.menu).toHaveAccessibleName('Account: Ada, admin')
    await pages.choose('Sign out')
    await page.getByRole('link', { name: 'Look without signing in' }).click()
    await new Shell(page).waitLive()
  })
})

test('loopback-open: everybody on this machine is an admin, and no proxy', async ({ page, dashboard }) => {
  await page.goto('/people')
  const pages = new PeoplePages(page)
  await expect(pages.sentence).toHaveText('Nobody signs in here. Everybody on this machine is an admin.')
  await expect(pages.menu).toHaveAccessibleName('Account: This machine, admin')
  const host = `127.0.0.1:${dashboard.port}`
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']) {
    expect([name, await rawRequest(dashboard.port, { path: '/', headers: { host, [name]: 'x' } })]).toEqual([name, 403])
  }
})
