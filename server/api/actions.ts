import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import type { Verb } from '../../lib/election/policy.ts'
import { SWITCH_MODES } from '../../lib/election/scopes.ts'
import { callerOf } from './caller.ts'
import { open, procedure, router } from './trpc.ts'

/** Random and made by the client: the same id is the same action, however often it is sent. */
const operation = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 of A–Z, a–z, 0–9, - and _, random, and new for each action')
const reason = z.string().max(2_000, 'must not be longer than 2,000 characters')
const scope = { cluster: z.string(), scopeBase64: z.base64() }
const match = z.enum(['exact', 'prefix'])
const until = z.iso.datetime({ offset: true })
const nonce = z.string()
const typedName = z.string()
const engage = z.object({
  ...scope,
  match,
  mode: z.enum(SWITCH_MODES),
  reason,
  until,
  typedName,
  matchesNothing: z.boolean().optional(),
  operation,
  withoutRecord: z.boolean().optional(),
})
const election = z.object({ cluster: z.string(), ref: z.string(), operation, reason })

/** Who may never do this is told so before the input is read, and the attempt is recorded. */
const acting = (verb: Verb) =>
  open.use(async ({ ctx, next, getRawInput }) => {
    const caller = callerOf(ctx)
    await ctx.runtime.actions.admit(caller, verb, getRawInput)
    return next({ ctx: { caller } })
  })

export const actions = router({
  operation: procedure.input(z.object({ operation })).query(({ ctx, input }) => {
    const found = ctx.runtime.actions.operation(input.operation)
    if (found === null) throw new TRPCError({ code: 'NOT_FOUND', message: `no operation ${input.operation} is known` })
    return found
  }),

  confirmElection: acting('confirmElection')
    .input(election)
    .mutation(({ ctx, input }) => ctx.runtime.actions.confirmElection(ctx.caller, input)),

  acknowledgeRollback: acting('acknowledgeRollback')
    .input(z.object({ cluster: z.string(), operation, reason, to: z.string() }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.acknowledgeRollback(ctx.caller, input)),

  switchForecast: procedure
    .input(z.object({ ...scope, match }))
    .query(({ ctx, input }) => ctx.runtime.actions.switchForecast(input)),

  switchProof: procedure.input(z.object(scope)).query(({ ctx, input }) => ctx.runtime.actions.switchProof(input)),

  engageSwitch: acting('engage')
    .input(engage)
    .mutation(({ ctx, input }) => ctx.runtime.actions.engageSwitch(ctx.caller, input)),

  extendSwitch: acting('extend')
    .input(z.object({ ...scope, nonce, until, reason, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.extendSwitch(ctx.caller, input)),

  releaseSwitch: acting('release')
    .input(z.object({ ...scope, nonce, reason, typedName, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.releaseSwitch(ctx.caller, input)),

  confirmRelease: acting('confirmRelease')
    .input(z.object({ ...scope, nonce, typedName, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.confirmRelease(ctx.caller, input)),

  armSwitch: acting('arm')
    .input(z.object({ ...scope, match, reason, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.armSwitch(ctx.caller, input)),
})
