/** The other layout: one key, created by whoever comes first. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tellFigures } from './figures.ts'
import { withRun } from './run.ts'
import { EXPIRY_LAG_MS, type FaultStage, openStage } from './stage.ts'

let stage: FaultStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  tellFigures('a single key')
  await stage.stop()
})

const TTL_MS = 5_000

it('a single key: the leader is frozen, cut off, killed, and always one follows', () =>
  withRun(stage, 'single key', async (run) => {
    const options = { layout: 'single-key', proxied: true, ttlSeconds: TTL_MS / 1_000 } as const
    const workers = await Promise.all(['a', 'b', 'c'].map((name) => run.spawn(name, options)))
    await Promise.all(workers.map((each) => each.first('ready')))
    for (const worker of workers) worker.order({ do: 'enter' })
    const leader = async () => {
      await expect.poll(() => workers.some((each) => each.leadsWith() !== null), { timeout: 10_000 }).toBe(true)
      return workers.find((each) => each.leadsWith() !== null) ?? workers[0]
    }

    const first = await leader()
    if (first === undefined) throw new Error('nobody entered')
    run.mustFailOver('SIGSTOP', TTL_MS + EXPIRY_LAG_MS)
    run.freeze(first)
    const second = await run.successorOf(first)
    run.thaw(first)
    await pause(1_000)

    run.mustFailOver('the black hole', TTL_MS + EXPIRY_LAG_MS)
    await second.network('black-hole')
    const third = await run.successorOf(second)
    await second.network('pass')
    await pause(1_000)

    run.mustFailOver('kill -9', TTL_MS + EXPIRY_LAG_MS)
    await run.kill(third)
    await run.successorOf(third)
    await pause(300)
    await run.judged({ exclusive: true })
  }))
