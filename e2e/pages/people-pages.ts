import { expect, type Locator, type Page } from '@playwright/test'
import type { Dashboard } from '../harness/dashboard.ts'

export const PASSWORD = 'correct horse battery'

/** The link that the server printed when it started without people. */
export function firstLink(dashboard: Dashboard): string {
  const link = /http:\/\/\S+\/set-up#\S+/.exec(dashboard.log())?.[0]
  if (link === undefined) throw new Error('the server printed no link')
  return link
}

/** Signing in, setting a password, and the pages about people. */
export class PeoplePages {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get sentence(): Locator {
    return this.page.getByRole('heading', { level: 1 })
  }

  get alert(): Locator {
    // Next has one of its own, which reads out the title of a page.
    return this.page.locator('[role="alert"]:not(#__next-route-announcer__)')
  }

  async setUp(link: string, first?: { name: string; email: string }): Promise<void> {
    await this.page.goto(link)
    if (first) {
      await this.page.getByLabel('Name').fill(first.name)
      await this.page.getByLabel('E-mail').fill(first.email)
    }
    await this.page.getByLabel('Password').fill(PASSWORD)
    await this.page.getByLabel('The same again').fill(PASSWORD)
    await this.page.getByRole('button', { name: 'Set the password and sign in' }).click()
    await expect(this.page).toHaveURL('/')
  }

  async signIn(email: string, password = PASSWORD): Promise<void> {
    await this.page.getByLabel('E-mail').fill(email)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  get menu(): Locator {
    return this.page.getByRole('banner').getByRole('button', { name: /^Account: / })
  }

  /** What the menu offers; hidden while it is closed. */
  item(name: string): Locator {
    const panel = this.page.getByRole('region', { name: 'Account', exact: true })
    return panel.getByRole(['Account', 'People'].includes(name) ? 'link' : 'button', { name, exact: true })
  }

  async choose(name: string): Promise<void> {
    await this.menu.click()
    await this.item(name).click()
    await expect(this.item(name)).toBeHidden()
  }

  row(name: string): Locator {
    return this.page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  }

  /** Adds somebody and returns the link to give them. */
  async add(who: { name: string; email: string; role: string }): Promise<string> {
    await this.page.getByLabel('Name').fill(who.name)
    await this.page.getByLabel('E-mail').fill(who.email)
    await this.page.getByLabel('Role', { exact: true }).selectOption(who.role)
    await this.page.getByRole('button', { name: 'Add', exact: true }).click()
    const link = this.page.getByText(/\/set-up#/)
    await expect(link).toBeVisible()
    return (await link.textContent()) ?? ''
  }
}
