import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CLIENT, startProvider } from '../harness/oidc-provider.ts'
import { freePort } from '../harness/ports.ts'
import { makeTempFolder } from '../harness/temp-folder.ts'
import { PeoplePages } from '../pages/people-pages.ts'
import { Shell } from '../pages/shell.ts'
import { startServer } from './support/server.ts'
import { expect, test } from './support/test.ts'

const NAME = 'Example login'

/** The provider's own pages: who it is, then that Tenure may know. */
async function goThrough(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: `Sign in with ${NAME}` }).click()
  await page.getByPlaceholder('Enter any login').fill(login)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('who comes by OpenID Connect has the role of the claim, and none without one', async ({ etcd, openContext }) => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const provider = await startProvider(`${publicUrl}/api/auth/callback/oidc`)
  const folder = makeTempFolder('oidc')
  const clientSecretFile = join(folder.path, 'secret')
  writeFileSync(clientSecretFile, CLIENT.secret)
  const roles = { 'platform-oncall': 'operator' }
  const oidc = { issuer: provider.issuer, clientId: CLIENT.id, clientSecretFile, name: NAME, roles }
  const server = await startServer(etcd, { test: ['/elections/'] }, { auth: 'required', port, publicUrl, oidc })
  const known = (email: string, ...groups: string[]) => ({
    email,
    email_verified: true,
    name: email.split('@')[0] ?? '',
    groups,
  })
  Object.assign(provider.logins, {
    ada: known('ada@example.org', 'platform-oncall'),
    eve: known('eve@example.org', 'others'),
  })
  try {
    const page = await (await openContext({ baseURL: publicUrl })).newPage()
    const pages = new PeoplePages(page)
    await page.goto('/account')
    await goThrough(page, 'ada')
    await expect(page).toHaveURL('/account')
    await expect(pages.menu).toHaveAccessibleName('Account: ada, operator')
    await new Shell(page).waitLive()

    const other = new PeoplePages(await (await openContext({ baseURL: publicUrl })).newPage())
    await other.page.goto('/')
    await goThrough(other.page, 'eve')
    await expect(other.alert).toHaveText(/^You have no role in this Tenure\./)
    await expect(other.page).toHaveURL(/\/sign-in\?error=no_role/)
  } finally {
    await server.stop()
    await provider.stop()
    folder.remove()
  }
})
