/** What is wrong, who was told, and what people say to it. Nothing of it reaches etcd. */
import { z } from 'zod'
import { ALERT_RULES } from '../../lib/election/alerts.ts'
import type { ElectionRef } from '../../lib/election/types.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { acting } from './acting.ts'
import { inOrder, ORDER, time } from './ranges.ts'
import { procedure, router, serverTime, watcherOf } from './trpc.ts'

const cluster = z.string().max(100)
const rule = z.enum(ALERT_RULES, { error: `a rule is one of ${ALERT_RULES.join(', ')}` })
const id = z.string().max(100)
const limit = z.int().min(1).max(200).default(50)
const comment = z.string().trim().max(500, 'must not be longer than 500 characters')
const page = { cursor: z.string().max(200).optional(), limit }
const historyInput = z
  .object({
    cluster: cluster.optional(),
    ref: z.string().max(3_000).optional(),
    rule: rule.optional(),
    from: time.optional(),
    to: time.optional(),
    ...page,
  })
  .refine(inOrder, ORDER)
  .optional()
const deliveriesInput = z
  .object({ channel: z.string().max(100).optional(), alertId: id.optional(), ...page })
  .optional()
const silenceInput = z.object({
  cluster: cluster.optional(),
  rule: rule.optional(),
  pattern: z
    .string()
    .trim()
    .min(1, 'must not be empty: leave it out, or write for example /elections/billing/*/')
    .max(3_000)
    .optional(),
  until: time,
  comment: comment.min(1, 'must not be empty: say why nobody is to be told'),
})

/** As times that compare as text. */
const normal = (at: string | undefined) => (at === undefined ? undefined : instant(msOf(at)))
/** Without what was left out. */
const given = <T extends object>(input: T) =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }

export const alerts = router({
  /** What fires or is about to, worst first, with silences and channels. */
  list: procedure.input(z.object({ cluster: cluster.optional() }).optional()).query(({ ctx, input }) => {
    if (input?.cluster !== undefined) watcherOf(ctx, input.cluster)
    return { serverTime: serverTime(ctx), ...ctx.runtime.alerts.list(input?.cluster) }
  }),

  /** Those that fired, newest first. */
  history: procedure.input(historyInput).query(({ ctx, input }) => {
    const { from, to, ref, ...rest } = input ?? { limit: 50 }
    if (rest.cluster !== undefined) watcherOf(ctx, rest.cluster)
    return ctx.runtime.alerts.history(given({ ...rest, ref: ref as ElectionRef, from: normal(from), to: normal(to) }))
  }),

  /** What was sent to whom, newest first. */
  deliveries: procedure
    .input(deliveriesInput)
    .query(({ ctx, input }) => ctx.runtime.alerts.deliveries(given(input ?? { limit: 50 }))),

  acknowledge: acting('alerts')
    .input(z.object({ id, comment: comment.default('') }))
    .mutation(({ ctx, input }) => ({
      alert: ctx.runtime.alerts.acknowledge(input.id, { by: ctx.caller.actor.name, comment: input.comment }),
    })),

  silence: acting('alerts')
    .input(silenceInput)
    .mutation(({ ctx, input }) => {
      if (input.cluster !== undefined) watcherOf(ctx, input.cluster)
      const until = instant(msOf(input.until))
      return { silence: ctx.runtime.alerts.silence({ ...input, until }, ctx.caller.actor.name) }
    }),

  endSilence: acting('alerts')
    .input(z.object({ id }))
    .mutation(({ ctx, input }) => ({ silence: ctx.runtime.alerts.endSilence(input.id, ctx.caller.actor.name) })),

  /** Sends one message at once, past the queue. */
  test: acting('testChannel')
    .input(z.object({ channel: z.string().max(100) }))
    .mutation(({ ctx, input }) => ctx.runtime.alerts.test(input.channel)),
})
