import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { asRoot, enableAuth, rootPassword } from '../../e2e/harness/auth.ts'
import { always, leads, pause, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually, type TestCandidate } from '../../e2e/harness/library-candidate.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import type { CredentialFiles } from '../etcd/credentials.ts'

let scene: Scene
let nth = 0
const folder = makeTempFolder('permissions')

beforeAll(async () => {
  scene = await Scene.open({ flags: ['--auth-token-ttl=3'] })
  await enableAuth(scene.etcd, [])
  scene.admin = scene.client({ user: 'root', passwordFile: passwordFile('root', rootPassword) })
})
afterAll(async () => {
  await scene.stop()
  folder.remove()
})
afterEach(() => scene.clear())

function passwordFile(name: string, password: string): string {
  const file = join(folder.path, name)
  writeFileSync(file, `${password}\n`)
  return file
}

async function root(...args: string[]): Promise<void> {
  const { code, stderr } = await scene.etcd.etcdctl([...asRoot, ...args])
  if (code !== 0) throw new Error(stderr)
}

/** A user with a role of its own, which may read or write these prefixes. */
async function account(grants: Record<string, 'read' | 'readwrite'>): Promise<CredentialFiles & { role: string }> {
  nth += 1
  const [user, role] = [`app-${nth}`, `app-${nth}-role`]
  await root('role', 'add', role)
  for (const [prefix, right] of Object.entries(grants))
    await root('role', 'grant-permission', role, '--prefix=true', right, prefix)
  await root('user', 'add', `${user}:secret-${nth}`)
  await root('user', 'grant-role', user, role)
  return { user, role, passwordFile: passwordFile(user, `secret-${nth}`) }
}

const full = { 'jobs/': 'readwrite', '/tenure/': 'read', '/tenure/presence/': 'readwrite' } as const
const said = (one: TestCandidate, text: string) => one.troubles.some((trouble) => trouble.includes(text))

it('a role limited to its prefixes and metaPrefix is all that it needs', async () => {
  const election = scene.newElection()
  const client = scene.client(await account(full))
  const [a, b] = (await scene.line(election, 'ab', { client })) as [TestCandidate, TestCandidate]
  await scene.ask(election)
  await eventually('b leads', () => leads(b))
  const nonce = await scene.engage(`${election}/`)
  await eventually('both acknowledge', async () =>
    (await scene.presences(election)).every(({ switchNonces }) => switchNonces[0] === nonce),
  )
  await scene.release(`${election}/`)
  await eventually('one leads', () => leads(a) !== leads(b))
  expect([...a.troubles, ...b.troubles].filter((text) => text.includes('denied'))).toEqual([])
})

it('reading switches, epoch and handoffs is enough: the rest of metaPrefix may be closed', async () => {
  const election = scene.newElection()
  const narrow = { '/tenure/switch/': 'read', '/tenure/epoch': 'read', '/tenure/handoff/': 'read' } as const
  const client = scene.client(await account({ 'jobs/': 'readwrite', '/tenure/presence/': 'readwrite', ...narrow }))
  const a = await scene.leader({ election, identity: 'a', client })
  await scene.engage('')
  await eventually('a is stopped', () => a.candidate.state === 'stopped', 1_500)
})

it('an account that may not write presence leads, says what it lacks, and still stops for a switch', async () => {
  const election = scene.newElection()
  const client = scene.client(await account({ 'jobs/': 'readwrite', '/tenure/': 'read' }))
  const a = await scene.leader({ election, identity: 'a', client })
  await eventually('a says so', () => said(a, 'must be allowed to write /tenure/presence/'))
  await scene.engage(`${election}/`)
  await eventually('a is stopped', () => a.candidate.state === 'stopped', 1_500)
  expect(await scene.queue(election)).toEqual([])
})

