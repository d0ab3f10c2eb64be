/** What etcd itself refuses: an account without the right, and a store out of space. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { asRoot, enableAuth, rootPassword } from '../../../e2e/harness/auth.ts'
import { leads, Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { startActing } from './acting-for-test.ts'

const folder = makeTempFolder('refused')
afterAll(() => folder.remove())

function passwordFile(name: string, password: string): string {
  const file = join(folder.path, name)
  writeFileSync(file, `${password}\n`)
  return file
}

it('RC-06: without the right to write, etcd’s reason is told and recorded, and nothing disappears', async () => {
  const scene = await Scene.open()
  await enableAuth(scene.etcd, [
    { user: 'reads', password: 'reads-secret', read: ['jobs/', '/tenure/'] },
    { user: 'elections', password: 'elections-secret', read: ['jobs/'] },
  ])
  scene.admin = scene.client({ user: 'root', passwordFile: passwordFile('root', rootPassword) })
  const election = scene.newElection()
  const { lease } = await scene.admin.grant(300, { deadlineMs: 2_000 })
  const { lease: other } = await scene.admin.grant(300, { deadlineMs: 2_000 })
  await scene.put(`${election}/${lease.replace(/^0+/, '')}`, 'B', lease)
  await scene.put(`${election}/${other.replace(/^0+/, '')}`, 'C', other)
  const acting = async (name: string) => {
    const user = { name, passwordFile: passwordFile(name, `${name}-secret`) }
    const one = await startActing({ endpoints: scene.etcd.endpoints, watch: ['jobs/'], user })
    await one.until(`${election}/`, ({ candidates }) => candidates.length === 2)
    return one
  }
  const reads = await acting('reads')
  const { id, outcome } = await reads.handoff(await reads.preflight(`${election}/`, 'remove-key'), 'remove-key')
  expect(outcome).toMatchObject({ is: 'failed', words: expect.stringContaining('permission denied') })
  expect(reads.audit(id).map(({ kind }) => kind)).toEqual(['intent', 'outcome'])
  expect((await reads.until(`${election}/`, () => true)).candidates.map(({ identity }) => identity)).toEqual(['B', 'C'])
  expect(await scene.order(election)).toBe('BC')
  await reads.stop()

  const elections = await acting('elections')
  await expect(elections.preflight(`${election}/`)).rejects.toMatchObject({
    refusal: { code: 'etcd', why: expect.stringContaining('permission denied') },
  })
  expect(elections.audit()).toMatchObject([{ kind: 'refusal', code: 'etcd', actor: { name: 'Ann' } }])
  await elections.stop()
  expect((await scene.etcd.etcdctl([...asRoot, 'get', '--prefix', '/tenure/handoff/'])).stdout).toBe('')
  await scene.stop()
}, 60_000)

it('out of space, the key can still be removed, and asking has failed for certain', async () => {
  const scene = await Scene.open({ flags: ['--quota-backend-bytes=4194304'] })
  const acting = await startActing({ endpoints: scene.etcd.endpoints, watch: ['jobs/'] })
  const election = scene.newElection()
  const [, b] = await scene.line(election, 'ab', { ttlSeconds: 10 })
  await acting.until(`${election}/`, ({ candidates }) => candidates.length === 2)
  const value = new Uint8Array(256 * 1024)
  const isFull = async () =>
    scene.put(`/filler/${Math.random()}`, value).then(
      () => false,
      () => true,
    )
  await eventually('etcd is full', isFull, 20_000)
  const asked = await acting.handoff(await acting.preflight(`${election}/`), 'ask')
  expect(asked.outcome).toMatchObject({ is: 'failed', words: expect.stringContaining('space exceeded') })
  const removed = await acting.handoff(await acting.preflight(`${election}/`, 'remove-key'), 'remove-key')
  expect(removed.outcome).toMatchObject({ is: 'verified', words: expect.stringContaining('b leads') })
  await eventually('b leads', () => b !== undefined && leads(b))
  await acting.stop()
  await scene.stop()
}, 60_000)
