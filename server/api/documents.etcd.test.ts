/** Every command of every runbook, run as it stands there. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { spawnElect } from '../../e2e/harness/candidate.ts'
import { makeAuthority } from '../../e2e/harness/certificates.ts'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import type { OwnedProcess } from '../../e2e/harness/owned-process.ts'
import { runShell, type ShellResult, shellBlocks } from '../../e2e/harness/shell-blocks.ts'
import { makeTempFolder } from '../../e2e/harness/temp-folder.ts'
import { ALERT_RULES, type AlertRule } from '../../lib/election/alerts.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'

const fileOf = (rule: AlertRule) => join(rootDir, 'docs', 'runbooks', `${rule}.md`)
const used = new Set<string>()

let etcd: EtcdCluster
let leader: OwnedProcess
const folder = makeTempFolder('runbooks')

beforeAll(async () => {
  etcd = await startEtcd()
  await new Promise<void>((resolve) => {
    leader = spawnElect({ endpoints: etcd.endpoints, election: 'jobs/led', value: 'sp-1', onLine: () => resolve() })
  })
  await put('jobs/bare', 'held without a lease')
  await put('/tenure/switch/jobs/led/', '{"v":1,"state":"released"}')
  await put('/tenure/epoch', '{"v":1,"epoch":1,"id":"e","highRevision":"9"}')
})
afterAll(async () => {
  await leader?.kill()
  await etcd?.stop()
  folder.remove()
  const all = ALERT_RULES.flatMap((rule) => [...shellBlocks(fileOf(rule)).keys()].map((name) => `${rule} ${name}`))
  // A command that nobody runs here is one that nobody knows to work.
  expect(all.filter((name) => !used.has(name))).toEqual([])
})

async function put(key: string, value: string): Promise<void> {
  expect((await etcd.etcdctl(['put', key, value])).code).toBe(0)
}

/** Every block of a page in one shell, with other values in the lines that set something. */
function run(rule: AlertRule, settings: Readonly<Record<string, string>>, at = etcd): Promise<ShellResult> {
  const blocks = shellBlocks(fileOf(rule))
  for (const name of blocks.keys()) used.add(`${rule} ${name}`)
  const own = { ETCDCTL_ENDPOINTS: at.endpoints.join(','), ...settings }
  const script = Object.entries(own).reduce(
    (text, [name, value]) => text.replace(new RegExp(`(^|\\s)${name}=[^\\s#$]+`), `$1${name}=${value}`),
    [...blocks.values()].join('\n'),
  )
  return runShell(at, script)
}

async function typed(rule: AlertRule, settings: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, stdout, stderr } = await run(rule, settings)
  if (code !== 0 || /^Error/m.test(stderr)) throw new Error(`${rule} ended with ${code}: ${stderr}`)
  return stdout
}

const OF_ELECTIONS = [
  'leaderless',
  'dual-claim',
  'store-rolled-back',
  'switch-vanished',
  'flapping',
  'no-standby',
  'leader-without-lease',
] as const
const OF_CLUSTERS = [
  'quorum-lost',
  'mass-event',
  'etcd-alarm',
  'switch-unreadable',
  'switch-overdue',
  'switch-forgotten',
  'view-stale',
  'renewal-slow',
] as const

test.each(ALERT_RULES)('the commands of %s are all in blocks that have a name', (rule) => {
  const text = shellBlocks(fileOf(rule))
  const everything = [...text.values()].join('\n')
  expect(text.size).toBeGreaterThan(0)
  // The same two lines everywhere: whoever knows one page knows them all.
  const settings = text.get('settings')?.split('\n') ?? []
  expect([
    'export ETCDCTL_API=3 ETCDCTL_ENDPOINTS=http://127.0.0.1:2379 # every member, separated by commas',
    undefined,
  ]).toContain(settings[0])
  if (everything.includes('$PREFIX')) {
    expect(settings[1]).toBe(
      'PREFIX=/elections/media/ # of the queue, with its last slash; of a single-key election the whole key',
    )
  }
  // What is read first changes nothing.
  expect(everything).not.toMatch(/etcdctl (.* )?(put|del|txn|revoke|compact|defrag|disarm|grant|add|remove)\b/)
})

