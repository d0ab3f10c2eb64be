import type { Locator, Page } from '@playwright/test'

/** The page of all changes of leader. */
export class FailoversPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  get sentence(): Locator {
    return this.page.getByRole('heading', { level: 1 })
  }

  get filter(): Locator {
    return this.page.getByRole('textbox', { name: 'Filter by name' })
  }

  /** The marks of the timeline; what the chosen one says is its value. */
  get marks(): Locator {
    return this.page.getByRole('slider', { name: 'Changes of leader' })
  }

  private region(name: string): Locator {
    return this.page.getByRole('region', { name })
  }

  get newest(): Locator {
    return this.region('Newest').getByRole('listitem')
  }

  /** "All 59", which shows every change as a table. */
  get all(): Locator {
    return this.region('Newest').getByRole('button', { name: /^All / })
  }

  get causes(): Locator {
    return this.page.getByRole('table', { name: 'Causes with their medians' }).getByRole('row')
  }

  get led(): Locator {
    return this.region('Availability of leadership').getByRole('row')
  }

  get changes(): Locator {
    return this.region('All changes of leader').getByRole('row')
  }
}
