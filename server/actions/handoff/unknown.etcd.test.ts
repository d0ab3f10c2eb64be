/** RC-16: an answer that is missing is told as that, until a read shows what came of it. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EtcdCluster, startEtcd } from '../../../e2e/harness/etcd.ts'
import { eventually, startCandidate } from '../../../e2e/harness/library-candidate.ts'
import { spawnOwned } from '../../../e2e/harness/owned-process.ts'
import { type NetworkProxy, startProxy } from '../../../e2e/harness/proxy.ts'
import { connect, type Etcd3, enterCandidate } from '../../../e2e/harness/raw-etcd.ts'
import { makeTempFolder } from '../../../e2e/harness/temp-folder.ts'
import { refOf } from '../../../lib/election/ids.ts'
import type { Audit } from '../../history/audit.ts'
import { ANN, newOperation } from '../callers-for-test.ts'
import { actByHand, type ByHand } from './acting-by-hand-for-test.ts'
import type { KilledPlan } from './killed-actor-for-test.ts'

const ROUNDS = process.env.TENURE_TEST_LONG === '1' ? 20 : 4
/** From the intent to the outcome takes a few milliseconds. */
const LATEST_DEATH_MS = 12

let etcd: EtcdCluster
let client: Etcd3
let nth = 0
const folder = makeTempFolder('unknown')

beforeAll(async () => {
  etcd = await startEtcd()
  client = connect(etcd.endpoints)
})
afterAll(async () => {
  client.close()
  await etcd.stop()
  folder.remove()
})

/** Two candidates, and a server that reaches etcd by a proxy. */
async function scene(leaderTtlSeconds = 300) {
  nth += 1
  const auditFile = join(folder.path, `${nth}.sqlite`)
  const prefix = `jobs/unknown-${nth}`
  const leader = await enterCandidate(client, { prefix, value: 'L1', ttlSeconds: leaderTtlSeconds })
  await enterCandidate(client, { prefix, value: 'L2', ttlSeconds: 300 })
  return { prefix, ref: refOf('queue', `${prefix}/`), auditFile, leader }
}

async function behindProxy(auditFile: string): Promise<{ proxy: NetworkProxy; hand: ByHand }> {
  const proxy = await startProxy({ target: etcd.endpoints[0] ?? '' })
  const hand = await actByHand({ endpoints: [proxy.endpoint], watched: etcd.endpoints, watch: ['jobs/'], auditFile })
  return { proxy, hand }
}

const head = async (prefix: string) => {
  const { stdout } = await etcd.etcdctl(['get', '--prefix', `${prefix}/`, '--sort-by=CREATE', '--print-value-only'])
  return stdout.split('\n')[0]
}
const queueOf = async (election: string) => {
  const { stdout } = await etcd.etcdctl(['get', '--prefix', `${election}/`, '--sort-by=CREATE', '--print-value-only'])
  return stdout.split('\n').join('')
}
const told = (audit: Audit, id: string) =>
  audit
    .list({ limit: 100, operation: id })
    .entries.reverse()
    .map(({ kind, outcome }) => [kind, outcome?.is].filter(Boolean).join(' '))

async function revoke({ actions }: ByHand, ref: string, operation: string) {
  const { token } = await actions.preflight(ANN, { cluster: 'test', ref, action: 'handoff' })
  const input = { cluster: 'test', ref, token, method: 'revoke-session' as const, reason: 'a test', operation }
  return actions.handoff(ANN, { ...input, deadlineMs: 30_000 })
}

const outcomeOf = ({ actions }: ByHand, id: string) => actions.operation(id)?.outcome?.is

