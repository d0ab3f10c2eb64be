/** The server is killed while it stops or releases: what stands in etcd and in the audit log agrees after the restart. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pause, Scene } from '../../../e2e/harness/election-scene.ts'
import { eventually } from '../../../e2e/harness/library-candidate.ts'
import { type OwnedProcess, spawnOwned } from '../../../e2e/harness/owned-process.ts'
import { type NetworkProxy, startProxy } from '../../../e2e/harness/proxy.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { leaseSegment } from '../../../lib/election/ids.ts'
import { isHeld, switchRecord } from '../../../lib/election/switches.ts'
import type { LeaseId } from '../../../lib/election/types.ts'
import { workDir } from '../../../scripts/setup/paths.mjs'
import { Acting, type ActingOptions, newOperation } from '../switches/act-for-test.ts'

const LONG = process.env.TENURE_TEST_LONG === '1'
const ROUNDS = Array.from({ length: LONG ? 12 : 3 }, (_, at) => at + 1)
/** What the proxy adds to each way of each request, so that a kill can come between any two of them. */
const DELAY_MS = 8
const ELECTIONS = ['a', 'b', 'c', 'd']

let scene: Scene
let proxy: NetworkProxy
let server: OwnedProcess | undefined
const leases: LeaseId[] = []
beforeAll(async () => {
  scene = await Scene.open()
  proxy = await startProxy({ target: scene.etcd.endpoints[0] ?? '' })
})
afterAll(async () => {
  await proxy.stop()
  await scene.stop()
})
afterEach(async () => {
  await server?.kill()
  for (const { key } of await scene.keys('jobs/')) await scene.delete(key)
  for (const lease of leases.splice(0)) await scene.revoke(lease).catch(() => {})
  await scene.clear()
})

/** A leader and a waiter in each. */
async function fill(): Promise<LeaseId[]> {
  const leaders: LeaseId[] = []
  for (const election of ELECTIONS) {
    for (const value of ['one', 'two']) {
      const { lease } = await scene.admin.grant(300, { deadlineMs: 2_000 })
      leases.push(lease)
      if (value === 'one') leaders.push(lease)
      await scene.put(`jobs/${election}/${leaseSegment(lease)}`, value, lease)
    }
  }
  return leaders
}

async function startServer(options: ActingOptions) {
  const lines: string[] = []
  const program = join(import.meta.dirname, '..', 'switches', 'acting-process-for-test.ts')
  server = spawnOwned(process.execPath, [program, JSON.stringify(options)], {
    stdin: 'pipe',
    env: { ...process.env, NODE_COMPILE_CACHE: join(workDir, 'compile-cache') },
    onLine: (line) => lines.push(line),
  })
  const told = (line: string) => eventually(`it says ${line}`, () => lines.includes(line), 30_000)
  await told('ready')
  return { process: server, lines, told }
}

async function record() {
  const [kv] = await scene.keys('/tenure/switch/')
  return kv === undefined ? null : switchRecord.parse(JSON.parse(Buffer.from(kv.value).toString()))
}

const heads = () => Promise.all(ELECTIONS.map(async (election) => (await scene.queue(`jobs/${election}`))[0]))
const heldHeads = async () => (await heads()).filter((head) => head !== undefined && isHeld(head)).length
const isGone = async (lease: LeaseId) => (await scene.admin.timeToLive(lease, { deadlineMs: 2_000 })).lease === null

const outcomeOf = (acting: Acting, operation: string) =>
  acting.audit({ operation, kind: 'outcome' }).at(-1)?.outcome?.is ?? ''

/** Starts another server on what the killed one left. */
async function restarted(options: ActingOptions, look: (acting: Acting) => Promise<void>) {
  const acting = await Acting.start({ ...options, endpoints: scene.etcd.endpoints })
  try {
    await look(acting)
  } finally {
    await acting.stop()
  }
}

describe.each(ROUNDS)('killed at a random moment (%i)', () => {
  it('of an enforced stop: after the restart it stands whole, or there is nothing of it', async () => {
    const folder = makeTempFolder('killed')
    const leaders = await fill()
    const options = { endpoints: [proxy.endpoint], watch: ['jobs/'], folder: folder.path }
    const one = await startServer(options)
    await proxy.setMode('delay', { delayMs: DELAY_MS })
    const operation = newOperation()
    one.process.writeLine(`engage ${operation}`)
    await one.told(`engage ${operation}`)
    const killedAfterMs = Math.random() * 300
    await pause(killedAfterMs)
    await one.process.kill()
    await proxy.setMode('pass')
    await restarted(options, async (acting) => {
      const [intent] = acting.audit({ operation, kind: 'intent' })
      if (intent === undefined) {
        expect([await record(), await heldHeads()]).toEqual([null, 0])
        return
      }
      await eventually('its outcome is final', () => !['', 'unknown'].includes(outcomeOf(acting, operation)))
      expect(outcomeOf(acting, operation), `killed after ${killedAfterMs} ms`).toBe('verified')
      expect(await record()).toMatchObject({ state: 'engaged', mode: 'enforced', by: 'Ben' })
      await eventually('all are held', async () => (await heldHeads()) === ELECTIONS.length)
      await eventually('all sessions ended', async () => (await Promise.all(leaders.map(isGone))).every(Boolean))
      expect((await scene.keys('jobs/')).length).toBe(2 * ELECTIONS.length)
      await eventually(
        'the log knows',
        () => acting.audit({ operation, kind: 'outcome' }).at(-1)?.outcome?.is === 'verified',
      )
    })
    folder.remove()
  })

  it('of a release: after the restart all lead again, or all are held', async () => {
    const folder = makeTempFolder('killed')
    await fill()
    const options = { endpoints: [proxy.endpoint], watch: ['jobs/'], folder: folder.path }
    const one = await startServer(options)
    one.process.writeLine(`engage ${newOperation()}`)
    await one.told('done')
    await eventually('all are held', async () => (await heldHeads()) === ELECTIONS.length)
    const nonce = (await record())?.nonce
    await proxy.setMode('delay', { delayMs: DELAY_MS })
    const operation = newOperation()
    one.process.writeLine(`release ${operation} ${nonce}`)
    await one.told(`release ${operation} ${nonce}`)
    await pause(Math.random() * 200)
    await one.process.kill()
    await proxy.setMode('pass')
    await restarted(options, async (acting) => {
      const isReleased = (await record())?.state === 'released'
      if (!isReleased) {
        await pause(500)
        expect(await heldHeads()).toBe(ELECTIONS.length)
        return
      }
      await eventually('none is held', async () => (await heldHeads()) === 0)
      expect((await heads()).map((head) => Buffer.from(head?.value ?? '').toString())).toEqual(
        ELECTIONS.map(() => 'two'),
      )
      await eventually('the log knows', () => outcomeOf(acting, operation) === 'verified')
    })
    folder.remove()
  })
})
