/** What went wrong for people who run elections: phantom leaders, late releases, leaders that do not notice. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../harness/library-candidate.ts'
import { machineMs } from '../harness/machine-clock.ts'
import { connect, deleteKey, type Etcd3, revokeLease } from '../harness/raw-etcd.ts'
import { note, shownMs, spread, tellFigures } from './figures.ts'
import { type FaultRun, withRun } from './run.ts'
import { EXPIRY_LAG_MS, type FaultStage, LONG, openStage } from './stage.ts'

let stage: FaultStage
let client: Etcd3
beforeAll(async () => {
  stage = await openStage()
  client = connect(stage.etcd.endpoints)
})
afterAll(async () => {
  tellFigures('field cases')
  client?.close()
  await stage.stop()
})

const TTL_MS = 5_000

/** Decimal lease and key of a worker's place. */
async function placeOf(run: FaultRun, name: string): Promise<{ key: Buffer; lease: string }> {
  const { kvs } = await client.kv.range({
    key: Buffer.from(`${run.election}/`),
    range_end: Buffer.from(`${run.election}0`),
  })
  const found = kvs.find(({ value }) => value.toString() === name)
  if (found === undefined) throw new Error(`${name} is not in the queue`)
  return { key: found.key, lease: found.lease }
}

describe.concurrent('RC-20: zombies and phantoms', () => {
  it('a waiter whose lease was revoked queues again within a TTL, and leads with a live key', () =>
    withRun(stage, 'RC-20 waiter revoked', async (run) => {
      const [a, b] = await run.enterInOrder(['a', 'b'])
      const { key, lease } = await placeOf(run, b.plan.name)
      const revokedMs = machineMs()
      await revokeLease(client, lease)
      const isBack = async () => (await run.keys()).length === 2 && !(await run.keys()).includes(key.toString())
      await eventually('it queues again', isBack, TTL_MS)
      note(run.name, `queued again after ${shownMs(machineMs() - revokedMs)}`)
      await pause(LONG ? 10_000 : 2_000)
      run.mustFailOver('the resign', 1_500)
      a.order({ do: 'resign', reason: 'a test' })
      await run.successorOf(a)
      expect(b.leadsWith()?.revision).toBe(await run.headRevision())
      await run.judged({ exclusive: true })
    }))

  // It wakes up with the notice that the one ahead is gone, and must not take that for a victory.
  it('a waiter that slept longer than its TTL, while the leader left', () =>
    withRun(stage, 'RC-20 waiter slept', async (run) => {
      const [a, b] = await run.enterInOrder(['a', 'b'])
      run.freeze(b)
      await pause(TTL_MS + EXPIRY_LAG_MS + 500)
      await run.queueBecomes([a], 1_000)
      a.order({ do: 'end' })
      await a.exited
      await pause(500)
      run.mustFailOver('SIGCONT', TTL_MS)
      run.thaw(b)
      const { token } = await b.first('leading')
      expect(token.revision).toBe(await run.headRevision())
      await run.judged({ exclusive: true })
    }))

  it('a waiter whose lease is pulled exactly when the leader leaves', () =>
    withRun(stage, 'RC-20 both at once', async (run) => {
      await run.enterInOrder(['a', 'b'])
      let former: string | undefined
      for (let nth = 0; nth < (LONG ? 30 : 10); nth += 1) {
        await eventually('both are there', async () => (await run.keys()).length === 2)
        const head = await run.headRevision()
        const leader = () => run.workers.find((each) => each.leadsWith()?.revision === head)
        await eventually('the head leads', () => leader() !== undefined)
        const waiter = run.workers.find((each) => each !== leader())
        const { lease } = await placeOf(run, waiter?.plan.name ?? '')
        run.mustFailOver(`time ${nth + 1}`, TTL_MS)
        former = head
        leader()?.order({ do: 'resign', reason: 'a test' })
        await pause(Math.random() * 20)
        await revokeLease(client, lease)
      }
      // Whoever leads in the end does so with the key that is first.
      await eventually('the head leads', async () => {
        const head = await run.headRevision()
        if (head === undefined || head === former) return false
        return run.workers.some((each) => each.leadsWith()?.revision === head)
      })
      await run.judged({ exclusive: false })
    }))
})

describe.concurrent('RC-22: a late release', () => {
  it('never touches the successor, nor does a late proclaim or write', () =>
    withRun(stage, 'RC-22 late release', async (run) => {
      const [a, b] = await run.enterInOrder(['a', 'b'], { isStubborn: true })
      run.mustFailOver('SIGSTOP', TTL_MS + EXPIRY_LAG_MS)
      const learns = a.next('went on', 30_000)
      run.freeze(a)
      await run.successorOf(a)
      await pause(1_000)
      const token = b.leadsWith()
      run.thaw(a)
      const { proclaimed, rejected } = await learns
      expect([proclaimed, rejected]).toEqual(['NotLeadingError', 1])
      await run.queueBecomes([b, a])
      expect(b.leadsWith()).toEqual(token)
      expect(await run.headRevision()).toBe(token?.revision)
      // What is left of the first one's values is its new place behind.
      const judgement = await run.judged({ exclusive: true })
      expect(judgement.rejected).toBeGreaterThanOrEqual(1)
    }))
})

describe.concurrent('RC-17: a leader that was removed', () => {
  it('(2) notices within a second, is refused by the resource, and queues behind its successor', () =>
    withRun(stage, 'RC-17 (2)', async (run) => {
      const [b, c] = await run.enterInOrder(['b', 'c'], { isStubborn: true })
      const { key } = await placeOf(run, b.plan.name)
      const [learns, wentOn] = [b.next('ended'), b.next('went on')]
      const deletedMs = machineMs()
      run.mustFailOver('the delete', 1_500)
      await deleteKey(client, key)
      await run.successorOf(b)
      const { learnedMs } = await learns
      note(run.name, `signal aborted after ${shownMs(learnedMs - deletedMs)}`)
      expect(learnedMs - deletedMs).toBeLessThan(1_000)
      const { proclaimed, rejected } = await wentOn
      expect(proclaimed).toBe('NotLeadingError')
      expect(rejected).toBeGreaterThanOrEqual(1)
      await run.queueBecomes([c, b])
      await run.judged({ exclusive: false })
    }))

  it('(3) alone, it leads again at once: the same identity, a new term with a newer token', () =>
    withRun(stage, 'RC-17 (3)', async (run) => {
      const [a] = await run.enterInOrder(['a'])
      const tookMs: number[] = []
      for (let nth = 0; nth < 5; nth += 1) {
        const { key } = await placeOf(run, 'a')
        const [before, again] = [a.leadsWith(), a.next('leading')]
        const removedMs = machineMs()
        if (nth % 2 === 0) await deleteKey(client, key)
        else a.order({ do: 'resign', reason: 'a test' })
        const { token, fromMs } = await again
        tookMs.push(fromMs - removedMs)
        expect(BigInt(token.revision)).toBeGreaterThan(BigInt(before?.revision ?? 0))
      }
      note(run.name, `leads again after ${spread(tookMs)}`)
      await run.judged({ exclusive: false })
    }))
})
