import type { Verb } from '../../lib/election/policy.ts'
import { callerOf } from './caller.ts'
import { open, refusedBy } from './trpc.ts'

/** Who may never do this is told so before the input is read. What is refused is recorded, here or by its verb. */
export const acting = (verb: Verb) =>
  open.use(async ({ ctx, next, getRawInput }) => {
    const caller = callerOf(ctx)
    const { actions } = ctx.runtime
    await actions.admit(caller, verb, getRawInput)
    const result = await next({ ctx: { caller } })
    const refusal = result.ok ? null : refusedBy(result.error)
    if (refusal !== null) await actions.storeRefused(caller, verb, getRawInput, refusal)
    return result
  })