describe.concurrent('RC-16', () => {
  it('(a) the answer is swallowed: unknown, then done, told once', async () => {
    const { prefix, ref, auditFile } = await scene()
    const { proxy, hand } = await behindProxy(auditFile)
    hand.etcd.before = () => proxy.setMode('no-answers')
    const id = newOperation()
    await revoke(hand, ref, id)
    await eventually('unknown', () => outcomeOf(hand, id) === 'unknown', 15_000)
    expect(await head(prefix)).toBe('L2')
    await proxy.setMode('reset')
    await proxy.setMode('pass')
    await eventually('done', () => outcomeOf(hand, id) === 'verified', 20_000)
    expect(hand.actions.operation(id)?.outcome).toMatchObject({ words: expect.stringContaining('L2 leads with token') })
    expect([told(hand.audit, id), hand.etcd.writes]).toEqual([['intent', 'outcome unknown', 'outcome verified'], 1])
    const { ended } = await hand.watching.until(`${prefix}/`, (state) => Boolean(state.ended.at(-1)?.endedBy))
    expect(ended.at(-1)?.endedBy).toMatchObject({ cause: 'revoked', by: 'Ann' })
    await hand.stop()
    await proxy.stop()
  }, 60_000)

  it('(b) the request is swallowed: unknown, then not executed, and never sent again', async () => {
    const { prefix, ref, auditFile } = await scene()
    const { proxy, hand } = await behindProxy(auditFile)
    hand.etcd.before = () => proxy.setMode('lose-requests')
    const id = newOperation()
    await revoke(hand, ref, id)
    await eventually('unknown', () => outcomeOf(hand, id) === 'unknown', 15_000)
    await proxy.setMode('reset')
    await proxy.setMode('pass')
    await eventually('not done', () => outcomeOf(hand, id) === 'failed', 30_000)
    expect(hand.actions.operation(id)?.outcome?.words).toMatch(/^Not executed: unchanged at revision \d+\.$/)
    expect(await head(prefix)).toBe('L1')
    expect([told(hand.audit, id), hand.etcd.writes]).toEqual([['intent', 'outcome unknown', 'outcome failed'], 1])
    await hand.stop()
    await proxy.stop()
  }, 60_000)

  it('the request is swallowed and the session ends by itself meanwhile: neither is claimed', async () => {
    const { prefix, ref, auditFile } = await scene(5)
    const { proxy, hand } = await behindProxy(auditFile)
    hand.etcd.before = () => proxy.setMode('lose-requests')
    const id = newOperation()
    await revoke(hand, ref, id)
    await eventually('ended by itself', async () => (await head(prefix)) === 'L2', 20_000)
    await proxy.setMode('reset')
    await proxy.setMode('pass')
    await eventually('known', () => outcomeOf(hand, id) === 'verified', 30_000)
    const words = 'Nothing shows whether by this request or because its lease ended by itself.'
    expect(hand.actions.operation(id)?.outcome?.words).toContain(words)
    const { ended } = await hand.watching.until(`${prefix}/`, (state) => Boolean(state.ended.at(-1)?.endedBy))
    expect(ended.at(-1)?.endedBy?.by).toBeUndefined()
    expect(ended.at(-1)?.endedBy?.cause).not.toBe('revoked')
    await hand.stop()
    await proxy.stop()
  }, 60_000)

  it('(c) the answer takes 20 s: unknown, then done', async () => {
    const { ref, auditFile } = await scene()
    const { proxy, hand } = await behindProxy(auditFile)
    hand.etcd.before = async () => {
      await proxy.setMode('no-answers')
      setTimeout(() => void proxy.setMode('pass'), 20_000)
    }
    const id = newOperation()
    await revoke(hand, ref, id)
    await eventually('unknown', () => outcomeOf(hand, id) === 'unknown', 15_000)
    await eventually('done', () => outcomeOf(hand, id) === 'verified', 40_000)
    expect(told(hand.audit, id)).toEqual(['intent', 'outcome unknown', 'outcome verified'])
    await hand.stop()
    await proxy.stop()
  }, 90_000)
})

