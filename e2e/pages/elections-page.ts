import { expect, type Locator, type Page } from '@playwright/test'

const COLUMNS = [
  'status',
  'leader',
  'term',
  'since',
  'lease',
  'renewal',
  'candidates',
  'failovers',
  'ribbon',
  'change',
] as const
export type Column = (typeof COLUMNS)[number]

/** The list of elections, at `/`. */
export class ElectionsPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** `query` as the address has it: `?q=job&sort=leader`. */
  async open(query = ''): Promise<void> {
    await this.page.goto(`/${query}`)
  }

  /** Is it all right, in one sentence. */
  get sentence(): Locator {
    return this.page.getByRole('main').getByRole('heading', { level: 1 })
  }

  get table(): Locator {
    return this.page.getByRole('table', { name: 'Elections' })
  }

  get attention(): Locator {
    return this.page.getByRole('region', { name: 'Needs attention' })
  }

  get search(): Locator {
    return this.page.getByRole('textbox', { name: 'Filter by prefix or candidate' })
  }

  /** `name` starts with the word of the filter. */
  filter(name: string): Locator {
    return this.page
      .getByRole('radiogroup', { name: 'Filter by status' })
      .getByRole('radio', { name: new RegExp(`^${name},`) })
  }

  sortBy(column: string): Locator {
    return this.table.getByRole('columnheader', { name: new RegExp(`^${column}`) }).getByRole('button')
  }

  column(name: string): Locator {
    return this.table.getByRole('columnheader', { name: new RegExp(`^${name}`) })
  }

  /** The link that is the whole row. */
  link(name: string): Locator {
    return this.table.getByRole('link', { name, exact: true })
  }

  row(name: string): Locator {
    return this.table.getByRole('row').filter({ has: this.page.getByRole('link', { name, exact: true }) })
  }

  cell(name: string, column: Column): Locator {
    return this.row(name).getByRole('cell').nth(COLUMNS.indexOf(column))
  }

  /** What stands for a row where there is no room for a table. */
  card(name: string | RegExp): Locator {
    return this.page.getByRole('list', { name: 'Elections' }).getByRole('link').filter({ hasText: name })
  }

  /** Names in the order in which they stand. */
  async names(): Promise<string[]> {
    return this.table.getByRole('rowheader').getByRole('link').allTextContents()
  }

  /** Seconds left and granted, as the row says. */
  async lease(name: string): Promise<{ leftS: number; ofS: number }> {
    const text = (await this.cell(name, 'lease').textContent()) ?? ''
    const found = /([\d.]+) s\s*of (\d+) s/.exec(text)
    expect(found, `a countdown in "${text}"`).not.toBeNull()
    return { leftS: Number(found?.[1]), ofS: Number(found?.[2]) }
  }
}
