import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asRoot, enableAuth } from '../../e2e/harness/auth.ts'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import type { Notice } from '../election/ports.ts'
import type { Revision } from '../election/types.ts'
import { utf8 } from '../shared/bytes.ts'
import { EtcdClient } from './client.ts'

const folder = makeTempFolder('notices')
const passwordFile = join(folder.path, 'password')
const TOKEN_TTL_S = 2
let etcd: EtcdCluster
const clients: EtcdClient[] = []

beforeAll(async () => {
  writeFileSync(passwordFile, 'secret')
  etcd = await startEtcd({ flags: ['--auth-token=simple', `--auth-token-ttl=${TOKEN_TTL_S}`] })
  await enableAuth(etcd, [{ user: 'worker', password: 'secret', read: ['jobs/'] }])
})
afterAll(async () => {
  for (const client of clients) client.close()
  await etcd.stop()
  folder.remove()
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const FIRST = '1' as Revision

function open(): EtcdClient {
  const client = new EtcdClient({ endpoints: etcd.endpoints, credentials: { user: 'worker', passwordFile } })
  clients.push(client)
  return client
}

function listen(client: EtcdClient, key: string): Notice[] {
  const heard: Notice[] = []
  client.notice({ key: utf8(key), end: utf8(`${key}\0`) }, FIRST, (notice) => heard.push(notice))
  return heard
}

// etcd refuses it under the id -1, which belongs to no watch: it seemed to be alive and told nothing for ever.
it('a watch that is refused because the login has expired is told as lost, and works when asked for again', async () => {
  const client = open()
  const first = listen(client, 'jobs/a')
  await pause(TOKEN_TTL_S * 1_000 + 2_000)
  const second = listen(client, 'jobs/b')
  await expect.poll(() => second).toEqual(['lost'])
  expect(first).toEqual(['lost'])
  const again = listen(client, 'jobs/b')
  await pause(500)
  await etcd.etcdctl([...asRoot, 'put', 'jobs/b', '1'])
  await expect.poll(() => again).toEqual(['changed'])
})

it('a watch that the account has no right to is told as lost, and the others on its stream go on', async () => {
  const client = open()
  const allowed = listen(client, 'jobs/c')
  const denied = listen(client, 'secrets/c')
  await expect.poll(() => denied).toEqual(['lost'])
  await etcd.etcdctl([...asRoot, 'put', 'jobs/c', '1'])
  await expect.poll(() => allowed).toContain('changed')
})
