import { z } from 'zod'
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import { kindOf } from '../../lib/election/status.ts'
import { RAFT_REACH_MS } from '../../lib/election/surroundings.ts'
import { CAUSES, type ElectionRef } from '../../lib/election/types.ts'
import { instant, later, msOf } from '../../lib/shared/clock.ts'
import { failoverRow, namingOf, summaryShape } from './failover-shapes.ts'
import { inOrder, isShort, normal, ORDER, SHORT, time } from './ranges.ts'
import { procedure, router, serverTime, watcherOf } from './trpc.ts'

const NEWEST = 12

const count = (most: number, byDefault: number) => {
  const error = `must be a whole number from 1 to ${most.toLocaleString('en-US')}`
  return z.int({ error }).min(1, { error }).max(most, { error }).default(byDefault)
}

const range = z.object({
  cluster: z.string(),
  from: time,
  to: time,
  text: z.string().min(1, 'must not be empty').max(200, 'must not be longer than 200 characters').optional(),
  causes: z
    .array(z.enum(CAUSES, { error: `must be of ${CAUSES.join(', ')}` }))
    .min(1, 'must name a cause')
    .optional(),
})
type Range = z.infer<typeof range>

/** A lost etcd raft leader is told by the span before it, which may have begun long ago. */
const CONDITIONS_BEFORE_MS = 60_000 + RAFT_REACH_MS

/** Only what the query names, with times that compare as text. */
function queryOf({ cluster, from, to, text, causes }: Range) {
  return {
    cluster,
    ...normal({ from, to }),
    ...(text === undefined ? {} : { text }),
    ...(causes === undefined ? {} : { causes }),
  }
}

function unjudgedOf({ elections }: ClusterView): ElectionRef[] {
  return [...elections.values()].filter((state) => kindOf(state) !== 'election').map(({ ref }) => ref)
}

const earlier = (a: string, b: string) => (a < b ? a : b)

export const failovers = router({
  /** A range in what fits on one page. */
  summary: procedure
    .input(
      range
        .extend({ elections: count(1_000, 50) })
        .refine(inOrder, ORDER)
        .refine(isShort, SHORT),
    )
    .query(async ({ ctx, input }) => {
      const { view } = watcherOf(ctx, input.cluster).elections
      const { history, config } = ctx.runtime
      const { objectives } = config
      const query = queryOf(input)
      // Nobody knows yet who will lead.
      const until = later(query.from, earlier(query.to, serverTime(ctx)))
      const before = instant(msOf(query.from) - CONDITIONS_BEFORE_MS)
      const [summary, { conditions }, observedSince] = await Promise.all([
        history.failovers({
          ...query,
          to: until,
          objective: objectives.failover,
          elections: input.elections,
          unjudged: unjudgedOf(view),
        }),
        history.conditions({ cluster: input.cluster, from: before, to: query.to }),
        history.observedSince(input.cluster),
      ])
      const naming = namingOf(view)
      const shape = summaryShape(summary, { naming, objectives, conditions })
      const { rows } = await history.transitionRows({ ...query, without: shape.masses.events, limit: NEWEST })
      const newest = rows.map((row) => failoverRow(row, naming))
      return { serverTime: serverTime(ctx), from: query.from, to: until, observedSince, ...shape, newest }
    }),

  /** Every change of leader of a range, newest first. */
  list: procedure
    .input(
      range
        .extend({ cursor: z.string().optional(), limit: count(1_000, 100) })
        .refine(inOrder, ORDER)
        .refine(isShort, SHORT),
    )
    .query(async ({ ctx, input }) => {
      const { view } = watcherOf(ctx, input.cluster).elections
      const { cursor, limit } = input
      const query = { ...queryOf(input), limit, ...(cursor === undefined ? {} : { cursor }) }
      const { rows, nextCursor } = await ctx.runtime.history.transitionRows(query)
      const naming = namingOf(view)
      return {
        serverTime: serverTime(ctx),
        rows: rows.map((row) => failoverRow(row, naming)),
        ...(nextCursor ? { nextCursor } : {}),
      }
    }),
})
