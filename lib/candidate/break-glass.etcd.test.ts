/** Every command of docs/break-glass.md, run as it stands there. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { spawnElect } from '../../e2e/harness/candidate.ts'
import { always, leadersOf, leads, Scene } from '../../e2e/harness/election-scene.ts'
import { eventually } from '../../e2e/harness/library-candidate.ts'
import type { OwnedProcess } from '../../e2e/harness/owned-process.ts'
import { runShell, type ShellResult, shellBlocks } from '../../e2e/harness/shell-blocks.ts'
import { rootDir } from '../../scripts/setup/paths.mjs'
import { isHeld, switchRecord } from '../election/switches.ts'

const blocks = shellBlocks(join(rootDir, 'docs', 'break-glass.md'))
const used = new Set<string>()
let scene: Scene
const processes: OwnedProcess[] = []

beforeAll(async () => {
  scene = await Scene.open({ flags: ['--quota-backend-bytes=8388608'] })
})
afterAll(async () => {
  await scene.stop()
  // A command that nobody runs here is one that nobody knows to work.
  expect([...blocks.keys()].filter((name) => !used.has(name))).toEqual([])
})
afterEach(async () => {
  await Promise.all(processes.splice(0).map((each) => each.kill()))
  await scene.clear()
  for (const { key } of await scene.keys('jobs/')) await scene.delete(key)
})

/** The name of a block, or what somebody else does just then. */
type Step = string | { command: string }

function textOf(step: Step): string {
  if (typeof step !== 'string') return step.command
  const block = blocks.get(step)
  if (block === undefined) throw new Error(`docs/break-glass.md has no block ${step}`)
  used.add(step)
  return block
}

/** Another value in the line that sets `name`. */
function withSetting(settings: string, name: string, value: string): string {
  const line = new RegExp(`^${name}=\\S+`, 'm')
  expect(settings).toMatch(line)
  return settings.replace(line, `${name}=${value}`)
}

/** One shell: the settings with this prefix and etcd, then the steps, one after the other. */
async function type(prefix: string, steps: readonly Step[]): Promise<ShellResult> {
  const here = withSetting(textOf('settings'), 'export ETCDCTL_ENDPOINTS', scene.etcd.endpoints.join(','))
  return runShell(scene.etcd, [withSetting(here, 'PREFIX', prefix), ...steps.map(textOf)].join('\n'))
}

async function typed(prefix: string, ...steps: Step[]): Promise<string> {
  const { code, stdout, stderr } = await type(prefix, steps)
  if (code !== 0) throw new Error(`${JSON.stringify(steps)} ended with ${code}: ${stderr}`)
  return stdout
}

/** `etcdctl elect`, which queues and prints a line once it has won. */
async function waiter(election: string, value: string, place: number) {
  const won: string[] = []
  const own = spawnElect({ endpoints: scene.etcd.endpoints, election, value, onLine: (line) => won.push(line) })
  processes.push(own)
  await eventually(`${value} queues`, async () => (await scene.queue(election)).length === place)
  return { won, process: own, leads: () => won.length > 0 }
}

const record = async (prefix: string) => {
  const [found] = await scene.keys(`/tenure/switch/${prefix}`)
  return switchRecord.parse(JSON.parse(Buffer.from(found?.value ?? []).toString()))
}

describe('stop', () => {
  it('stops candidates of the library, which acknowledge it, and releases exactly one to lead', async () => {
    const election = scene.newElection()
    const all = await scene.line(election, 'ab')
    await typed(`${election}/`, 'stop')
    expect(await record(`${election}/`)).toMatchObject({ state: 'engaged', by: 'Anna, by hand', match: 'exact' })
    await eventually('all are stopped', () => all.every(({ candidate }) => candidate.state === 'stopped'), 1_500)
    expect(await scene.queue(election)).toEqual([])
    const said = await typed(`${election}/`, 'acknowledged')
    const { nonce } = await record(`${election}/`)
    expect(said.match(new RegExp(`"state":"stopped"[^\\n]*${nonce}`, 'g'))).toHaveLength(2)
    await typed(`${election}/`, 'release-record')
    await eventually('one leads', () => leadersOf(all).length === 1)
  })
})

