import { expect, test } from './support/test.ts'

test('a leader key that lost its lease never expires, and that is what the page says', async ({
  actors,
  elections,
  election,
}) => {
  const lease = await actors.lease({ ttlSeconds: 30 })
  await actors.put('/service/pgA/config', '{"ttl":30}')
  await actors.put('/service/pgA/failsafe', '{')
  await actors.put('/service/pgA/members/pg1', '{"role":"primary"}', lease)
  await actors.put('/service/pgA/leader', 'pg1', lease)

  await elections.open('?q=pgA')
  await expect(elections.cell('pgA/leader', 'leader')).toHaveText('pg1')
  await expect(elections.cell('pgA/leader', 'candidates')).toContainText('single key')
  await expect(elections.cell('pgA/leader', 'lease')).toContainText('of 30 s')
  expect(await elections.names()).toEqual(['pgA/leader'])

  await actors.put('/service/pgA/leader', 'pg2')
  await expect(elections.cell('pgA/leader', 'lease')).toHaveText('no lease – never expires')
  await expect(elections.cell('pgA/leader', 'term')).toContainText('#1')
  await expect(elections.row('pgA/leader')).toContainText('leader’s key has no lease')

  await election.openKey('/service/pgA/leader')
  await expect(election.leader).toContainText('no lease – never expires')
  await expect(election.leader).not.toContainText(/NaN|1970/)
  await expect(election.sentence).toContainText('Its key has no lease: it never expires')
  await expect(election.leaseKeys).toContainText('no live lease behind it')
  await expect(election.events.first()).toContainText('value changed pg1 → pg2 and lease detached')
  await expect(election.terms).toHaveCount(1)
  await expect(election.term(1)).toContainText('pg2')
})
