/** Orders of events that real time does not bring about: see `actions.ts` for what happens and `rules.ts` for what must hold. */
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { anyAction } from './actions.ts'
import { runModel } from './run.ts'
import type { Plan } from './world.ts'

const LONG = process.env.TENURE_TEST_LONG === '1'
const RUNS = LONG ? 1_500 : 40

const plans = (layout: Plan['layout']): fc.Arbitrary<Plan> =>
  fc.record({ seed: fc.nat(), layout: fc.constant(layout), isTight: fc.boolean(), isAsking: fc.boolean() })
const actions = fc.array(anyAction, { minLength: 5, maxLength: 60, size: 'max' })
const property = (layout: Plan['layout']) => fc.asyncProperty(plans(layout), actions, runModel)

describe.each(['queue', 'single-key'] as const)('%s', (layout) => {
  it('keeps every rule in runs that are the same each time', async () => {
    await fc.assert(property(layout), { seed: 20_260, numRuns: RUNS })
  }, 600_000)

  it('keeps every rule in runs that are new each time', async () => {
    await fc.assert(property(layout), { numRuns: LONG ? RUNS : 10 })
  }, 600_000)
})
