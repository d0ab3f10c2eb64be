/** What happens to the network of one candidate, while the others reach etcd. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ProxyMode } from '../harness/proxy.ts'
import { note, shownMs, tellFigures } from './figures.ts'
import { type Entered, type FaultRun, withRun } from './run.ts'
import { EXPIRY_LAG_MS, type FaultStage, LONG, openStage, REPEATS } from './stage.ts'

let stage: FaultStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  tellFigures('the network of one candidate breaks')
  await stage.stop()
})

const TTL_MS = 5_000
/** Where nothing may be lost: a busy machine must not look like a broken network. */
const PATIENT_TTL = 9
const DEADLINE_MS = Math.floor((TTL_MS * 2) / 3)

function proxiedPair(run: FaultRun, ttlSeconds = 5): Promise<readonly [Entered, Entered]> {
  return run.enterInOrder(['a', 'b'], { proxied: true, ttlSeconds })
}

/** Cut off until another leads; a renewal sent just before may count from then. */
async function cutOff(run: FaultRun, a: Entered, mode: ProxyMode, boundMs: number): Promise<void> {
  await pause(1_500)
  run.mustFailOver(mode, boundMs)
  const cutMs = performance.now()
  const learns = a.next('ended')
  await a.network(mode, { delayMs: 3_000 })
  const ended = await learns
  note(run.name, `the leader gave up ${shownMs(performance.now() - cutMs)} after the cut, "${ended.why}"`)
  expect(ended.why).toBe('not renewed')
  expect(performance.now() - cutMs).toBeLessThan(TTL_MS)
  await run.successorOf(a)
}

describe.concurrent('the network of a candidate', () => {
  it.for(REPEATS)('a black hole around the leader: it gives up before another is elected (%i)', (nth) =>
    withRun(stage, `black hole ${nth}`, async (run) => {
      const [a, b] = await proxiedPair(run)
      await cutOff(run, a, 'black-hole', TTL_MS + EXPIRY_LAG_MS)
      await pause(6_000)
      await a.network('pass')
      await run.queueBecomes([b, a])
      await run.judged({ exclusive: true })
    }),
  )

  // Renewals go on to arrive: the lease lives until the leader itself stops to renew it.
  it('a leader that is heard and hears nothing gives up, and lets go of the lease', () =>
    withRun(stage, 'half-open, no answers', async (run) => {
      const [a, b] = await proxiedPair(run)
      await cutOff(run, a, 'no-answers', DEADLINE_MS + TTL_MS + EXPIRY_LAG_MS)
      await a.network('pass')
      await run.queueBecomes([b, a])
      await run.judged({ exclusive: true })
    }))

  it('a leader that hears and is not heard gives up', () =>
    withRun(stage, 'half-open, no requests', async (run) => {
      const [a, b] = await proxiedPair(run)
      await cutOff(run, a, 'no-requests', TTL_MS + EXPIRY_LAG_MS)
      await a.network('pass')
      await run.queueBecomes([b, a])
      await run.judged({ exclusive: true })
    }))

  if (LONG)
    it('a black hole around a waiter: it queues again when it is back, and the leader leads on', () =>
      withRun(stage, 'black hole around a waiter', async (run) => {
        const [a, b] = await proxiedPair(run, PATIENT_TTL)
        const terms = a.all('ended').length
        await b.network('black-hole')
        await pause(PATIENT_TTL * 1_000 + EXPIRY_LAG_MS)
        await run.queueBecomes([a], 100)
        await b.network('pass')
        await run.queueBecomes([a, b])
        expect(a.all('ended')).toHaveLength(terms)
        a.order({ do: 'resign', reason: 'a test' })
        await run.successorOf(a)
        await run.judged({ exclusive: true })
      }))

  it('a slow network does not cost the seat', () =>
    withRun(stage, 'slow network, 200 ms each way', async (run) => {
      const [a] = await proxiedPair(run, PATIENT_TTL)
      const terms = a.all('ended').length
      await a.network('delay', { delayMs: 200 })
      await pause(2 * PATIENT_TTL * 1_000)
      expect(a.all('ended')).toHaveLength(terms)
      await run.judged({ exclusive: true })
    }))

  it('a network slower than the deadline does, before another is elected', () =>
    withRun(stage, 'slow network, 3 s each way', async (run) => {
      const [a] = await proxiedPair(run)
      // What was sent before the delay began may still renew the lease while it is under way.
      await cutOff(run, a, 'delay', TTL_MS + 3_000 + EXPIRY_LAG_MS)
      await pause(4_000)
      await run.judged({ exclusive: true })
    }))

  it('leader and waiter that are told to end while cut off end by themselves, and the seat is free in time', () =>
    withRun(stage, 'SIGTERM in a black hole', async (run) => {
      const [a, b, c] = await run.enterInOrder(['a', 'b', 'c'], { proxied: true })
      await pause(1_000)
      run.mustFailOver('the black hole', TTL_MS + EXPIRY_LAG_MS)
      await Promise.all([a.network('black-hole'), b.network('black-hole')])
      const cutMs = performance.now()
      await Promise.all([a.stop(TTL_MS + 5_000), b.stop(TTL_MS + 5_000)])
      note(run.name, `both had ended after ${shownMs(performance.now() - cutMs)}`)
      expect([await a.exited, await b.exited]).toEqual([0, 0])
      expect(await run.successorOf(a)).toBe(c)
      await run.judged({ exclusive: true })
    }))

  if (LONG)
    it.for(['reset', 'refuse'] as const)('connections that are answered by %s', (mode) =>
      withRun(stage, `network: ${mode}`, async (run) => {
        const [a, b] = await proxiedPair(run)
        await cutOff(run, a, mode, TTL_MS + EXPIRY_LAG_MS)
        await a.network('pass')
        await run.queueBecomes([b, a])
        await run.judged({ exclusive: true })
      }),
    )
})
