import { expect, test } from './support/test.ts'

const prefix = '/elections/ranges/job'
const rangeIn = (url: string) => new URL(url).searchParams.get('range')
const lengthIn = (url: string) => Number(/^(\d+)s$/.exec(rangeIn(url) ?? '')?.[1])

test('any stretch up to thirty days is shown by picker, brush and keys, and is in the address', async ({
  actors,
  election,
  page,
}) => {
  const first = await actors.enter({ prefix, value: 'worker-a' })
  await actors.enter({ prefix, value: 'worker-b' })
  await election.open(prefix)
  await first.resign()
  await expect(election.leaderName).toHaveText('worker-b')
  const figures = page.getByRole('table', { name: 'This range in figures' })
  await expect(figures.getByRole('row', { name: /^Other changes 1 / })).toBeVisible()
  await expect(figures.getByRole('row', { name: /^Failovers 0 / })).toBeVisible()

  await page.getByRole('radio', { name: '30 days' }).click()
  await expect.poll(() => rangeIn(page.url())).toBe('30d')
  await expect(figures.getByRole('columnheader', { name: 'Last 30 d' })).toBeVisible()
  await page.keyboard.press('[')
  await expect.poll(() => rangeIn(page.url())).toBe('7d')
  await page.keyboard.press('{')
  await expect(page.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('}')
  await expect(page.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'true')

  // By mouse: a quarter of seven days.
  const cursor = page.getByRole('slider', { name: 'Time cursor' })
  const box = await cursor.boundingBox()
  if (box === null) throw new Error('no charts')
  await page.mouse.move(box.x + box.width / 2, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + 70, { steps: 4 })
  await page.mouse.up()
  await expect.poll(() => lengthIn(page.url())).toBeGreaterThan(1.6 * 86_400)
  expect(lengthIn(page.url())).toBeLessThan(1.9 * 86_400)
  const brushed = page.url()

  // By keys: from the cursor to the cursor.
  await page.keyboard.press('Home')
  await cursor.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('z')
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('z')
  await expect.poll(() => lengthIn(page.url())).toBeLessThan(0.5 * 86_400)

  await page.goto(brushed)
  await expect(page.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('l')
  await expect(page.getByRole('button', { name: 'Live' })).toHaveAttribute('aria-pressed', 'true')
})
