import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Every rule of axe in the dark theme, and in the light one those that judge colours: the rest is the same there. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
    const axe = new AxeBuilder({ page })
    const { violations } = await (colorScheme === 'dark'
      ? axe
      : axe.withRules(['color-contrast', 'link-in-text-block'])
    ).analyze()
    const found = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({ id, help, html, failureSummary })),
    )
    expect(found, `accessibility in the ${colorScheme} theme`).toEqual([])
  }
}
