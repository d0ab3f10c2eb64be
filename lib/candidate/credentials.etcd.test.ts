import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { asRoot, enableAuth, rootPassword } from '../../e2e/harness/auth.ts'
import { type Certificate, makeAuthority } from '../../e2e/harness/certificates.ts'
import { always, leadersOf, leads, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'

const folder = makeTempFolder('candidate-files')
let scene: Scene | undefined

afterEach(() => scene?.stop())
afterAll(() => folder.remove())

it('JWT: a change of the auth store, which voids all tokens, costs neither leader nor waiter anything', async () => {
  const keys = makeAuthority(folder.path, 'jwt')
  const flags = [`--auth-token=jwt,pub-key=${keys.certFile},priv-key=${keys.keyFile},sign-method=ES256,ttl=10m`]
  const here = await Scene.open({ flags })
  scene = here
  await enableAuth(here.etcd, [])
  const passwordFile = join(folder.path, 'root')
  writeFileSync(passwordFile, rootPassword)
  here.admin = here.client({ user: 'root', passwordFile })
  const client = here.client({ user: 'root', passwordFile })
  const election = here.newElection()
  const options = { client, ttlSeconds: 9 }
  const [a, b] = (await here.line(election, 'ab', options)) as [TestCandidate, TestCandidate]
  for (const role of ['one', 'two', 'three']) {
    expect((await here.etcd.etcdctl([...asRoot, 'role', 'add', role])).code).toBe(0)
    await always('a leads', () => leads(a) && b.terms.length === 0, 1_500)
  }
  await here.engage('')
  await eventually('both are stopped', () => [a, b].every(({ candidate }) => candidate.state === 'stopped'), 1_500)
  await here.release('')
  await eventually('one leads', () => leadersOf([a, b]).length === 1)
}, 60_000)

it('client certificates that are replaced while it leads are used for the next connection', async () => {
  const [first, second] = [makeAuthority(folder.path, 'first'), makeAuthority(folder.path, 'second')]
  const server = first.issue('server')
  const trusted = join(folder.path, 'trusted.crt')
  const used = { certFile: join(folder.path, 'used.crt'), keyFile: join(folder.path, 'used.key') }
  const use = ({ certFile, keyFile }: Certificate) => {
    copyFileSync(certFile, used.certFile)
    copyFileSync(keyFile, used.keyFile)
  }
  use(first.issue('old'))
  copyFileSync(first.certFile, trusted)
  const here = await Scene.open({ tls: { ...server, clientCaFile: trusted } })
  scene = here
  const files = { ca: first.certFile, cert: used.certFile, key: used.keyFile }
  here.admin = here.client(files)
  const election = here.newElection()
  const a = await here.leader({ election, identity: 'a', client: here.client(files), ttlSeconds: 12 })
  use(second.issue('new'))
  copyFileSync(second.certFile, trusted)
  await always('a leads', () => leads(a), 1_500)
  // From now on etcd refuses the old certificate.
  const [member] = here.etcd.members
  await member?.stop()
  await member?.start()
  await always('a leads on over the restart', () => leads(a), 12_000)
  expect(a.terms).toHaveLength(1)
}, 60_000)

it('an expired client certificate is named with its file and date; a new one mends it', async () => {
  const authority = makeAuthority(folder.path, 'third')
  const used = { certFile: join(folder.path, 'expiring.crt'), keyFile: join(folder.path, 'expiring.key') }
  const use = ({ certFile, keyFile }: Certificate) => {
    copyFileSync(certFile, used.certFile)
    copyFileSync(keyFile, used.keyFile)
  }
  use(authority.issue('expired', { days: -1 }))
  const here = await Scene.open({ tls: { ...authority.issue('server-3'), clientCaFile: authority.certFile } })
  scene = here
  const files = { ca: authority.certFile, cert: used.certFile, key: used.keyFile }
  const a = here.enter({ election: here.newElection(), identity: 'a', client: here.client(files) })
  await eventually('a says so', () => a.troubles.some((text) => text.includes(`${used.certFile} expired`)))
  use(authority.issue('renewed'))
  await eventually('a leads', () => leads(a))
}, 60_000)
