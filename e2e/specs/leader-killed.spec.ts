import { expect, test } from './support/test.ts'

const ttlSeconds = 2

test.use({ clusters: { test: ['/elections/killed/'] } })

test('a killed leader is followed by its standby, and the page says why', async ({ actors, election }) => {
  const prefix = '/elections/killed/with-standby'
  const doomed = await actors.leader({ prefix, name: 'doomed', ttlSeconds })
  await actors.process({ prefix, name: 'heir', ttlSeconds })
  await election.open(prefix)
  await expect(election.leaderName).toHaveText('doomed')

  await doomed.kill()

  await expect(election.leaderName).toHaveText('heir')
  await expect(election.term(1)).toContainText('lease lost')
  await election.term(1).getByRole('button', { name: 'lease lost' }).click()
  await expect(election.page.getByText(/^Evidence: .*it expired or was revoked/)).toBeVisible()
  await expect(election.events.filter({ hasText: 'doomed lost the lead: #1 ended, lease lost' })).toHaveCount(1)
  await expect(election.lanes).toHaveAccessibleName(/^2 terms by 2 leaders .*, 1 failover,/)
})

test('a killed leader without a standby leaves the seat free, and the list says so first', async ({
  actors,
  elections,
  election,
}) => {
  const prefix = '/elections/killed/alone'
  const doomed = await actors.leader({ prefix, name: 'lonely', ttlSeconds })
  await elections.open('')
  await expect(elections.cell('alone', 'status')).toContainText('No standby')

  await doomed.kill()

  await expect(elections.cell('alone', 'status')).toContainText('Leaderless')
  await expect(elections.cell('alone', 'leader')).toHaveText(/None\s*was lonely/)
  await expect(elections.cell('alone', 'candidates')).toContainText('nobody waiting')
  await expect(elections.cell('alone', 'change')).toHaveText(/Failover · lease lost.*lonely/)
  await expect(elections.attention).toContainText('lonely lost its lease at')

  await elections.link('alone').click()
  await expect(election.sentence).toContainText('has no leader since')
  await expect(election.sentence).toContainText('Last led by lonely, term #1: lease lost.')
  await expect(election.leaderName).toHaveText('Nobody leads')
})
