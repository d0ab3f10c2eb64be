import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/first'

test.use({ clusters: { test: [`${prefix}/`] } })

test('an open page shows the first election and its leader within seconds', async ({
  page,
  actors,
  elections,
  election,
  shell,
}) => {
  await elections.open()
  await shell.waitLive()
  await expect(shell.connectionLine).toHaveText(/Live\s*· revision \d/)
  await expect(shell.members).toHaveText(/3\/3 members · quorum ok/)
  await expect(elections.sentence).toHaveText('There are no elections yet.')
  await expect(page.getByRole('heading', { name: `No elections under ${prefix}/` })).toBeVisible()
  await expectAccessible(page)
  await shell.mark()

  const settlement = await actors.leader({ prefix: `${prefix}/settlement`, name: 'sp-1' })
  await expect(elections.cell('settlement', 'leader')).toHaveText('sp-1', { timeout: 3_000 })
  await expect(elections.cell('settlement', 'status')).toContainText('No standby')
  await expect(elections.cell('settlement', 'term')).toContainText('#1')
  await expect(elections.cell('settlement', 'lease')).toHaveText(/[\d.]+ s of 5 s/)
  await expect(elections.sentence).toContainText('1 of 1 election needs attention.')

  await actors.process({ prefix: `${prefix}/settlement`, name: 'sp-2' })
  await expect(elections.cell('settlement', 'candidates')).toHaveText(/2\s*next sp-2/, { timeout: 3_000 })
  await expect(elections.sentence).toContainText('The one election is healthy.')

  await elections.link('settlement').click()
  await expect(election.heading).toHaveText('settlement')
  await expect(election.sentence).toContainText('settlement is led by sp-1 for')
  await expect(election.sentence).toContainText('1 standby; next is sp-2.')
  await expect(election.leaderName).toHaveText('sp-1')
  await expect(election.candidates).toHaveCount(2)
  const { lease = '' } = await settlement.waitFor('leading')
  await expect(election.candidates.first()).toContainText(BigInt(lease).toString(16))
  await expect(shell.connection).toHaveText('Live')
  await shell.expectNotReloaded()
})
