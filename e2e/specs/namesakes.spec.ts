import { expect, test } from './support/test.ts'

test('two candidates of one name are two, and a takeover between them is a failover', async ({
  actors,
  elections,
  election,
}) => {
  const prefix = '/elections/rc14'
  const first = await actors.enter({ prefix, value: 'localhost' })
  const second = await actors.enter({ prefix, value: 'localhost' })
  await elections.open('?q=rc14')
  await expect(elections.row('rc14')).toContainText('2 candidates named localhost')
  await elections.link('rc14').click()
  await expect(election.candidates).toHaveCount(2)
  await expect(election.candidates.nth(0)).toContainText(`${prefix}/${first.leaseHex}`)
  await expect(election.candidates.nth(1)).toContainText(`${prefix}/${second.leaseHex}`)
  await expect(election.page.getByText('Identity localhost used by 2 candidates')).toBeVisible()
  await expect(election.lanes).toContainText(`localhost …${first.leaseHex.slice(-4)}`)

  await first.revoke()
  await expect(election.term(2)).toContainText('localhost')
  await expect(election.term(1)).toContainText('lease lost')
  await expect(election.leader).toContainText(second.leaseHex)
  await expect(election.candidates).toHaveCount(1)
  await expect(election.lanes).toHaveAccessibleName(/^2 terms .*, 1 failover,/)
})
