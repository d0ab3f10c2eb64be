import { firstLink, PASSWORD, PeoplePages } from '../pages/people-pages.ts'
import { Shell } from '../pages/shell.ts'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

test.use({ settings: { auth: 'required' } })

const ada = { name: 'Ada', email: 'ada@example.org' }
const bob = { name: 'Bob', email: 'bob@example.org' }

test('the first link makes an admin, who adds an operator, who is out as soon as disabled', async ({
  page,
  dashboard,
  openContext,
  shell,
}) => {
  test.setTimeout(120_000)
  const admin = new PeoplePages(page)
  const link = firstLink(dashboard)

  await test.step('nobody can sign in before the link was used', async () => {
    await page.goto('/people')
    await expect(page).toHaveURL('/sign-in?to=%2Fpeople')
    await expect(admin.sentence).toHaveText('Nobody can sign in yet.')
    await expectAccessible(page)
  })
  await test.step('the link makes the first admin, once', async () => {
    await page.goto(link)
    await expect(admin.sentence).toContainText('The first admin')
    await expectAccessible(page)
    await admin.setUp(link, ada)
    await shell.waitLive()
    await expect(admin.menu).toHaveAccessibleName('Account: Ada, admin')
    const late = await (await openContext()).newPage()
    await late.goto(link)
    await expect(late.getByRole('heading', { level: 1 })).toHaveText('This link is of no use.')
    await expectAccessible(late)
  })
  const operator = new PeoplePages(await (await openContext()).newPage())
  await test.step('who adds an operator by a link', async () => {
    await admin.choose('People')
    await expect(admin.sentence).toHaveText('1 person may sign in.')
    const given = await admin.add({ ...bob, role: 'operator' })
    await expectAccessible(page)
    await operator.setUp(given)
    await expect(operator.menu).toHaveAccessibleName('Account: Bob, operator')
    await new Shell(operator.page).waitLive()
    await operator.menu.click()
    await expect(operator.item('Account')).toBeVisible()
    await expect(operator.item('People')).toHaveCount(0)
    await expectAccessible(operator.page)
    await operator.page.keyboard.press('Escape')
    await expect(operator.item('Account')).toBeHidden()
    await operator.page.goto('/people')
    await expect(operator.sentence).toContainText('People are managed by admins.')
    await expectAccessible(operator.page)
    await operator.page.goto('/')
    await new Shell(operator.page).waitLive()
  })
  await test.step('who is out at once when disabled, and told so', async () => {
    await admin.row('Bob').getByRole('button', { name: 'Disable Bob' }).click()
    await expect(operator.page).toHaveURL('/sign-in', { timeout: 3_000 })
    await operator.signIn(bob.email)
    await expect(operator.alert).toContainText('This account is disabled.')
    await expectAccessible(operator.page)
    await expect(admin.row('Bob')).toContainText('disabled')
    await admin.row('Bob').getByRole('button', { name: 'Enable Bob' }).click()
    await expect(admin.row('Bob')).toContainText('signs in by a password')
    await operator.signIn(bob.email)
    await expect(operator.page).toHaveURL('/')
  })
  await test.step('the only admin stays one', async () => {
    await admin.row('Ada').getByRole('button', { name: 'Disable Ada' }).click()
    await expect(admin.alert).toContainText('this is the only admin')
  })
})

test('a page that was asked for comes after signing in, and wrong passwords are told', async ({
  page,
  dashboard,
  actors,
}) => {
  const prefix = '/elections/behind/sign-in'
  await actors.enter({ prefix, value: 'sp-1' })
  const pages = new PeoplePages(page)
  await pages.setUp(firstLink(dashboard), ada)
  await pages.choose('Sign out')
  await expect(page).toHaveURL('/sign-in')
  await page.goto('/?q=behind')
  await expect(page).toHaveURL('/sign-in?to=%2F%3Fq%3Dbehind')
  await pages.signIn(ada.email, 'wrong horse battery')
  await expect(pages.alert).toHaveText('The e-mail address or the password is wrong.')
  await pages.signIn(ada.email)
  await expect(page).toHaveURL('/?q=behind')
  await expect(page.getByRole('link', { name: /sign-in/ }).first()).toBeVisible()
})

