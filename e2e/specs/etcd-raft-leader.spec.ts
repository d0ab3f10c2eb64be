import { enterCandidate } from '../harness/raw-etcd.ts'
import { expect, test } from './support/test.ts'

const prefix = '/elections/cond/refilled'

test.use({ ownEtcd: true })
test.setTimeout(90_000)

test('a failover that an etcd raft leader change put off says so: in the lease, the charts and the evidence (RC-11)', async ({
  etcd,
  actors,
  election,
}) => {
  await enterCandidate(actors.client, { prefix, value: 'dead', ttlSeconds: 6 })
  await actors.enter({ prefix, value: 'heir', ttlSeconds: 60 })
  await election.open(prefix, '?range=15m')
  await expect(election.leader).toContainText(/[0-3]\.\d s\s*of 6 s left/)

  const raftLeader = await etcd.raftLeader()
  await raftLeader.kill()

  await expect(election.leader).toContainText('refilled by etcd', { timeout: 15_000 })
  await expect(election.leaderName).toHaveText('heir', { timeout: 30_000 })
  await election.term(1).getByRole('button', { name: 'lease lost' }).click()
  await expect(
    election.page.getByText(/^Evidence: key gone at revision \d+, lease .* etcd raft leader changed \d+ s before/),
  ).toBeVisible()

  // Back to the failover by keys: what its time was made of.
  await election.cursor.focus()
  await election.page.keyboard.press('Shift+ArrowLeft')
  await expect(election.charts).toContainText(/detect\s*6\.0 s \(−1 s\)\s*refill\s*[2-9]\.\d s\s*vacancy/)
  // And to the change before it, by the names of members.
  await election.page.keyboard.press('Shift+ArrowLeft')
  await expect(election.cursor).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`etcd raft leader ${raftLeader.name} → etcd-\\d`),
  )
})
