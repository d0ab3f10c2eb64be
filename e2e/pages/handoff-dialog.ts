import { expect, type Locator, type Page } from '@playwright/test'

/** "Hand off…" on an election's page, its dialog, and what became of it. */
export class HandoffDialog {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get button(): Locator {
    return this.page.getByRole('button', { name: /^(Hand off|Handing off)…$/ })
  }

  get review(): Locator {
    return this.page.getByRole('dialog', { name: /^Hand off / })
  }

  get progress(): Locator {
    return this.page.getByRole('dialog', { name: /^(Handing|Handed) off / })
  }

  /** Once what is there has been read. */
  async open(): Promise<void> {
    await this.button.click()
    await expect(this.seen).toBeVisible()
  }

  get seen(): Locator {
    return this.review.getByRole('region', { name: 'What you saw' })
  }

  get preflight(): Locator {
    return this.review.getByRole('region', { name: 'Preflight' }).getByRole('listitem')
  }

  get blastRadius(): Locator {
    return this.review.getByRole('region', { name: 'Blast radius' })
  }

  successor(name: string): Locator {
    return this.review.getByRole('group', { name: 'Successor' }).getByRole('radio', { name })
  }

  method(name: string): Locator {
    return this.review.getByRole('group', { name: 'Method' }).getByRole('radio', { name })
  }

  get reason(): Locator {
    return this.review.getByRole('textbox', { name: /^Reason/ })
  }

  /** Named by its effect. */
  confirm(name: string | RegExp): Locator {
    return this.review.getByRole('button', { name, exact: true })
  }

  get problem(): Locator {
    return this.review.getByRole('alert')
  }

  phase(name: string): Locator {
    return this.progress.getByRole('row').filter({ hasText: new RegExp(`^\\s*${name}`) })
  }

  get warnings(): Locator {
    return this.page.getByRole('region', { name: 'Handoff warnings' })
  }
}
