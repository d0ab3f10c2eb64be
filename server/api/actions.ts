import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { HANDOFF_ACTIONS, HANDOFF_DEADLINE_MS, HANDOFF_METHODS } from '../../lib/election/actions.ts'
import { decimalRevision } from '../../lib/election/epoch.ts'
import { leaseHex } from '../../lib/election/handoff.ts'
import { SWITCH_MODES } from '../../lib/election/scopes.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { acting } from './acting.ts'
import { callerOf } from './caller.ts'
import { procedure, router, serverTime } from './trpc.ts'

/** Random and made by the client: the same id is the same action, however often it is sent. */
const operation = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 of A–Z, a–z, 0–9, - and _, random, and new for each action')
const reason = z.string().max(2_000, 'must not be longer than 2,000 characters')
const cluster = z.string().max(100)
const ref = z.string().max(3_000)
const scope = { cluster, scopeBase64: z.base64().max(3_000) }
const match = z.enum(['exact', 'prefix'])
const until = z.iso.datetime({ offset: true })
const nonce = z.string().max(200)
const modRevision = decimalRevision.optional()
const typedName = z.string().max(3_000)
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
const election = z.object({ cluster, ref, operation, reason })

const handoff = election.extend({
  token: z.string().max(100),
  method: z.enum(HANDOFF_METHODS),
  target: z.object({ createRevision: decimalRevision, lease: leaseHex }).optional(),
  acknowledgedOperation: operation.optional(),
  overridesNoStandby: z.boolean().optional(),
  deadlineMs: z.int().min(2_000).max(300_000).default(HANDOFF_DEADLINE_MS),
})

const MOST_HANDOFFS = 20

export const actions = router({
  operation: procedure.input(z.object({ operation })).query(({ ctx, input }) => {
    const found = ctx.runtime.actions.operation(input.operation)
    if (found === null) throw new TRPCError({ code: 'NOT_FOUND', message: `no operation ${input.operation} is known` })
    return found
  }),

  preflight: acting('handoff')
    .input(z.object({ cluster, ref, action: z.enum(HANDOFF_ACTIONS) }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.preflight(ctx.caller, input)),

  handoff: acting('handoff')
    .input(handoff)
    .mutation(({ ctx, input }) => ctx.runtime.actions.handoff(ctx.caller, input)),

  handoffs: procedure.input(z.object({ cluster, ref })).query(({ ctx, input }) => ({
    serverTime: serverTime(ctx),
    operations: ctx.runtime.actions.handoffs(input.cluster, input.ref as ElectionRef).slice(0, MOST_HANDOFFS),
  })),

  confirmElection: acting('confirmElection')
    .input(election)
    .mutation(({ ctx, input }) => ctx.runtime.actions.confirmElection(ctx.caller, input)),

  acknowledgeRollback: acting('acknowledgeRollback')
    .input(z.object({ cluster, operation, reason, to: z.string().max(100) }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.acknowledgeRollback(ctx.caller, input)),

  switchForecast: procedure
    .input(z.object({ ...scope, match }))
    .query(({ ctx, input }) => ctx.runtime.actions.switchForecast(input)),

  switchProof: procedure
    .input(z.object(scope))
    .query(({ ctx, input }) => ctx.runtime.actions.switchProof(callerOf(ctx), input)),

  engageSwitch: acting('engage')
    .input(engage)
    .mutation(({ ctx, input }) => ctx.runtime.actions.engageSwitch(ctx.caller, input)),

  extendSwitch: acting('extend')
    .input(z.object({ ...scope, nonce, until, reason, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.extendSwitch(ctx.caller, input)),

  releaseSwitch: acting('release')
    .input(z.object({ ...scope, nonce, modRevision, reason, typedName, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.releaseSwitch(ctx.caller, input)),

  confirmRelease: acting('confirmRelease')
    .input(z.object({ ...scope, nonce, modRevision, typedName, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.confirmRelease(ctx.caller, input)),

  armSwitch: acting('arm')
    .input(z.object({ ...scope, match, reason, operation }))
    .mutation(({ ctx, input }) => ctx.runtime.actions.armSwitch(ctx.caller, input)),
})
