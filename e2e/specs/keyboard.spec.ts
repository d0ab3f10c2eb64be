import { expect, test } from './support/test.ts'

test('everything is within reach of the keyboard', async ({ page, actors, elections, election, cluster, shell }) => {
  const leaders = []
  for (const name of ['one', 'two', 'three']) {
    const prefix = `/elections/keyboard/${name}`
    leaders.push(await actors.enter({ prefix, value: `${name}-a` }))
    await actors.enter({ prefix, value: `${name}-b` })
  }
  await leaders[2]?.resign()
  const press = (key: string) => page.keyboard.press(key)
  await elections.open()
  await shell.waitLive()

  await test.step('/ filters, Esc leaves the field', async () => {
    await expect(elections.link('keyboard/two')).toBeVisible()
    await press('/')
    await expect(elections.search).toBeFocused()
    await page.keyboard.type('keyboard/')
    await expect.poll(() => elections.names()).toEqual(['keyboard/three', 'keyboard/one', 'keyboard/two'])
    // Keys are letters while somebody types.
    await page.keyboard.type('j')
    await expect(elections.search).toHaveValue('keyboard/j')
    await press('Backspace')
    await press('Escape')
    await expect(elections.search).not.toBeFocused()
  })

  await test.step('j and k move, Enter opens', async () => {
    await press('j')
    await expect(elections.link('keyboard/three')).toBeFocused()
    await press('j')
    await press('j')
    await expect(elections.link('keyboard/two')).toBeFocused()
    await press('k')
    await press('k')
    await expect(elections.link('keyboard/three')).toBeFocused()
    await press('Enter')
    await expect(election.heading).toHaveText('three')
  })

  await test.step('arrows move the cursor, with Shift from event to event', async () => {
    await expect(election.cursor).toHaveAttribute('aria-valuetext', /^now three-b leads #2/)
    await press('Shift+ArrowLeft')
    await expect(election.cursor).toHaveAttribute(
      'aria-valuetext',
      /^at \d\d:\d\d:\d\d {2}resigned or removed: #1 three-a → #2 three-b/,
    )
    await press('Shift+ArrowLeft')
    await expect(election.cursor).toHaveAttribute('aria-valuetext', /#1 three-a begins/)
    const at = Number(await election.cursor.getAttribute('aria-valuenow'))
    await press('ArrowLeft')
    await expect.poll(async () => Number(await election.cursor.getAttribute('aria-valuenow'))).toBeLessThan(at)
    await press('Escape')
    await expect(election.cursor).toHaveAttribute('aria-valuetext', /^now /)
  })

  await test.step('[ and ] change the range', async () => {
    await press(']')
    await expect(election.range('6 hours')).toBeChecked()
    await press('[')
    await press('[')
    await expect(election.range('15 minutes')).toBeChecked()
  })

  await test.step('g e and g c go, ? helps, Esc closes', async () => {
    await press('g')
    await press('c')
    await expect(cluster.sentence).toContainText('test is healthy')
    await press('g')
    await press('e')
    await expect(page).toHaveURL('/')
    await press('?')
    await expect(shell.dialog('All keys')).toContainText('next row, previous row')
    await press('Escape')
    await expect(shell.dialog('All keys')).toBeHidden()
  })

  await test.step('Ctrl K opens any election', async () => {
    await press('Control+k')
    await page.keyboard.type('two-b')
    await expect(page.getByRole('option', { name: /keyboard\/two/ })).toHaveAttribute('aria-selected', 'true')
    await press('Enter')
    await expect(election.heading).toHaveText('two')
  })

  await test.step('Tab shows where it is, the first stop skips to the page', async () => {
    await page.reload()
    await expect(election.heading).toHaveText('two')
    await press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused()
    await press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })
})
