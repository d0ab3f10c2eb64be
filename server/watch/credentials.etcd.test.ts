import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { asRoot, enableAuth } from '../../e2e/harness/auth.ts'
import { makeAuthority } from '../../e2e/harness/certificates.ts'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { eventually, startWatching, type Watching } from './watch-for-test.ts'

const folder = makeTempFolder('credentials')
let etcd: EtcdCluster | undefined
let watching: Watching | undefined

afterEach(async () => {
  await watching?.stop()
  await etcd?.stop()
  watching = undefined
  etcd = undefined
})
afterAll(() => folder.remove())

const info = () => watching?.watcher.elections.view.info
const passwordFile = (name: string, text: string) => {
  const file = join(folder.path, name)
  writeFileSync(file, `${text}\n`)
  return file
}

async function elect(
  cluster: EtcdCluster,
  key: string,
  value: string,
  flags: readonly string[] = asRoot,
): Promise<void> {
  const granted = await cluster.etcdctl([...flags, 'lease', 'grant', '300'])
  const lease = /lease (\w+) granted/.exec(granted.stdout)?.[1]
  if (lease === undefined) throw new Error(granted.stderr)
  const { code, stderr } = await cluster.etcdctl([
    ...flags,
    'put',
    `${key}${lease.replace(/^0+/, '')}`,
    value,
    `--lease=${lease}`,
  ])
  if (code !== 0) throw new Error(stderr)
}

describe('password auth', () => {
  test('tokens that expire after 3 s: changes are still seen, nothing floods the log (RC-06)', async () => {
    etcd = await startEtcd({ members: 1, flags: ['--auth-token-ttl=3'] })
    await elect(etcd, '/el/job/', 'a', [])
    await enableAuth(etcd, [{ user: 'viewer', password: 'secret', read: ['/el/'] }])
    const credentials = { user: 'viewer', passwordFile: passwordFile('viewer', 'secret') }
    watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], credentials })
    await watching.until('/el/job/', ({ term }) => term?.leader.identity === 'a')
    await new Promise((resolve) => setTimeout(resolve, 8_000))
    await elect(etcd, '/el/job/', 'b')
    await watching.until('/el/job/', ({ candidates }) => candidates.length === 2, 2_000)
    const [member] = etcd.members
    await member?.stop()
    await member?.start()
    await eventually(() => info()?.freshness === 'live', 15_000)
    await elect(etcd, '/el/job/', 'c')
    await watching.until('/el/job/', ({ candidates }) => candidates.length === 3, 3_000)
    expect(watching.logged.filter((line) => line.includes('in trouble')).length).toBeLessThanOrEqual(3)
  }, 60_000)

  test('a role for one prefix, the whole key space watched: the part it may read, and the words for it', async () => {
    etcd = await startEtcd({ members: 1 })
    await elect(etcd, 'el/job/', 'a', [])
    await elect(etcd, 'other/job/', 'x', [])
    await enableAuth(etcd, [{ user: 'viewer', password: 'secret', read: ['el/'] }])
    const credentials = { user: 'viewer', passwordFile: passwordFile('viewer', 'secret') }
    watching = startWatching({ endpoints: etcd.endpoints, watch: [''], credentials })
    await watching.until('el/job/', ({ term }) => term?.leader.identity === 'a')
    await watching.live()
    expect(watching.watcher.elections.view.elections.size).toBe(1)
    expect(info()).toMatchObject({
      freshness: 'live',
      reason: 'limited by permissions: of the whole key space this account may read el/',
    })
    await elect(etcd, 'el/job/', 'b')
    await watching.until('el/job/', ({ candidates }) => candidates.length === 2)
  }, 30_000)

  test('a wrong password names user and file, and is mended by a new file without a restart', async () => {
    etcd = await startEtcd({ members: 1 })
    await elect(etcd, '/el/job/', 'a', [])
    await enableAuth(etcd, [{ user: 'viewer', password: 'secret', read: ['/el/'] }])
    const file = passwordFile('wrong', 'not it')
    watching = startWatching({
      endpoints: etcd.endpoints,
      watch: ['/el/'],
      credentials: { user: 'viewer', passwordFile: file },
    })
    const reason = await eventually(() => (info()?.reason?.includes('authentication failed') ? info()?.reason : null))
    expect(reason).toContain(`user "viewer" with the password in ${file}`)
    expect(watching.logged.some((line) => line.includes(file))).toBe(true)
    expect(watching.logged.length).toBeLessThanOrEqual(4)
    writeFileSync(file, 'secret')
    await watching.until('/el/job/', ({ term }) => term !== null, 20_000)
    await watching.live()
  }, 60_000)

  test('JWT tokens go on through changes of the auth store', async () => {
    const keys = makeAuthority(folder.path, 'jwt')
    const flags = [`--auth-token=jwt,pub-key=${keys.certFile},priv-key=${keys.keyFile},sign-method=ES256,ttl=10m`]
    etcd = await startEtcd({ members: 1, flags })
    await elect(etcd, '/el/job/', 'a', [])
    await enableAuth(etcd, [{ user: 'viewer', password: 'secret', read: ['/el/'] }])
    const credentials = { user: 'viewer', passwordFile: passwordFile('jwt', 'secret') }
    watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], credentials })
    await watching.until('/el/job/', ({ term }) => term !== null)
    await watching.live()
    const { code } = await etcd.etcdctl([...asRoot, 'role', 'add', 'another'])
    expect(code).toBe(0)
    await elect(etcd, '/el/job/', 'b')
    await watching.until('/el/job/', ({ candidates }) => candidates.length === 2, 5_000)
    await new Promise((resolve) => setTimeout(resolve, 4_000))
    expect(info()?.freshness).toBe('live')
  }, 60_000)
})

describe('TLS', () => {
  test('client certificates from files that are replaced while running; an expired one is named with its date', async () => {
    const authority = makeAuthority(folder.path)
    const server = authority.issue('server')
    const good = authority.issue('good')
    const expired = authority.issue('expired', { days: -1 })
    const used = { certFile: join(folder.path, 'used.crt'), keyFile: join(folder.path, 'used.key') }
    const use = ({ certFile, keyFile }: typeof used) => {
      copyFileSync(certFile, used.certFile)
      copyFileSync(keyFile, used.keyFile)
    }
    etcd = await startEtcd({ members: 1, tls: { ...server, clientCaFile: authority.certFile } })
    const flags = [`--cacert=${authority.certFile}`, `--cert=${good.certFile}`, `--key=${good.keyFile}`]
    await elect(etcd, '/el/job/', 'a', flags)
    use(expired)
    const credentials = { ca: authority.certFile, cert: used.certFile, key: used.keyFile }
    watching = startWatching({ endpoints: etcd.endpoints, watch: ['/el/'], credentials })
    const reason = await eventually(() => (info()?.reason?.includes('expired') ? info()?.reason : null))
    expect(reason).toMatch(new RegExp(`${used.certFile} expired \\d{4}-\\d\\d-\\d\\dT`))
    use(good)
    await watching.until('/el/job/', ({ term }) => term?.leader.identity === 'a', 20_000)
    await watching.live()
  }, 60_000)
})
