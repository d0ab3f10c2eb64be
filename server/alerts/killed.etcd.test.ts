/**
 * The server is killed at any moment around a delivery, and stopped while things happen (RC-23): nothing is lost,
 * one killing makes at most one duplicate for a channel, and a duplicate has the same id and key.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../e2e/harness/etcd.ts'
import { type HttpSink, startHttpSink } from '../../e2e/harness/http-sink.ts'
import { eventually } from '../../e2e/harness/library-candidate.ts'
import { type OwnedProcess, spawnOwned } from '../../e2e/harness/owned-process.ts'
import { connect, type Etcd3, enterCandidate, revokeLease } from '../../e2e/harness/raw-etcd.ts'
import { makeTempFolder, type TempFolder } from '../../e2e/harness/temp-folder.ts'
import { workDir } from '../../scripts/setup/paths.mjs'

const ROUNDS = Array.from({ length: process.env.TENURE_TEST_LONG === '1' ? 40 : 4 }, (_, at) => at + 1)
const CHANNELS = ['one', 'two']
/** A kill falls into it: from before the answer to after its state was written. */
const AROUND_MS = 40

interface Got {
  channel: string
  id: string
  kind: string
  key: string
  subject: string
  approximate: boolean
}

let etcd: EtcdCluster
let client: Etcd3
let sink: HttpSink
let folder: TempFolder
let server: OwnedProcess | undefined
let lines: string[] = []
beforeAll(async () => {
  etcd = await startEtcd({ members: 1 })
  client = connect(etcd.endpoints)
  sink = await startHttpSink()
  folder = makeTempFolder('alerts-killed')
  writeFileSync(join(folder.path, 'secret'), 'secret')
})
afterEach(async () => {
  await server?.kill()
})
afterAll(async () => {
  await sink.stop()
  client.close()
  await etcd.stop()
  folder.remove()
})

async function start(name: string): Promise<void> {
  const secretFile = join(folder.path, 'secret')
  const channels = CHANNELS.map((channel) => ({
    name: channel,
    type: 'webhook',
    url: `${sink.url}/${channel}`,
    secretFile,
  }))
  const rules = { 'no-standby': { off: true }, leaderless: { forMs: 0 } }
  const config = {
    data: join(folder.path, name),
    auth: 'loopback-open',
    probe: false,
    clusters: [{ name: 'test', endpoints: etcd.endpoints, watch: [`/elections/${name}/`] }],
    alerts: { rules, channels },
  }
  lines = []
  const program = join(import.meta.dirname, 'alerting-process-for-test.ts')
  server = spawnOwned(process.execPath, [program, JSON.stringify(config)], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(workDir, 'compile-cache') },
    onLine: (line) => lines.push(line),
  })
  await eventually('it sees etcd', () => lines.includes('live'), 30_000)
}

function got(from: number): Got[] {
  return sink.requests.slice(from).map(({ path, body }) => {
    const { id, kind, alert } = JSON.parse(body)
    const approximate = kind === 'resolved' ? alert.resolvedApproximate : alert.sinceApproximate
    return { channel: path.slice(1), id, kind, key: alert.key, subject: alert.subject, approximate }
  })
}

const of = (all: readonly Got[], channel: string) => all.filter((each) => each.channel === channel)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Somebody leads, and Tenure has seen it. */
async function lead(election: string) {
  const leader = await enterCandidate(client, { prefix: `/elections/${election}`, value: 'a' })
  const led = `${election.split('/')[1]} is led by ${leader.revision}`
  await eventually('Tenure sees the leader', () => lines.includes(led), 10_000)
  return leader
}

describe('killed at any moment around a delivery', () => {
  it.each(ROUNDS)('nothing is lost, and nothing comes twice but under the same id (round %i)', async (round) => {
    const name = `killed-${round}`
    const from = sink.requests.length
    await start(name)
    const leader = await lead(`${name}/x`)
    let isKilled = false
    sink.answer(() => {
      if (!isKilled) setTimeout(() => void server?.kill(), Math.random() * AROUND_MS)
      isKilled = true
      return { status: 200 }
    })
    await revokeLease(client, leader.lease)
    await server?.exited
    sink.answer({ status: 200 })
    await start(name)
    await eventually('every channel was told', () => CHANNELS.every((each) => of(got(from), each).length > 0), 15_000)
    await pause(1_500)
    for (const channel of CHANNELS) {
      const messages = of(got(from), channel)
      expect(messages.length).toBeLessThanOrEqual(2)
      expect(new Set(messages.map(({ id }) => id)).size).toBe(1)
      expect(messages.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(messages.map(() => 'firing x'))
    }
    expect(new Set(got(from).map(({ key }) => key)).size).toBe(1)
  })
})

describe('a restart (RC-23)', () => {
  it('repeats nothing, and after a downtime tells exactly what is over and what is new', async () => {
    const from = sink.requests.length
    await start('rc23')
    const x = await lead('rc23/x')
    const y = await lead('rc23/y')
    await revokeLease(client, x.lease)
    await eventually('both channels have it', () => got(from).length === 2, 15_000)
    await pause(300)
    await server?.stop()
    await start('rc23')
    await pause(2_500)
    expect(got(from)).toHaveLength(2)

    await server?.stop()
    await enterCandidate(client, { prefix: '/elections/rc23/x', value: 'b' })
    await revokeLease(client, y.lease)
    await start('rc23')
    await eventually('both channels have both', () => got(from).length === 6, 15_000)
    await pause(1_500)
    expect(got(from)).toHaveLength(6)
    for (const channel of CHANNELS) {
      const messages = of(got(from), channel).slice(1)
      const told = messages.map(({ kind, subject, approximate }) => `${kind} ${subject} ${approximate}`)
      expect(told.sort()).toEqual(['firing y true', 'resolved x true'])
    }
  })
})
