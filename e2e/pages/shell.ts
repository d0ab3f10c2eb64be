import { expect, type Locator, type Page } from '@playwright/test'

/** What is around every page: the bar with the connection state, banners, navigation, dialogs. */
export class Shell {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  private get bar(): Locator {
    return this.page.getByRole('banner')
  }

  /** One word: Live, Stale, Unreachable, Reconnecting, Connecting. */
  get connection(): Locator {
    return this.bar.getByRole('status')
  }

  /** The word and what stands after it: the revision, since when. */
  get connectionLine(): Locator {
    return this.connection.locator('xpath=..')
  }

  get members(): Locator {
    return this.bar.getByText(/members ·/)
  }

  get clusterPicker(): Locator {
    return this.bar.getByRole('combobox', { name: 'Cluster' })
  }

  /** The full-width lines above the page. */
  banner(text: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('status').filter({ hasText: text })
  }

  get clock(): Locator {
    return this.bar.getByTitle("The server's clock")
  }

  /** The band over pages of the past. */
  get past(): Locator {
    return this.page.getByRole('main').getByRole('region', { name: 'As of' })
  }

  navigation(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name })
  }

  /** Until the server's clock on the page has gone on by this many seconds. */
  async waitClock(seconds: number): Promise<void> {
    for (let gone = 0; gone < seconds; gone += 1) {
      const now = await this.clock.textContent()
      await expect(this.clock).not.toHaveText(now ?? '')
    }
  }

  async waitLive(): Promise<void> {
    await expect(this.connection).toHaveText('Live')
  }

  /** From here on a reload is noticed. */
  async mark(): Promise<void> {
    await this.page.evaluate(() => Object.assign(window, { notReloaded: true }))
  }

  async expectNotReloaded(): Promise<void> {
    expect(await this.page.evaluate(() => 'notReloaded' in window)).toBe(true)
  }

  /** Nothing sticks out at the side. */
  async expectNoSidewaysScroll(): Promise<void> {
    const widths = await this.page.evaluate(() => ({
      content: document.documentElement.scrollWidth,
      room: document.documentElement.clientWidth,
    }))
    expect(widths.content).toBeLessThanOrEqual(widths.room)
  }
}
