import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { callerOf } from './caller.ts'
import { open, procedure, router } from './trpc.ts'

/** Random and made by the client: the same id is the same action, however often it is sent. */
const operation = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 of A–Z, a–z, 0–9, - and _, random, and new for each action')
const reason = z.string().max(2_000, 'must not be longer than 2,000 characters')
const election = z.object({ cluster: z.string(), ref: z.string(), operation, reason })

/** Who may not act is told so by the verb itself, so that the attempt is recorded. */
export const actions = router({
  operation: procedure.input(z.object({ operation })).query(({ ctx, input }) => {
    const found = ctx.runtime.actions.operation(input.operation)
    if (found === null) throw new TRPCError({ code: 'NOT_FOUND', message: `no operation ${input.operation} is known` })
    return found
  }),

  confirmElection: open
    .input(election)
    .mutation(({ ctx, input }) => ctx.runtime.actions.confirmElection(callerOf(ctx), input)),

  acknowledgeRollback: open
    .input(z.object({ cluster: z.string(), operation, reason, to: z.string() }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.acknowledgeRollback(callerOf(ctx), input)),
})
