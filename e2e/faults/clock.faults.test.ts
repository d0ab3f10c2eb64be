/** The wall clock of one process steps; its monotonic clock, and everybody else's, stays true. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasFakeClock, makeFakeClock } from '../harness/fake-clock.ts'
import { tellFigures } from './figures.ts'
import { withRun } from './run.ts'
import { type FaultStage, openStage } from './stage.ts'

let stage: FaultStage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => {
  tellFigures('the wall clock steps')
  await stage.stop()
})

const TTL = 9
const HOUR_S = 3_600
const clockOf = (...names: string[]) => makeFakeClock(join(stage.folder, names.join('-').replaceAll(' ', '-')))
const skip = hasFakeClock ? '' : ' (skipped: libfaketime is not here)'

describe.runIf(hasFakeClock).concurrent(`the wall clock${skip}`, () => {
  it.for([
    { where: 'forward by an hour', seconds: HOUR_S },
    { where: 'back by an hour', seconds: -HOUR_S },
  ])('of the leader steps $where: it leads on, and hands over as ever', ({ where, seconds }) =>
    withRun(stage, `clock ${where}`, async (run) => {
      const clocks = { a: clockOf(where, 'a'), b: clockOf(where, 'b') }
      const [leader] = await run.enterInOrder(['a', 'b'], (name) => ({ ttlSeconds: TTL, env: clocks[name as 'a'].env }))
      const token = leader.leadsWith()
      const clock = clocks[leader.plan.name as 'a']
      clock.step(seconds)
      await pause(TTL * 1_000)
      clock.step(0)
      await pause(TTL * 1_000)
      expect(leader.leadsWith()).toEqual(token)
      clock.step(seconds)
      run.mustFailOver('the resign', 1_500)
      const tells = leader.next('state')
      leader.order({ do: 'resign', reason: 'a test' })
      expect(Math.abs((await tells).wallMs - Date.now() - seconds * 1_000)).toBeLessThan(60_000)
      await run.successorOf(leader)
      await run.judged({ exclusive: true })
    }),
  )
})
