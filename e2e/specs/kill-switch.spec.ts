import { expectAccessible } from './support/accessible.ts'
import { expect, test } from './support/test.ts'

// Written by hand, as by another dashboard: the keys are its own etcd's.
test.use({ ownEtcd: true })

const record = (state: 'engaged' | 'released') =>
  JSON.stringify({
    v: 1,
    state,
    reason: 'wrong <b>totals</b>',
    by: 'ann',
    at: '2026-01-01T03:12:06.000Z',
    until: '2026-01-01T05:00:00.000Z',
    nonce: 'n1',
    operation: 'o1',
    match: 'prefix',
  })

test('an engaged kill switch stands above every page and in its rows, and goes when it is released', async ({
  actors,
  elections,
  election,
  shell,
  page,
}) => {
  const prefix = '/elections/settlement/eu'
  await actors.enter({ prefix, value: 'w-1' })
  await actors.enter({ prefix, value: 'w-2' })
  await actors.enter({ prefix: '/elections/other', value: 'w-3' })
  await elections.open('')
  await expect(elections.cell('settlement/eu', 'status')).toContainText('Healthy')

  await actors.put('/tenure/switch//elections/settlement/', record('engaged'))
  const line = shell.banner('Kill switch on /elections/settlement/ and below:')
  await expect(line).toContainText('engaged by ann at 03:12:06 UTC: wrong <b>totals</b>')
  await expect(elections.cell('settlement/eu', 'status')).toContainText('Stopped')
  await expect(elections.cell('other', 'status')).toContainText('No standby')
  await expectAccessible(page)

  await elections.link('settlement/eu').click()
  await expect(election.sentence).toContainText('is stopped by the kill switch on /elections/settlement/ and below')
  await expect(election.sentence).toContainText('w-1 still has the seat')
  await expect(line).toBeVisible()
  await expectAccessible(page)

  await actors.put('/tenure/switch//elections/settlement/', 'off!')
  await expect(shell.banner('its record cannot be read')).toBeVisible()

  await actors.put('/tenure/switch//elections/settlement/', record('released'))
  await expect(shell.banner('Kill switch')).toHaveCount(0)
  await expect(election.sentence).toContainText('is led by w-1')
})
