import { expect, test } from './support/test.ts'
import { listTruth, truthOf } from './support/truth.ts'

const prefix = '/elections/rc01'
// Both read as 2777639186554635000 when taken for a JavaScript number.
const LEASES = [
  { id: '2777639186554634659', hex: '268c281fa4cb41a3', value: 'n659' },
  { id: '2777639186554634660', hex: '268c281fa4cb41a4', value: 'n660' },
]

test('ids and revisions beyond 2^53 are shown with all their digits', async ({
  page,
  actors,
  etcd,
  election,
  cluster,
}) => {
  const revisions: string[] = []
  for (const { id, hex, value } of LEASES) {
    const lease = await actors.lease({ id, ttlSeconds: 60 })
    revisions.push(await actors.put(`${prefix}/${hex}`, value, lease))
  }
  const listed = await etcd.etcdctl(['lease', 'list'])
  await election.open(prefix)
  await expect(election.candidates).toHaveCount(2)
  for (const [at, { hex, value }] of LEASES.entries()) {
    await expect(election.candidates.nth(at)).toContainText(value)
    await expect(election.candidates.nth(at)).toContainText(hex)
    expect(listed.stdout).toContain(hex)
    // A look-up by a rounded id would find no lease.
    await expect(election.candidates.nth(at)).toContainText(/[\d.]+ s/)
  }
  await expect(election.leader).toContainText(LEASES[0]?.hex ?? '')
  await expect(election.leader).toContainText('of 60 s left')
  await expect(election.leaseKeys).toContainText(`${prefix}/${LEASES[0]?.hex}`)
  await expect(election.leaseKeys).not.toContainText(`${prefix}/${LEASES[1]?.hex}`)

  const truth = await truthOf(page, `${prefix}/`)
  expect(truth?.leader).toMatchObject({ lease: LEASES[0]?.hex, createRevision: revisions[0] })
  expect(truth?.nextUp).toMatchObject({ lease: LEASES[1]?.hex, createRevision: revisions[1] })

  // Cluster and member ids are unsigned 64-bit numbers; `endpoint status` writes them whole.
  const status = await etcd.etcdctl(['endpoint', 'status', '--write-out=json'])
  const digits = (name: string) =>
    [...status.stdout.matchAll(new RegExp(`"${name}":(\\d+)`, 'g'))].map(([, id]) => id ?? '')
  expect((await listTruth(page)).clusters[0]?.clusterId).toBe(digits('cluster_id')[0])
  await cluster.open()
  await expect(cluster.members).toHaveCount(3)
  const table = page.getByRole('region', { name: 'Members' }).getByRole('table')
  for (const id of digits('member_id')) await expect(table).toContainText(BigInt(id).toString(16))
})
