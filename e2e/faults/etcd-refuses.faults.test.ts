/** etcd answers, and refuses: it is out of space, a login has expired, it was restored from a backup. */
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { asRoot, enableAuth } from '../harness/auth.ts'
import { eventually } from '../harness/library-candidate.ts'
import { connect } from '../harness/raw-etcd.ts'
import { note, tellFigures } from './figures.ts'
import { withRun } from './run.ts'
import { EXPIRY_LAG_MS, type FaultStage, openStage } from './stage.ts'

afterAll(() => tellFigures('etcd refuses'))

/** A cluster that is this run's alone. */
async function withOwnEtcd(
  options: Parameters<typeof openStage>[0],
  play: (stage: FaultStage) => Promise<void>,
): Promise<void> {
  const stage = await openStage(options)
  try {
    await play(stage)
  } finally {
    await stage.stop()
  }
}

async function fill(stage: FaultStage): Promise<void> {
  const client = connect(stage.etcd.endpoints)
  const value = Buffer.alloc(200_000, 'x')
  let refusal = ''
  for (let nth = 0; nth < 100 && refusal === ''; nth += 1)
    await client.kv.put({ key: Buffer.from(`fill/${nth}`), value }).catch((error: Error) => {
      refusal = error.message
    })
  client.close()
  expect(refusal).toContain('database space exceeded')
}

describe.concurrent('etcd refuses', () => {
  it('RC-18 out of space: no new campaign, and it says so; the leader leads on; a resign hands over', () =>
    withOwnEtcd({ flags: ['--quota-backend-bytes=4194304'] }, (stage) =>
      withRun(stage, 'RC-18 out of space', async (run) => {
        const [a, b] = await run.enterInOrder(['a', 'b'], { ttlSeconds: 9 })
        const late = await run.spawn('late')
        await late.first('ready')
        await fill(stage)
        const terms = a.all('ended').length
        late.order({ do: 'enter' })
        const refused = () => late.all('trouble').filter(({ kind }) => kind === 'no-space')
        await eventually('the newcomer is refused and says so', () => refused().length > 0)
        await pause(9_000 + EXPIRY_LAG_MS)
        expect(a.all('ended')).toHaveLength(terms)
        expect([late.leadsWith(), late.all('leading')]).toEqual([null, []])
        run.mustFailOver('the resign', 2_000)
        a.order({ do: 'resign', reason: 'a test' })
        await run.successorOf(a)
        expect(b.leadsWith()).not.toBe(null)
        note(run.name, `the newcomer was refused ${refused().length} times`)
        expect((await stage.etcd.etcdctl(['alarm', 'disarm'])).code).toBe(0)
        await run.judged({ exclusive: true })
      }),
    ))

  it('a login expires while leading and while waiting: both go on', () =>
    withOwnEtcd({ flags: ['--auth-token=simple', '--auth-token-ttl=2'] }, (stage) =>
      withRun(stage, 'login expires', async (run) => {
        const passwordFile = join(stage.folder, 'password')
        writeFileSync(passwordFile, 'worker-secret\n')
        const write = ['faults/', '/tenure/']
        await enableAuth(stage.etcd, [{ user: 'worker', password: 'worker-secret', read: [], write }])
        run.actAs(asRoot)
        const credentials = { user: 'worker', passwordFile }
        const [a, b] = await run.enterInOrder(['a', 'b'], { ttlSeconds: 12, credentials })
        const terms = a.all('ended').length
        // The waiter asks etcd nothing for up to 12 s: its token has expired by then, and so has its watch's.
        await pause(26_000)
        expect(a.all('ended')).toHaveLength(terms)
        run.mustFailOver('the resign', 2_000)
        a.order({ do: 'resign', reason: 'a test' })
        await run.successorOf(a)
        expect(b.leadsWith()).not.toBe(null)
        const troubles = [a, b].flatMap((each) => each.all('trouble'))
        note(run.name, `troubles told in 26 s: ${troubles.length}`)
        await run.judged({ exclusive: true })
      }),
    ))

  it('RC-09 restored from a backup: refuses to lead until the epoch is raised', () =>
    withOwnEtcd({ members: 1 }, (stage) =>
      withRun(stage, 'RC-09 restored', async (run) => {
        const { etcd, folder } = stage
        const [member] = etcd.members
        if (member === undefined) throw new Error('no member')
        const snapshot = join(folder, 'snapshot.db')
        await etcd.etcdctl(['put', '/tenure/unrelated', '1'])
        await etcd.etcdctl(['snapshot', 'save', snapshot])
        const [a] = await run.enterInOrder(['a', 'b'])
        const before = a.leadsWith()
        await member.kill()
        const restored = join(folder, 'restored')
        const flags = [`--name=${member.name}`, `--initial-cluster=${etcd.initialCluster}`, `--data-dir=${restored}`]
        execFileSync(
          etcd.binaries.etcdctl,
          ['snapshot', 'restore', snapshot, ...flags, `--initial-advertise-peer-urls=${member.peerUrl}`],
          { stdio: 'pipe', env: { ...process.env, ETCDCTL_API: '3' } },
        )
        rmSync(member.dataDir, { recursive: true })
        renameSync(restored, member.dataDir)
        await member.start()
        const refused = () =>
          run.workers.every((each) => each.all('trouble').some(({ name }) => name === 'StoreRolledBackError'))
        await eventually('both refuse', refused, 20_000)
        await pause(3_000)
        expect(run.workers.map((each) => each.leadsWith())).toEqual([null, null])
        const epoch = { v: 1, epoch: 1, id: 'a-test', highRevision: before?.revision ?? '0' }
        run.mustFailOver('the epoch was raised', 5_000 + EXPIRY_LAG_MS)
        await etcd.etcdctl(['put', '/tenure/epoch', JSON.stringify(epoch)])
        await eventually('somebody leads', () => run.workers.some((each) => each.leadsWith() !== null))
        const now = run.workers.map((each) => each.leadsWith()).find((each) => each !== null)
        expect(now?.epoch).toBe(1)
        note(run.name, `token ${before?.epoch}.${before?.revision}, then ${now?.epoch}.${now?.revision}`)
        await run.judged({ exclusive: true })
      }),
    ))
})