test('too many tries are told with the time to wait, which counts down @long', async ({ page, dashboard }) => {
  const pages = new PeoplePages(page)
  await pages.setUp(firstLink(dashboard), ada)
  await pages.choose('Sign out')
  for (let n = 0; n < 10; n += 1) {
    const answer = page.waitForResponse('**/api/auth/sign-in')
    await pages.signIn(ada.email, `wrong horse battery ${n}`)
    if ((await answer).status() === 429) break
    await expect(pages.alert).toBeVisible()
  }
  await expect(pages.alert).toHaveText(/Too many tries from your address. Try again in \d+ s\./)
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled()
  const before = await pages.alert.textContent()
  await expect(pages.alert).not.toHaveText(before ?? '')
  await expectAccessible(page)
})

test('the account: another password, sessions, tokens', async ({ page, dashboard, openContext }) => {
  const pages = new PeoplePages(page)
  await pages.setUp(firstLink(dashboard), ada)
  const other = new PeoplePages(await (await openContext()).newPage())
  await other.page.goto('/')
  await other.signIn(ada.email)
  await expect(other.page).toHaveURL('/')
  await new Shell(other.page).waitLive()
  await pages.choose('Account')
  await expect(pages.sentence).toHaveText('You are Ada, ada@example.org.')
  await expectAccessible(page)

  await test.step('a token reads for a script, until it is revoked', async () => {
    await page.getByLabel('Name').fill('nightly report')
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Make a token' }).click()
    const secret = (await page.getByText(/^tenure_/).textContent()) ?? ''
    const ask = () =>
      fetch(`${dashboard.url}/api/trpc/clusters.list`, { headers: { authorization: `Bearer ${secret}` } })
    expect((await ask()).status).toBe(200)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(secret)).toHaveCount(0)
    await page.getByRole('button', { name: 'Revoke nightly report' }).click()
    await expect(page.getByText('You have no tokens.')).toBeVisible()
    expect((await ask()).status).toBe(401)
  })
  await test.step('another password ends the other session', async () => {
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('another horse battery')
    await page.getByLabel('The same again').fill('another horse battery')
    await page.getByRole('button', { name: 'Change the password' }).click()
    await expect(page.getByText('The password was changed. Every other session is over.')).toBeVisible()
    await expect(other.page).toHaveURL('/sign-in', { timeout: 3_000 })
    await page.reload()
    await expect(pages.sentence).toHaveText('You are Ada, ada@example.org.')
  })
  await test.step('signing out everywhere ends this one too', async () => {
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect(page).toHaveURL(/\/sign-in/)
  })
})

test('by keyboard alone: set up, menu, sign out, sign in', async ({ page, dashboard, shell }) => {
  const { keyboard } = page
  await page.goto(firstLink(dashboard))
  await page.getByLabel('Name').focus()
  await keyboard.type('Ada')
  for (const text of ['ada@example.org', PASSWORD, PASSWORD]) {
    await keyboard.press('Tab')
    await keyboard.type(text)
  }
  await keyboard.press('Enter')
  await shell.waitLive()
  const pages = new PeoplePages(page)
  await pages.menu.focus()
  await keyboard.press('Enter')
  for (const item of ['Account', 'People', 'Alerts in the background', 'Sign out']) {
    await keyboard.press('Tab')
    await expect(pages.item(item)).toBeFocused()
  }
  await keyboard.press('Enter')
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await keyboard.type('ada@example.org')
  await keyboard.press('Tab')
  await keyboard.type(PASSWORD)
  await keyboard.press('Enter')
  await shell.waitLive()
})

test('on a phone: everything fits @long', async ({ dashboard, openContext }) => {
  const phone = await openContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
  const page = await phone.newPage()
  const pages = new PeoplePages(page)
  const shell = new Shell(page)
  await pages.setUp(firstLink(dashboard), ada)
  await shell.waitLive()
  await shell.expectNoSidewaysScroll()
  for (const item of ['Account', 'People']) {
    await pages.choose(item)
    await expect(pages.sentence).toContainText(item === 'Account' ? 'You are Ada' : 'may sign in')
    await shell.expectNoSidewaysScroll()
    await expectAccessible(page)
  }
  await pages.choose('Sign out')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await shell.expectNoSidewaysScroll()
  await expectAccessible(page)
})
