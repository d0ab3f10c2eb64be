import { expect, type Locator, type Page } from '@playwright/test'

export function electionPath(cluster: string, layout: 'queue' | 'single-key', prefix: string | Buffer): string {
  const bytes = Buffer.from(prefix as string)
  return `/elections/${cluster}/${layout === 'queue' ? 'q' : 'k'}~${bytes.toString('base64url')}`
}

/** One election, at `/elections/<cluster>/<ref>`. */
export class ElectionPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  /** A queue by its prefix without the last slash, as candidates are given it. */
  async open(prefix: string | Buffer, query = ''): Promise<void> {
    const whole = Buffer.concat([Buffer.from(prefix as string), Buffer.from('/')])
    await this.page.goto(electionPath('test', 'queue', whole) + query)
  }

  async openKey(key: string): Promise<void> {
    await this.page.goto(electionPath('test', 'single-key', key))
  }

  private get main(): Locator {
    return this.page.getByRole('main')
  }

  /** The last part of the name. */
  get heading(): Locator {
    return this.main.getByRole('heading', { level: 1 })
  }

  /** Name, status and the sentence in plain words. */
  get header(): Locator {
    return this.main.locator('header')
  }

  get sentence(): Locator {
    return this.header.getByRole('paragraph')
  }

  get leader(): Locator {
    return this.page.getByRole('region', { name: 'Leader' })
  }

  get leaderName(): Locator {
    return this.leader.getByRole('heading', { level: 2 })
  }

  get candidates(): Locator {
    return this.page
      .getByRole('table', { name: 'Candidates' })
      .getByRole('row')
      .filter({ has: this.page.getByRole('cell') })
  }

  get terms(): Locator {
    return this.page
      .getByRole('table', { name: 'Terms' })
      .getByRole('row')
      .filter({ has: this.page.getByRole('cell') })
  }

  /** `#3`. */
  term(ordinal: number): Locator {
    return this.terms.filter({ has: this.page.getByRole('cell', { name: `#${ordinal}`, exact: true }) })
  }

  get events(): Locator {
    return this.page.getByRole('region', { name: 'Recent events' }).getByRole('listitem')
  }

  get leaseKeys(): Locator {
    return this.page.getByRole('region', { name: 'Keys on this lease' })
  }

  get claims(): Locator {
    return this.page.getByRole('region', { name: 'Claim beside truth' })
  }

  /** What one speaker says, or etcd. */
  claimOf(name: string): Locator {
    return this.claims.getByRole('listitem').filter({ hasText: new RegExp(`^${name}`) })
  }

  /** Described in a sentence: who measured renewals, and the slowest of each. */
  get rtt(): Locator {
    return this.charts.getByRole('figure').nth(1)
  }

  get charts(): Locator {
    return this.page.getByRole('region', { name: 'Charts' })
  }

  /** The chart of term lanes, described in a sentence. */
  get lanes(): Locator {
    return this.charts.getByRole('figure').first()
  }

  get cursor(): Locator {
    return this.page.getByRole('slider', { name: 'Time cursor' })
  }

  range(name: string): Locator {
    return this.page.getByRole('radiogroup', { name: 'Time range' }).getByRole('radio', { name })
  }

  /** Seconds left and granted, as the countdown says. */
  async lease(): Promise<{ leftS: number; ofS: number }> {
    const text = await this.leader.getByText(/of \d+ s left/).textContent()
    const found = /^([\d.]+) s\s*of (\d+) s left/.exec(text ?? '')
    expect(found, `a countdown in "${text}"`).not.toBeNull()
    return { leftS: Number(found?.[1]), ofS: Number(found?.[2]) }
  }
}
