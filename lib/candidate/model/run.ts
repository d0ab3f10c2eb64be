/** One run of the model, with the globals of time and chance replaced. */
import { vi } from 'vitest'
import type { Action } from './actions.ts'
import { finish } from './finish.ts'
import { perform } from './perform.ts'
import { type Plan, World } from './world.ts'

/** Rejects with a `BrokenRule`. */
export async function runModel(plan: Plan, actions: readonly Action[]): Promise<void> {
  const world = new World(plan)
  vi.stubGlobal('setTimeout', world.time.setTimeout)
  vi.stubGlobal('clearTimeout', world.time.clearTimeout)
  const chance = vi.spyOn(Math, 'random').mockImplementation(world.random)
  const unhandled: unknown[] = []
  const catchUnhandled = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', catchUnhandled)
  try {
    for (const action of actions) await perform(world, action)
    await finish(world)
    if (unhandled.length > 0) world.rules.breach(`unhandled rejection: ${unhandled[0]}`)
  } finally {
    process.off('unhandledRejection', catchUnhandled)
    chance.mockRestore()
    vi.unstubAllGlobals()
  }
}
