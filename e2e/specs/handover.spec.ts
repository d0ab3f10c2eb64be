import { ElectionPage } from '../pages/election-page.ts'
import { Shell } from '../pages/shell.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/handover/job'

test('a handover shows in list, lanes and term table without a reload, in two browsers', async ({
  actors,
  elections,
  shell,
  openContext,
}) => {
  const first = await actors.leader({ prefix, name: 'worker-a' })
  await actors.process({ prefix, name: 'worker-b' })
  await elections.open('?q=handover')
  await expect(elections.cell('handover/job', 'leader')).toHaveText('worker-a')
  await shell.mark()

  const elsewhere = await (await openContext()).newPage()
  const there = new ElectionPage(elsewhere)
  await there.open(prefix)
  await expect(there.leaderName).toHaveText('worker-a')
  await expect(there.lanes).toHaveAccessibleName(/^1 term by 1 leader/)
  await new Shell(elsewhere).mark()

  first.resign()

  await expect(elections.cell('handover/job', 'leader')).toHaveText('worker-b')
  await expect(elections.cell('handover/job', 'term')).toContainText('#2')
  await expect(elections.cell('handover/job', 'change')).toContainText('Resigned or removed')
  await expect(elections.cell('handover/job', 'ribbon').getByRole('img')).toHaveAccessibleName(/; worker-b leads now$/)

  await expect(there.leaderName).toHaveText('worker-b')
  await expect(there.sentence).toContainText('is led by worker-b')
  await expect(there.lanes).toHaveAccessibleName(/^2 terms by 2 leaders/)
  await expect(there.lanes).toContainText('worker-a')
  await expect(there.lanes).toContainText('worker-b')
  await expect(there.terms).toHaveCount(2)
  await expect(there.term(2)).toContainText('worker-b')
  await expect(there.term(1)).toContainText('worker-a')
  await expect(there.term(1)).toContainText('resigned or removed')
  await expect(there.events.filter({ hasText: 'worker-b leads: #2' })).toHaveCount(1)
  // It queued again, behind the new leader.
  await expect(there.candidates.nth(1)).toContainText('worker-a')

  await shell.expectNotReloaded()
  await new Shell(elsewhere).expectNotReloaded()
})
