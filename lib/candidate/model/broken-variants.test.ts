/** That the model finds what it is there to find: each of these variants breaks a rule within a few runs. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyAction } from './actions.ts'
import {
  blindToRollback,
  deadlineFromReceipt,
  releasedUnguarded,
  renewedWithoutProof,
  wonWithoutOwnKey,
  wonWithoutSwitches,
} from './broken-variants.ts'
import type { Twist } from './contestant.ts'
import { BrokenRule } from './rules.ts'
import { runModel } from './run.ts'

/** The slowest of them takes 39 runs. */
const MOST_RUNS = 150

async function firstBreach(twist: Twist, isTight: boolean): Promise<string> {
  const plan = fc.record({ seed: fc.nat(), isAsking: fc.boolean() })
  const actions = fc.array(anyAction, { minLength: 20, maxLength: 60, size: 'max' })
  const property = fc.asyncProperty(plan, actions, (each, list) =>
    runModel({ ...each, layout: 'queue', isTight, twist }, list),
  )
  const { errorInstance, failed, numRuns } = await fc.check(property, {
    seed: 4,
    numRuns: MOST_RUNS,
    endOnFailure: true,
  })
  if (failed && !(errorInstance instanceof BrokenRule)) throw errorInstance
  return errorInstance instanceof BrokenRule ? errorInstance.message : `nothing was found in ${numRuns} runs`
}

interface Variant {
  name: string
  twist: Twist
  isTight?: boolean
  rule: RegExp
}

it.each<Variant>([
  { name: 'does not check its own key when it wins', twist: wonWithoutOwnKey, rule: /believe|key is gone|leads with/ },
  {
    name: 'does not look at the switches when it wins',
    twist: wonWithoutSwitches,
    rule: /switch (is|was) engaged|are stopped/,
  },
  { name: 'deletes the key unguarded', twist: releasedUnguarded, rule: /not its own/ },
  { name: 'counts from the receipt of a renewal', twist: deadlineFromReceipt, isTight: true, rule: /believe at once/ },
  { name: 'renews without a proof', twist: renewedWithoutProof, rule: /its seat is gone/ },
  { name: 'does not mind lower revisions', twist: blindToRollback, rule: /seen a rollback/ },
])(
  'catches a candidate that $name',
  async ({ twist, isTight, rule }) => {
    expect(await firstBreach(twist, isTight ?? false)).toMatch(rule)
  },
  120_000,
)
