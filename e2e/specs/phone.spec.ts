import { expect, test } from './support/test.ts'

test.use({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })

test('on a phone: cards, the election, the cluster, nothing sideways', async ({
  page,
  actors,
  elections,
  election,
  cluster,
  shell,
}) => {
  const prefix = '/elections/phone/a-name-that-is-longer-than-any-phone-is-wide/settlement-of-the-night'
  const leader = await actors.enter({ prefix, value: 'sp-1.with.a.fully.qualified.domain.name.example.org' })
  await actors.enter({ prefix, value: 'sp-2' })
  await elections.open('?q=phone')
  const card = elections.card(/settlement-of-the-night/)
  await expect(card).toContainText('Healthy')
  await expect(card).toContainText('sp-1.with')
  await expect(elections.table).toBeHidden()
  await shell.expectNoSidewaysScroll()

  await card.tap()
  await expect(election.heading).toHaveText('settlement-of-the-night')
  await expect(election.leaderName).toContainText('sp-1.with')
  await expect(election.candidates).toHaveCount(2)
  await expect(election.lanes).toBeVisible()
  await shell.expectNoSidewaysScroll()

  await leader.resign()
  await expect(election.leaderName).toHaveText('sp-2')
  await expect(election.terms).toHaveCount(2)
  await shell.expectNoSidewaysScroll()

  await shell.navigation('Cluster').tap()
  await expect(cluster.sentence).toContainText('test is healthy')
  await expect(page.getByRole('region', { name: 'Members' }).getByRole('listitem')).toHaveCount(3)
  await shell.expectNoSidewaysScroll()

  await shell.navigation('Elections').tap()
  await expect(elections.sentence).toBeVisible()
})
