/** What happens to the process of a candidate: it stands still, its event loop is blocked, it dies. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineMs } from '../harness/machine-clock.ts'
import { tellFigures } from './figures.ts'
import { withRun } from './run.ts'
import { EXPIRY_LAG_MS, type FaultStage, LONG, openStage, REPEATS } from './stage.ts'

let stage: FaultStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  tellFigures('a process stands still or dies')
  await stage.stop()
})

const TTL_MS = 5_000

describe.concurrent('the process of a candidate', () => {
  it.for(REPEATS)('SIGSTOP of the leader for 12 s: it wakes up to the truth and writes nothing (%i)', (nth) =>
    withRun(stage, `frozen leader ${nth}`, async (run) => {
      const [a] = await run.enterInOrder(['a', 'b'])
      run.mustFailOver('SIGSTOP', TTL_MS + EXPIRY_LAG_MS)
      const learns = a.next('ended', 30_000)
      run.freeze(a)
      await run.successorOf(a)
      await pause(12_000 - TTL_MS)
      run.thaw(a)
      const ended = await learns
      expect(ended.why).toBe('not renewed')
      await pause(500)
      await run.judged({ exclusive: true })
    }),
  )

  it('SIGSTOP of a waiter for longer than its TTL: it queues again, and never leads on what it lost', () =>
    withRun(stage, 'frozen waiter', async (run) => {
      const [a, b] = await run.enterInOrder(['a', 'b'])
      run.freeze(b)
      await pause(TTL_MS + EXPIRY_LAG_MS + 1_000)
      await run.queueBecomes([a], 100)
      run.thaw(b)
      await run.queueBecomes([a, b], TTL_MS)
      expect(a.leadsWith()).not.toBe(null)
      run.mustFailOver('resign', 1_000)
      a.order({ do: 'resign', reason: 'a test' })
      await run.successorOf(a)
      expect(b.leadsWith()?.revision).toBe(await run.headRevision())
      await run.judged({ exclusive: true })
    }))

  it.for(
    REPEATS.flatMap((nth) => [
      { ttlSeconds: 5, grantedMs: 5_000, nth },
      { ttlSeconds: 1, grantedMs: 2_000, nth },
    ]),
  )('an event loop blocked for 12 s while leading, TTL $ttlSeconds ($nth)', ({ ttlSeconds, grantedMs, nth }) =>
    withRun(stage, `blocked loop, TTL ${ttlSeconds} ${nth}`, async (run) => {
      const [a] = await run.enterInOrder(['a', 'b'], { ttlSeconds })
      run.mustFailOver('the block', grantedMs + EXPIRY_LAG_MS)
      const learns = a.next('ended', 30_000)
      const fromMs = machineMs()
      a.order({ do: 'block', ms: 12_000 })
      await run.successorOf(a)
      const woke = await a.first('woke', { withinMs: 20_000 })
      run.noteFrozen({ worker: a.plan.name, fromMs, toMs: woke.fromMs + 12_000 })
      // RC-21: what was queued before, and runs first on waking, must see the truth.
      expect(woke.sawLeading).toEqual([])
      expect((await learns).ended).toBe(1)
      await pause(300)
      await run.judged({ exclusive: true })
    }),
  )

  it.for(REPEATS)('kill -9 of the leader: the next one leads when the lease has run out (%i)', (nth) =>
    withRun(stage, `killed leader ${nth}`, async (run) => {
      const [a, b] = await run.enterInOrder(['a', 'b', 'c'])
      await pause(1_000)
      run.mustFailOver('kill -9', TTL_MS + EXPIRY_LAG_MS)
      await run.kill(a)
      expect(await run.successorOf(a)).toBe(b)
      await pause(300)
      await run.judged({ exclusive: true })
    }),
  )

  if (LONG)
    it('kill -9 of a waiter: the leader leads on, and the next in line moves up', () =>
      withRun(stage, 'killed waiter', async (run) => {
        const [a, b, c] = await run.enterInOrder(['a', 'b', 'c'])
        await run.kill(b)
        a.order({ do: 'resign', reason: 'a test' })
        // The dead one is first in line until its lease has run out.
        run.mustFailOver('the resign', TTL_MS + EXPIRY_LAG_MS)
        expect(await run.successorOf(a)).toBe(c)
        await run.judged({ exclusive: true })
      }))
})