describe('hold', () => {
  it('a queue: nobody of those who wait wins, whatever they are, and one does on release', async () => {
    const election = scene.newElection()
    const prefix = `${election}/`
    const first = await waiter(election, 'a', 1)
    await eventually('a leads', () => first.leads())
    const second = await waiter(election, 'b', 2)
    const third = await waiter(election, 'c', 3)
    const held = await typed(prefix, 'queue', 'read', 'hold', 'stop', 'lease', 'revoke')
    expect(held).toMatch(/SUCCESS/)
    expect(held).toMatch(/granted with TTL.*attached keys\(\[\]\)/)
    await first.process.exited
    await always('nobody wins', () => !second.leads() && !third.leads(), 2_000)
    const queue = await scene.queue(election)
    expect(queue.map(isHeld)).toEqual([true, false, false])
    const newcomer = await waiter(election, 'd', 4)

    await typed(prefix, 'release-record')
    const released = await typed(prefix, 'queue', 'read', 'release-head')
    expect(released).toMatch(/SUCCESS/)
    await eventually('b leads', () => second.leads())
    await always('b alone leads', () => !third.leads() && !newcomer.leads(), 500)
  }, 40_000)

  it('a leader of the library notices without a revoke, and its foreign waiters do not win', async () => {
    const election = scene.newElection()
    const a = await scene.leader({ election, identity: 'a' })
    const b = await waiter(election, 'b', 2)
    await typed(`${election}/`, 'queue', 'read', 'hold', 'stop')
    await eventually('a is stopped', () => a.candidate.state === 'stopped')
    await always('b does not win', () => !b.leads(), 1_500)
    expect((await scene.queue(election)).map(isHeld)).toEqual([true, false])
  })

  it('a head that is another one by now: FAILURE, and nothing is written', async () => {
    const election = scene.newElection()
    await scene.put(`${election}/1`, 'a')
    await scene.put(`${election}/2`, 'b')
    const before = await scene.queue(election)
    // Between reading and holding the head goes.
    const gone = `etcdctl del "${election}/1" > /dev/null`
    const changed = await typed(`${election}/`, 'queue', 'read', { command: gone }, 'hold')
    expect(changed).toMatch(/FAILURE/)
    expect(await scene.queue(election)).toEqual([before[1]])
  })

  it('an empty queue: who comes does not win', async () => {
    const election = scene.newElection()
    expect(await typed(`${election}/`, 'hold-empty-queue')).toMatch(/SUCCESS/)
    const a = await waiter(election, 'a', 2)
    await always('a does not win', () => !a.leads(), 1_500)
    expect(await typed(`${election}/`, 'queue', 'read', 'release-head')).toMatch(/"Value" : .*halt[\s\S]*SUCCESS/)
    await eventually('a leads', () => a.leads())
  })

  it('a single key, held by somebody or by nobody', async () => {
    const election = scene.newElection()
    const layout = 'single-key' as const
    const a = await scene.leader({ election, layout, identity: 'a' })
    const b = await scene.waiter({ election, layout, identity: 'b' })
    const { code, stderr } = await type(election, ['single-key', 'read', 'hold', 'stop', 'revoke'])
    // A leader of the library may have noticed, and ended its lease, before it is revoked.
    if (code !== 0) expect(stderr).toContain('requested lease not found')
    await eventually('both are stopped', () => [a, b].every(({ candidate }) => candidate.state === 'stopped'))
    expect((await scene.keys(election)).map(isHeld)).toEqual([true])
    await typed(election, 'release-record')
    await always('nobody leads while it is held', () => !leads(a) && !leads(b), 1_000)
    expect(await typed(election, 'single-key', 'read', 'release-head')).toMatch(/SUCCESS/)
    await eventually('one leads', () => leadersOf([a, b]).length === 1)

    const other = scene.newElection()
    expect(await typed(other, 'hold-absent-key')).toMatch(/SUCCESS/)
    expect(await typed(other, 'hold-absent-key')).toMatch(/FAILURE/)
    const c = scene.enter({ election: other, layout, identity: 'c' })
    await always('c does not lead', () => !leads(c), 1_500)
    await typed(other, 'single-key', 'read', 'release-head')
    await eventually('c leads', () => leads(c))
  }, 40_000)
})

describe('with etcd out of space', () => {
  async function fill(): Promise<void> {
    const value = new Uint8Array(512 * 1024)
    for (let n = 0; n < 100; n += 1) {
      const full = await scene.put(`/filler/${n % 2}`, value).then(
        () => false,
        () => true,
      )
      if (full) return
    }
    throw new Error('etcd did not run out of space')
  }

  it('what is said to work does, what is said not to does not, and room is made', async () => {
    const election = scene.newElection()
    const prefix = `${election}/`
    await scene.release(prefix)
    const a = await scene.leader({ election, identity: 'a', onMissingSwitch: 'halt' })
    const other = scene.newElection()
    const first = await waiter(other, 'x', 1)
    const second = await waiter(other, 'y', 2)
    await eventually('x leads', () => first.leads())
    await typed(`${other}/`, 'queue', 'read', 'hold')
    await fill()
    expect((await type(prefix, ['stop'])).stderr).toContain('database space exceeded')
    expect((await type(prefix, ['release-record'])).code).not.toBe(0)
    expect((await type(prefix, ['queue', 'read', 'hold'])).stderr).toContain('database space exceeded')
    expect(await typed(`${other}/`, 'queue', 'read', 'release-head')).toMatch(/SUCCESS/)
    await eventually('y leads', () => second.leads())
    await typed(prefix, 'delete-record')
    await eventually('a is stopped', () => a.candidate.state === 'stopped')
    await typed(`${other}/`, 'queue', 'read', 'revoke')
    await second.process.exited
    await typed(prefix, 'make-room')
    await typed(prefix, 'release-record')
    await eventually('a leads', () => leads(a))
  }, 60_000)
})
