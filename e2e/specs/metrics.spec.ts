import { firstLink, PeoplePages } from '../pages/people-pages.ts'
import { expect, test } from './support/test.ts'

const ada = { name: 'Ada', email: 'ada@example.org' }

test.describe('beside the pages', () => {
  test.use({ settings: { auth: 'required' } })

  test('/metrics is for whoever may see the pages, and for a token', async ({ page, dashboard }) => {
    const url = `${dashboard.url}/metrics`
    const pages = new PeoplePages(page)

    await test.step('others are refused, and not sent to sign in', async () => {
      const refused = await fetch(url, { redirect: 'manual' })
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="metrics"'])
      expect((await fetch(url, { headers: { authorization: 'Bearer x' } })).status).toBe(401)
      expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    })
    await pages.setUp(firstLink(dashboard), ada)
    await test.step('who is signed in reads it in a browser', async () => {
      const read = await page.request.get(url)
      expect([read.status(), read.headers()['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
      expect(read.headers()['cache-control']).toBe('no-store')
      expect(await read.text()).toMatch(/^tenure_cluster_quorum\{cluster="test"\} 1$/m)
      expect((await page.request.head(url)).status()).toBe(200)
    })
    await test.step('an API token of a viewer reads it, as OpenMetrics too', async () => {
      await pages.choose('Account')
      await page.getByLabel('Name').fill('prometheus')
      await page.getByLabel('Role', { exact: true }).selectOption('viewer')
      await page.getByRole('button', { name: 'Make a token' }).click()
      const secret = (await page.getByText(/^tenure_/).textContent()) ?? ''
      const scraped = await fetch(url, {
        headers: { authorization: `Bearer ${secret}`, accept: 'application/openmetrics-text;version=1.0.0' },
      })
      expect(scraped.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8')
      const body = await scraped.text()
      expect(body).toMatch(/^tenure_actions_total\{action="makeToken",outcome="done"\} 1$/m)
      expect(body.endsWith('# EOF\n')).toBe(true)
    })
  })
})

test.describe('on a port of its own', () => {
  test.use({ settings: { auth: 'required', metrics: { port: 0 } } })

  test('/metrics is there, nothing else is, and it is gone from beside the pages', async ({ dashboard }) => {
    const url = /"url":"(http:\/\/127\.0\.0\.1:\d+\/metrics)"/.exec(dashboard.log())?.[1] ?? ''
    const scraped = async () => (await fetch(url)).text()
    await expect.poll(scraped).toMatch(/^tenure_cluster_live\{cluster="test"\} 1$/m)
    expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
    expect((await fetch(`${dashboard.url}/metrics`)).status).toBe(404)
  })
})
