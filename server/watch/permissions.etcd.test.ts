/** Every command of docs/permissions.md, run as it stands there, and what the accounts can do then. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asRoot, enableAuth, rootPassword } from '../../e2e/harness/auth.ts'
import { leads, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually as until } from '../../e2e/harness/library-candidate.ts'
import { runShell, shellBlocks } from '../../e2e/harness/shell-blocks.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { EtcdError } from '../../lib/election/ports.ts'
import type { EtcdClient } from '../../lib/etcd/client.ts'
import { utf8 } from '../../lib/shared/bytes.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { missingRights } from './rights.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

const blocks = shellBlocks(join(rootDir, 'docs', 'permissions.md'))
const USERS = ['tenure-viewer', 'tenure', 'settlement'] as const
const CALL = { deadlineMs: 5_000 }
const folder = makeTempFolder('documented-permissions')
let scene: Scene
let watching: Watching | undefined

const passwordFile = (user: string) => join(folder.path, `${user}.password`)
const credentialsOf = (user: string) => ({ user, passwordFile: passwordFile(user) })

beforeAll(async () => {
  scene = await Scene.open()
  mkdirSync(folder.path, { recursive: true })
  for (const user of [...USERS, 'root'])
    writeFileSync(passwordFile(user), `${user === 'root' ? rootPassword : `${user}-secret`}\n`)
  await enableAuth(scene.etcd, [])
  scene.admin = scene.client(credentialsOf('root'))
  const own = {
    ETCDCTL_API: '3',
    ETCDCTL_ENDPOINTS: scene.etcd.endpoints.join(','),
    ETCDCTL_USER: `root:${rootPassword}`,
  }
  for (const [name, text] of blocks) {
    const { code, stderr } = await runShell(scene.etcd, `cd ${folder.path}\n${text}`, own)
    expect([name, code, stderr.replace(/^\s*(Password.*)?$/gm, '')]).toEqual([name, 0, expect.any(String)])
  }
})
afterAll(async () => {
  await scene.stop()
  folder.remove()
})

function watch(user: string, readOnly: boolean): Watching {
  watching = startWatching({
    endpoints: scene.etcd.endpoints,
    watch: ['/elections/'],
    credentials: credentialsOf(user),
    readOnly,
  })
  return watching
}
const missing = () => watching?.watcher.elections.view.info.missingRights

async function lackedBy(client: EtcdClient, readOnly: boolean): Promise<string[]> {
  const [read, write] = [await client.readable(CALL), await client.writable(CALL)]
  if (read === undefined || write === undefined) throw new Error('etcd does not tell')
  return missingRights({ watch: ['/elections/'], metaPrefix: '/tenure/', readOnly }, { read, write })
}

/** What comes of a put as this account. */
async function putAs(client: EtcdClient, key: string): Promise<string> {
  const success = [{ type: 'put' as const, key: utf8(key), value: utf8('x'), lease: null }]
  return client.txn({ compare: [], success }, CALL).then(
    () => 'written',
    (error: unknown) => (error instanceof EtcdError ? error.kind : String(error)),
  )
}

describe('the roles of docs/permissions.md', () => {
  test('are all there are', () => {
    expect([...blocks.keys()]).toEqual(['watching', 'acting', 'candidate'])
  })

  test('watching: everything is seen, nothing is missed, and nothing can be written', async () => {
    const { watcher, live, until: seen, logged, stop } = watch('tenure-viewer', true)
    const { lease } = await scene.admin.grant(60, CALL)
    await scene.put(`/elections/job/${lease}`, 'a', lease)
    await scene.engage('/elections/other/')
    await seen('/elections/job/', ({ term }) => term?.leader.identity === 'a')
    await live()
    await eventually(() => watcher.elections.view.info.switches?.length === 1)
    expect([missing(), watcher.elections.view.info.reason, watcher.elections.view.info.switchesError]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(logged.filter((line) => line.includes('lacks rights'))).toEqual([])
    const client = scene.client(credentialsOf('tenure-viewer'))
    expect(await lackedBy(client, true)).toEqual([])
    expect(await lackedBy(client, false)).toHaveLength(4)
    for (const key of ['/elections/job/1', '/tenure/switch/', '/tenure/epoch'])
      expect(await putAs(client, key)).toBe('denied')
    await stop()
  }, 40_000)

  test('watching without readOnly: what cannot be done is named in the log and for every page', async () => {
    const { live, logged, stop } = watch('tenure-viewer', false)
    await live()
    await eventually(() => missing() !== undefined)
    expect(missing()).toEqual([
      'may not write /tenure/switch/: no kill switch can be engaged from here',
      'may not write /tenure/handoff/: no leader can be asked to hand off',
      'may not write /tenure/epoch: a restored store raises no epoch for others',
      'may not write /elections/: there no session can be revoked, no key removed and no head held',
    ])
    expect(logged.filter((line) => line.includes('lacks rights'))).toHaveLength(1)
    await stop()
  }, 40_000)

  test('acting: nothing is missed, and everything that Tenure does can be done', async () => {
    const { live, stop } = watch('tenure', false)
    await live()
    const client = scene.client(credentialsOf('tenure'))
    expect(await lackedBy(client, false)).toEqual([])
    expect(missing()).toBeUndefined()
    for (const key of [
      '/tenure/switch/',
      '/tenure/switch//elections/x/',
      '/tenure/handoff//elections/x/',
      '/tenure/epoch',
      '/elections/x/1',
    ]) {
      expect([key, await putAs(client, key)]).toEqual([key, 'written'])
    }
    for (const key of ['/tenure/presence/x', '/other', '/tenure/'])
      expect([key, await putAs(client, key)]).toEqual([key, 'denied'])
    const { lease } = await scene.admin.grant(60, CALL)
    await scene.put('/elections/y/1', 'a', lease)
    await client.revoke(lease, CALL)
    expect(await scene.keys('/elections/y/')).toEqual([])
    const shared = await scene.admin.grant(60, CALL)
    await scene.put('/elections/y/1', 'a', shared.lease)
    await scene.put('/other', 'a', shared.lease)
    await expect(client.revoke(shared.lease, CALL)).rejects.toMatchObject({ kind: 'denied' })
    await stop()
    await scene.clear()
  }, 40_000)

  test('candidate: it leads, hands off, acknowledges a stop, and cannot release it', async () => {
    const election = '/elections/settlement/eu'
    const client = scene.client(credentialsOf('settlement'))
    const all = await scene.line(election, 'ab', { client, ttlSeconds: 9 })
    const [a, b] = all
    if (a === undefined || b === undefined) throw new Error('nobody entered')
    await scene.ask(election)
    await until('b leads', () => leads(b))
    const nonce = await scene.engage(`${election}/`)
    await until('both acknowledge', async () =>
      (await scene.presences(election)).every(({ switchNonces }) => switchNonces[0] === nonce),
    )
    expect(all.flatMap(({ troubles }) => troubles).filter((text) => text.includes('denied'))).toEqual([])
    for (const key of [`/tenure/switch/${election}/`, '/elections/other/1', '/tenure/presence//elections/other/1'])
      expect([key, await putAs(client, key)]).toEqual([key, 'denied'])
    expect((await scene.etcd.etcdctl([...asRoot, 'role', 'get', 'settlement'])).stdout).not.toMatch(
      /KV Write:[\s\S]*switch/,
    )
  }, 40_000)
})
