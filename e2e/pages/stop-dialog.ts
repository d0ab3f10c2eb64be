import type { Locator, Page } from '@playwright/test'

/** The dialog that engages a kill switch, and the page on which it stands afterwards. */
export class StopDialogPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get opener(): Locator {
    return this.page.getByRole('button', { name: 'Kill switch…' }).first()
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  /** Names the effect. */
  get hold(): Locator {
    return this.dialog.getByRole('button', { name: /^(Hold to stop|Keep holding|Press again)/ })
  }

  get typed(): Locator {
    return this.dialog.getByLabel('Type the name')
  }

  get reason(): Locator {
    return this.dialog.getByLabel('Reason')
  }

  scope(name: string | RegExp): Locator {
    return this.dialog.getByRole('radio', { name })
  }

  async holdDown(ms = 2_300): Promise<void> {
    await this.hold.hover()
    await this.page.mouse.down()
    await this.page.waitForTimeout(ms)
    await this.page.mouse.up()
  }

  /** One switch on its own page. */
  block(scope: string): Locator {
    return this.page.getByRole('article', { name: scope })
  }
}
