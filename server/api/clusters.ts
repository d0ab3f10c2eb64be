import { z } from 'zod'
import { incidentsOf } from '../../lib/election/incidents.ts'
import { unwatched } from '../../lib/election/unwatched.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import { asOf, step } from './past.ts'
import { inOrder, normal, ORDER, requireKept, time } from './ranges.ts'
import { procedure, router, serverTime, watcherOf } from './trpc.ts'

const STOPS_SHOWN_MS = 30 * 24 * 3_600_000

export const clusters = router({
  list: procedure.query(({ ctx }) => ({
    serverTime: serverTime(ctx),
    clusters: [...ctx.runtime.watchers.values()].map((watcher) => watcher.elections.view.info),
  })),

  asOf,
  step,

  /** Losses of the last hour that belong together. */
  incidents: procedure.input(z.object({ cluster: z.string() })).query(({ ctx, input }) => {
    const { view } = watcherOf(ctx, input.cluster).elections
    return { serverTime: serverTime(ctx), incidents: incidentsOf(view.elections.values()) }
  }),

  /** Times in which kill switches held, newest first: those that hold, and those that ended since `from`. */
  stops: procedure
    .input(z.object({ cluster: z.string(), from: z.iso.datetime().optional() }))
    .query(async ({ ctx, input }) => {
      const { name } = watcherOf(ctx, input.cluster).elections.view.info
      const now = serverTime(ctx)
      const from = input.from ?? instant(msOf(now) - STOPS_SHOWN_MS)
      return { serverTime: now, stops: await ctx.runtime.history.stops({ cluster: name, from }) }
    }),

  /** What etcd itself was like in a range, beside the times in which nothing was seen or a kill switch held. */
  conditions: procedure
    .input(z.object({ cluster: z.string(), from: time, to: time }).refine(inOrder, ORDER))
    .query(async ({ ctx, input }) => {
      const { name } = watcherOf(ctx, input.cluster).elections.view.info
      const now = serverTime(ctx)
      requireKept(input, now, 'conditions')
      const query = { cluster: name, from: input.from, to: input.to }
      const { history } = ctx.runtime
      const [{ conditions, gaps }, stops, since] = await Promise.all([
        history.conditions(query),
        history.stops(query),
        history.observedSince(name),
      ])
      return {
        serverTime: now,
        conditions,
        gaps: [...unwatched(since, normal(input)), ...gaps],
        stops: stops.toReversed(),
      }
    }),

  /** Asks every member of etcd now. */
  health: procedure.input(z.object({ cluster: z.string() })).query(async ({ ctx, input }) => {
    const watcher = watcherOf(ctx, input.cluster)
    await watcher.lookAtMembers()
    return { ...watcher.elections.view.info, serverTime: serverTime(ctx), members: watcher.members.shapes() }
  }),
})
