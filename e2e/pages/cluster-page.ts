import type { Locator, Page } from '@playwright/test'

/** One etcd cluster, at `/clusters/<name>`. */
export class ClusterPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(name = 'test'): Promise<void> {
    await this.page.goto(`/clusters/${name}`)
  }

  get sentence(): Locator {
    return this.page.getByRole('main').getByRole('heading', { level: 1 })
  }

  get members(): Locator {
    return this.page.getByRole('region', { name: 'Members' }).getByRole('table').getByRole('rowheader')
  }

  get facts(): Locator {
    return this.page.getByRole('main').locator('dl').first()
  }
}