it('an account that may not read switches does not lead and says why; it leads once it may', async () => {
  const election = scene.newElection()
  const { role, ...files } = await account({ 'jobs/': 'readwrite', '/tenure/presence/': 'readwrite' })
  const a = scene.enter({ election, identity: 'a', client: scene.client(files) })
  await eventually('a says so', () => said(a, 'must be allowed to read /tenure/switch/ and /tenure/epoch'))
  expect(said(a, 'a kill switch that cannot be read counts as engaged')).toBe(true)
  await always('a does not lead', () => a.terms.length === 0, 1_500)
  expect(await scene.queue(election)).toEqual([])
  expect(a.troubles.length).toBeLessThan(15)
  await root('role', 'grant-permission', role, '--prefix=true', 'read', '/tenure/')
  await eventually('a leads', () => leads(a))
})

it('a leader that may no longer read switches is over by its deadline, and leads again once it may', async () => {
  const election = scene.newElection()
  const { role, ...files } = await account(full)
  const a = await scene.leader({ election, identity: 'a', client: scene.client(files), ttlSeconds: 3 })
  await root('role', 'revoke-permission', role, '--prefix=true', '/tenure/')
  await eventually('its term is over', () => !leads(a), 2_000 + 200)
  await eventually('a says why', () => said(a, 'permission denied: this account must be allowed to'))
  await always('a does not lead', () => a.terms.length === 1, 2_500)
  await root('role', 'grant-permission', role, '--prefix=true', 'read', '/tenure/')
  await eventually('a leads', () => leads(a))
})

it('an account that may not write its election says which', async () => {
  const election = scene.newElection()
  const client = scene.client(await account({ 'jobs/': 'read', '/tenure/': 'readwrite' }))
  const a = scene.enter({ election, identity: 'a', client })
  await eventually('a says so', () => said(a, `must be allowed to read and write ${election}/ and to read /tenure/`))
  expect(a.terms).toEqual([])
})

it('tokens that expire after 3 s cost nothing: led and waited for 12 s, and orders are still heard at once', async () => {
  const election = scene.newElection()
  const files = await account(full)
  // Each login hashes a password: on a busy machine a short lease would be lost for that alone.
  const more = { client: scene.client(files), ttlSeconds: 9 }
  const [a, b] = (await scene.line(election, 'ab', more)) as [TestCandidate, TestCandidate]
  const quiet = await scene.leader({ ...more, election: scene.newElection(), identity: 'q' })
  await always('nothing is lost', () => leads(a) && leads(quiet) && b.terms.length === 0, 12_000)
  await a.candidate.resign('a test')
  await eventually('b leads', () => leads(b), 1_000)
  await scene.engage('jobs/')
  await eventually('stopped', () => [b, quiet].every(({ candidate }) => candidate.state === 'stopped'), 1_500)
  expect([a.terms.length, b.terms.length, quiet.terms.length]).toEqual([1, 1, 1])
}, 40_000)

it('a wrong password names user and file, and a new file mends it without a restart', async () => {
  const election = scene.newElection()
  const { user, passwordFile: file = '' } = await account(full)
  writeFileSync(file, 'not it')
  const a = scene.enter({ election, identity: 'a', client: scene.client({ user, passwordFile: file }) })
  await eventually('a says so', () => said(a, `user "${user}" with the password in ${file}`))
  await pause(1_000)
  expect(a.terms).toEqual([])
  writeFileSync(file, `secret-${nth}`)
  await eventually('a leads', () => leads(a))
})

it('a password that is changed while it leads, in etcd and then in the file, costs nothing', async () => {
  const election = scene.newElection()
  const { user = '', passwordFile: file = '', role } = await account(full)
  const client = scene.client({ user, passwordFile: file })
  const a = await scene.leader({ election, identity: 'a', client, ttlSeconds: 9 })
  await root('user', 'delete', user)
  await root('user', 'add', `${user}:other`)
  await root('user', 'grant-role', user, role)
  writeFileSync(file, 'other')
  await always('a leads', () => leads(a), 6_000)
})
