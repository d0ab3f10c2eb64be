import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/past/job'

test('the past by keyboard: as of a moment, from change to change, on every page, and back to now', async ({
  actors,
  election,
  elections,
  page,
  shell,
}) => {
  const first = await actors.enter({ prefix, value: 'worker-a' })
  await election.open(prefix)
  await expect(election.leaderName).toHaveText('worker-a')
  await shell.waitClock(1)
  await actors.enter({ prefix, value: 'worker-b' })
  await expect(election.candidates).toHaveCount(2)
  await first.revoke()
  await expect(election.leaderName).toHaveText('worker-b')

  await test.step('a time that cannot be shown is refused in words', async () => {
    const field = page.getByRole('textbox', { name: 'Show everything as of' })
    for (const [typed, says] of [
      ['yesterday', '“yesterday” is no time.'],
      ['2126-03-12 03:12', 'is in the future'],
      ['2020-03-12 03:12', 'Nothing is kept before'],
    ] as const) {
      await page.keyboard.press('a')
      await expect(field).toBeFocused()
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('alert').filter({ hasText: says })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(field).toBeHidden()
    }
    await expect(shell.connection).toHaveText('Live')
  })

  await test.step('the election as it was when its first term began', async () => {
    await election.term(1).getByRole('link').press('Enter')
    await expect(shell.past).toContainText(/^As of \d\d:\d\d:\d\d UTC, /)
    await expect(shell.connection).toHaveText(/^As of \d\d:\d\d:\d\d UTC$/)
    await expect(election.leaderName).toHaveText('worker-a')
    await expect(election.candidates).toHaveCount(1)
    await expect(election.terms).toHaveCount(1)
    await expect(election.leader).toContainText('not kept')
    await expectAccessible(page)
  })

  await test.step('nothing can be done there', async () => {
    const off = 'You look at the past: actions are off. Back to now.'
    await expect(page.getByRole('button', { name: 'Hand off…' })).toHaveAccessibleDescription(off)
    await page.keyboard.press('h')
    await page.keyboard.press('x')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  await test.step('from change to change', async () => {
    await page.keyboard.press('.')
    await expect(shell.past).toContainText('worker-b joined the queue.')
    await expect(election.candidates).toHaveCount(2)
    await expect(election.leaderName).toHaveText('worker-a')
    await page.keyboard.press('.')
    await expect(shell.past).toContainText('worker-a lost the lead: #1 ended, lease lost; worker-b leads: #2')
    await expect(election.leaderName).toHaveText('worker-b')
    await page.keyboard.press('.')
    await expect(shell.past).toContainText('No later change is on record.')
    await page.keyboard.press(',')
    await expect(election.leaderName).toHaveText('worker-a')
  })

  await test.step('other pages show the same moment, after a reload as well, and what happens now is not there', async () => {
    for (const [key, path] of [
      ['c', '/clusters'],
      ['u', '/audit'],
      ['f', '/failovers'],
      ['e', '/'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await expect(page).toHaveURL((url) => url.pathname.startsWith(path) && url.searchParams.has('asof'))
    }
    await expect(elections.cell('past/job', 'leader')).toHaveText('worker-a')
    await actors.enter({ prefix, value: 'worker-c' })
    await page.reload()
    await expect(elections.cell('past/job', 'leader')).toHaveText('worker-a')
    await expect(elections.cell('past/job', 'candidates')).toContainText('2')
    expect(page.url()).toContain('asof=')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(elections.card('past/job')).toContainText('worker-a')
    await shell.expectNoSidewaysScroll()
    await page.setViewportSize({ width: 1440, height: 1000 })
  })

  await test.step('back to now', async () => {
    await page.keyboard.press('Escape')
    await expect(shell.past).toHaveCount(0)
    await shell.waitLive()
    await expect(elections.cell('past/job', 'leader')).toHaveText('worker-b')
    expect(page.url()).not.toContain('asof=')
  })
})
