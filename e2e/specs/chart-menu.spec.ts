import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/export/=chart'

/** Opens a panel's menu and takes an item, by keys alone. */
async function choose(page: Page, panel: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `${panel}: table and downloads` }).press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

async function download(page: Page, panel: string, item: string) {
  const coming = page.waitForEvent('download')
  await choose(page, panel, item)
  const file = await coming
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

test('a chart can be read as a table and taken away as CSV, SVG and PNG, by keyboard', async ({
  actors,
  election,
  page,
}) => {
  const first = await actors.enter({ prefix, value: '=worker-a' })
  await actors.enter({ prefix, value: '<worker-b>' })
  await election.open(prefix, '?range=15m')
  await expect(election.leaderName).toHaveText('=worker-a')
  await first.resign()
  await expect(election.lanes).toHaveAccessibleName(/^2 terms by 2 leaders/)

  await choose(page, 'Terms', 'Show as table')
  const table = page.getByRole('dialog', { name: 'Terms as a table' })
  await expect(table.getByRole('columnheader', { name: 'Without a leader before (ms)' })).toBeVisible()
  const rows = table.getByRole('row').filter({ has: page.getByRole('cell') })
  await expect(rows.filter({ hasText: '=worker-a' })).toHaveText(
    /^term\d{4}-\d\d-\d\dT[\d:.]+Z\d{4}-.*Z10\d+=worker-a–resigned or removed/,
  )
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(table).toBeHidden()
  // Letters of the menu are no keys of the page: H would open a dialog.
  await page.getByRole('button', { name: 'Terms: table and downloads' }).press('Enter')
  await page.keyboard.press('h')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Terms: table and downloads' })).toBeFocused()

  const csv = await download(page, 'Terms', 'Download CSV')
  expect(csv.name).toMatch(/^elections-export-chart-terms-\d{8}T\d{6}Z-\d{8}T\d{6}Z\.csv$/)
  const [head, ...lines] = csv.bytes.toString('utf8').split('\r\n')
  expect(head).toMatch(/^What,From \(UTC\),To \(UTC\),Term,Epoch,Token,Leader,/)
  expect(lines.filter((line) => line.includes(",'=worker-a,"))).toHaveLength(1)

  for (const panel of ['Terms', 'Renewal RTT', 'Renewal margin', 'Failovers']) {
    const svg = (await download(page, panel, 'Download SVG')).bytes.toString('utf8')
    const found = await page.evaluate((text) => {
      const document = new DOMParser().parseFromString(text, 'image/svg+xml')
      const outward = [...document.querySelectorAll('*')].flatMap((each) =>
        [...each.attributes].filter(
          ({ name, value }) => /href|^on|^class$|^style$/.test(name) || /url\((?!["']?#)|var\(/.test(value),
        ),
      )
      const foreign = document.querySelectorAll('parsererror, script, style, image, foreignObject, use').length
      return {
        outward: outward.map(({ name, value }) => `${name}=${value}`),
        foreign,
        text: document.documentElement.textContent,
      }
    }, svg)
    expect(found).toMatchObject({ outward: [], foreign: 0 })
    expect(found.text).toContain(`elections/export/=chart · ${panel} · `)
    if (panel === 'Terms') expect(found.text).toContain('<worker-b>')
  }
  const png = await download(page, 'Renewal RTT', 'Download PNG')
  expect(png.name).toMatch(/-renewal-rtt-.*\.png$/)
  expect(png.bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  // Width at two pixels for one: wider than the chart itself.
  expect(png.bytes.readUInt32BE(16)).toBeGreaterThan(1_200)
})
