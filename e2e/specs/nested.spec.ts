import { expect, test } from './support/test.ts'
import { listTruth } from './support/truth.ts'

test('a nested election blocks the one above it, and the page says by which key', async ({
  page,
  actors,
  elections,
  election,
}) => {
  await actors.put('nestx', 'hello')
  await actors.put('nest', 'hello')
  const inner = actors.elect('nest/a', 'candA')
  await elections.open('?q=nest')
  await expect(elections.cell('a', 'leader')).toHaveText('candA')
  actors.elect('nest', 'candTop')
  await expect(elections.cell('nest/', 'candidates')).toContainText('candTop')
  await expect(elections.cell('nest/', 'leader')).toHaveText('None')
  await expect(elections.row('nest/')).toContainText('blocked by older key nest/a/')
  const prefixes = (await listTruth(page)).elections
    .map(({ prefix }) => prefix)
    .filter((prefix) => prefix.startsWith('nest'))
  expect(prefixes.sort()).toEqual(['nest/', 'nest/a/'])

  await elections.link('nest/').click()
  await expect(election.sentence).toContainText(/is blocked by older key nest\/a\/[0-9a-f]+ of a nested election/)
  await expect(election.sentence).toContainText('When that key goes, candTop leads.')
  await expect(election.leaderName).toHaveText('Nobody leads')
  await expect(election.candidates.first()).toHaveText(/blocks: nest\/a\/[0-9a-f]+/)
  await expect(election.terms).toHaveCount(0)

  await inner.stop()
  await expect(election.leaderName).toHaveText('candTop')
  await expect(election.sentence).toContainText('is led by candTop')
  await expect(election.terms).toHaveCount(1)
  await page.goto('/?q=nest')
  await elections.link('a').click()
  await expect(election.sentence).toContainText('has no leader')
  await expect(election.terms).toHaveCount(1)
  await expect(election.term(1)).toContainText('candA')
})