describe.each(OF_ELECTIONS)('%s', (rule) => {
  test('shows who leads first, and on which lease', async () => {
    const shown = await typed(rule, { PREFIX: 'jobs/led/' })
    expect(shown).toMatch(/"Key" : "jobs\/led\/[0-9a-f]+"\n"CreateRevision" : \d+\n/)
    expect(shown).toMatch(/"Value" : "sp-1"\n"Lease" : [1-9]\d*\n/)
  })

  test('shows a leader key without a lease as such, and an empty queue as empty', async () => {
    expect(await typed(rule, { PREFIX: 'jobs/bare' })).toMatch(/"Key" : "jobs\/bare"\n(.*\n)+"Lease" : 0\n/)
    expect(await typed(rule, { PREFIX: 'jobs/nobody/' })).not.toContain('"Key" : "jobs')
  })
})

test('lease-margin shows what is left of the leader’s lease, and what hangs on it', async () => {
  const shown = await typed('lease-margin', { PREFIX: 'jobs/led/' })
  expect(shown).toMatch(/granted with TTL\(60s\), remaining\(\d+s\), attached keys\(\[jobs\/led\/[0-9a-f]+\]\)/)
  expect(await typed('lease-margin', { PREFIX: 'jobs/nobody/' })).toMatch(/already expired/)
})

describe.each(OF_CLUSTERS)('%s', (rule) => {
  test('runs without an error', async () => {
    const shown = await typed(rule)
    const expected = shellBlocks(fileOf(rule)).has('records') ? '/tenure/switch/jobs/led/' : 'IS LEADER'
    expect(shown).toContain(expected)
  })
})

test('quorum-lost gets its answers from a cluster without a quorum', async () => {
  const three = await startEtcd({ members: 3 })
  try {
    const raftLeader = await three.raftLeader()
    const others = three.members.filter((member) => member !== raftLeader)
    await Promise.all(others.map((member) => member.stop()))
    await expect
      .poll(async () => (await run('quorum-lost', {}, three)).stdout, { timeout: 40_000, interval: 500 })
      .toMatch(/\|\s+false \|[\s\S]*not all members answered[\s\S]*a read that needs a majority did not pass/)
    const { code, stdout } = await run('quorum-lost', {}, three)
    expect(code).toBe(0)
    expect(stdout.split('\n').filter((line) => line.includes('http://127.0.0.1'))).toHaveLength(1)
  } finally {
    await three.stop()
  }
}, 90_000)

test('history-unwritten looks at the folder', async () => {
  const data = join(folder.path, 'data')
  mkdirSync(join(data, 'history.sqlite'), { recursive: true })
  expect(await typed('history-unwritten', { DATA: data })).toMatch(/Use%[\s\S]*IUse%[\s\S]*history\.sqlite/)
})

test('certificate-expiring shows until when each certificate is valid', async () => {
  const authority = makeAuthority(folder.path)
  const [member, client] = [authority.issue('member'), authority.issue('client')]
  const secure = await startEtcd({ tls: { ...member, clientCaFile: authority.certFile } })
  try {
    const endpoint = secure.endpoints[0]?.replace('https://', '') ?? ''
    const files = { CA: authority.certFile, CERT: client.certFile, KEY: client.keyFile, ENDPOINT: endpoint }
    const { code, stdout, stderr } = await run('certificate-expiring', files, secure)
    expect([code, stdout.match(/notAfter=/g)?.length], stderr).toEqual([0, 3])
    expect(stdout).toMatch(/subject=.*CN ?= ?member/)
  } finally {
    await secure.stop()
  }
})
