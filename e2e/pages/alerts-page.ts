import { expect, type Locator, type Page } from '@playwright/test'

/** What is wrong by the rules, who is told, and what is kept quiet. */
export class AlertsPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/alerts${query}`)
    await expect(this.sentence).not.toHaveText('–')
  }

  /** Is it all right, in one sentence. */
  get sentence(): Locator {
    return this.page.getByRole('main').getByRole('heading', { level: 1 })
  }

  panel(name: string): Locator {
    return this.page.getByRole('main').getByRole('region', { name, exact: true })
  }

  /** Of what fires, is silenced or waits. */
  alert(subject: string): Locator {
    return this.page.getByRole('article').filter({ has: this.page.getByText(subject, { exact: true }) })
  }

  acknowledge(subject: string): Locator {
    return this.page.getByRole('button', { name: `Acknowledge… ${subject}`, exact: true })
  }

  silence(subject: string): Locator {
    return this.page.getByRole('button', { name: `Silence… ${subject}`, exact: true })
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  get comment(): Locator {
    return this.dialog.getByRole('textbox', { name: /^Comment/ })
  }

  get silences(): Locator {
    return this.page.locator('[data-silence]')
  }

  channel(name: string): Locator {
    return this.page.locator(`[data-channel="${name}"]`)
  }

  sendTest(name: string): Locator {
    return this.page.getByRole('button', { name: `Send test to ${name}`, exact: true })
  }

  get fired(): Locator {
    return this.page.locator('[data-fired]')
  }

  get deliveries(): Locator {
    return this.page.locator('[data-delivery]')
  }

  /** Beside the bell: how many fire that nobody has acknowledged; none where it says nothing. */
  get badge(): Locator {
    return this.page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Alerts' })
      .getByText(/fire, not acknowledged/)
      .locator('xpath=..')
  }

  /** Opens the dialog of `subject` and silences it for two hours, as it is filled in. */
  async silenceFor(subject: string, comment: string): Promise<void> {
    await this.silence(subject).click()
    await this.comment.fill(comment)
    await this.dialog.getByRole('button', { name: /^Silence until/ }).click()
    await expect(this.dialog).toBeHidden()
  }
}
