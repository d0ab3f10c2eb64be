import { expect, type Locator, type Page } from '@playwright/test'

/** The page that tells everything that was tried. */
export class AuditPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/audit${query}`)
    await expect(this.page.getByRole('heading', { level: 1 })).not.toHaveText(/^–/)
  }

  get sentence(): Locator {
    return this.page.getByRole('heading', { level: 1 })
  }

  get rows(): Locator {
    return this.page.locator('[data-row]')
  }

  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text })
  }

  get search(): Locator {
    return this.page.getByRole('textbox', { name: /^Search/ })
  }

  filter(name: 'What' | 'Result'): Locator {
    return this.page.getByRole('combobox', { name })
  }

  time(name: 'From' | 'To'): Locator {
    return this.page.getByLabel(`${name}, UTC`)
  }

  toggle(row: Locator): Locator {
    return row.getByRole('button', { name: /its history$/ })
  }

  get newRows(): Locator {
    return this.page.getByRole('button', { name: /new rows?, press/ })
  }

  get trouble(): Locator {
    return this.page.getByRole('alert').filter({ hasText: 'The audit log cannot be read.' })
  }

  exportLink(format: 'CSV' | 'JSON Lines'): Locator {
    return this.page.getByRole('link', { name: format })
  }
}