describe.concurrent('RC-16 (d) the server is killed', () => {
  const program = join(import.meta.dirname, 'killed-actor-for-test.ts')

  it.each([
    ['before', 'revoke-session', 'failed', 'L1'],
    ['right after', 'revoke-session', 'verified', 'L2'],
    ['before the outcome', 'revoke-session', 'verified', 'L2'],
    ['before the outcome', 'remove-key', 'verified', 'L2'],
  ] as const)(
    '%s (%s): the next one finds out',
    async (dies, method, becomes, leads) => {
      const { prefix, ref, auditFile } = await scene()
      const operation = newOperation()
      const plan: KilledPlan = { endpoints: etcd.endpoints, auditFile, ref, operation, method, dies }
      const child = spawnOwned(process.execPath, [program, JSON.stringify(plan)])
      expect(await child.exited).toBe('SIGKILL')
      const hand = await actByHand({ endpoints: etcd.endpoints, watched: etcd.endpoints, watch: ['jobs/'], auditFile })
      expect(told(hand.audit, operation)).toEqual(['intent'])
      hand.actions.start()
      expect(outcomeOf(hand, operation)).toBe('unknown')
      // Right after sending, etcd may or may not have been reached: either is told as it is.
      await eventually('known', () => ['verified', 'failed'].includes(outcomeOf(hand, operation) ?? ''), 30_000)
      const is = await head(prefix)
      if (dies !== 'right after') expect([outcomeOf(hand, operation), is]).toEqual([becomes, leads])
      expect(outcomeOf(hand, operation)).toBe(is === 'L2' ? 'verified' : 'failed')
      expect(told(hand.audit, operation).at(-1)).toBe(`outcome ${is === 'L2' ? 'verified' : 'failed'}`)
      expect(hand.etcd.writes).toBe(0)
      await hand.stop()
    },
    60_000,
  )

  it.each(Array.from({ length: ROUNDS }, (_, n) => n))(
    'at any moment (%i): the log tells the truth, and nothing is done twice',
    async () => {
      const { prefix, ref, auditFile } = await scene()
      const operation = newOperation()
      const dies = Math.random() * LATEST_DEATH_MS
      const plan = { endpoints: etcd.endpoints, auditFile, ref, operation, method: 'revoke-session', dies } as const
      const child = spawnOwned(process.execPath, [program, JSON.stringify(plan satisfies KilledPlan)])
      expect(await child.exited).toBe('SIGKILL')
      const hand = await actByHand({ endpoints: etcd.endpoints, watched: etcd.endpoints, watch: ['jobs/'], auditFile })
      const before = told(hand.audit, operation)
      expect(before[0]).toBe('intent')
      hand.actions.start()
      const finals = () => told(hand.audit, operation).filter((entry) => /verified|failed/.test(entry))
      await eventually(`known after ${dies.toFixed(1)} ms, ${before.join(', ')}`, () => finals().length > 0, 40_000)
      expect(finals()).toEqual([(await head(prefix)) === 'L2' ? 'outcome verified' : 'outcome failed'])
      expect(hand.etcd.writes).toBe(0)
      await hand.stop()
    },
    90_000,
  )

  it.each([
    ['right after', 'verified'],
    ['before', 'failed'],
  ] as const)(
    '%s, while the leader is asked: what it did is found out',
    async (dies, becomes) => {
      nth += 1
      const auditFile = join(folder.path, `${nth}.sqlite`)
      const election = `jobs/asked-${nth}`
      const a = startCandidate({ endpoints: etcd.endpoints, election, identity: 'a' })
      await eventually('a leads', () => a.terms.length === 1)
      const b = startCandidate({ endpoints: etcd.endpoints, election, identity: 'b' })
      await eventually('b waits', async () => (await queueOf(election)) === 'ab')
      const ref = refOf('queue', `${election}/`)
      const operation = newOperation()
      const plan: KilledPlan = { endpoints: etcd.endpoints, auditFile, ref, operation, method: 'ask', dies }
      expect(await spawnOwned(process.execPath, [program, JSON.stringify(plan)]).exited).toBe('SIGKILL')
      const hand = await actByHand({ endpoints: etcd.endpoints, watched: etcd.endpoints, watch: ['jobs/'], auditFile })
      hand.actions.start()
      await eventually('known', () => ['verified', 'failed'].includes(outcomeOf(hand, operation) ?? ''), 40_000)
      const handedOff = a.terms[0]?.endedBy === 'handed off'
      expect(outcomeOf(hand, operation)).toBe(handedOff ? 'verified' : 'failed')
      if (dies === 'before') expect(outcomeOf(hand, operation)).toBe(becomes)
      expect(hand.etcd.writes).toBe(0)
      await Promise.all([hand.stop(), a.stop(), b.stop()])
    },
    60_000,
  )
})
