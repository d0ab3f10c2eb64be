import { z } from 'zod'
import { incidentsOf } from '../../lib/election/incidents.ts'
import { procedure, router, serverTime, watcherOf } from './trpc.ts'

export const clusters = router({
  list: procedure.query(({ ctx }) => ({
    serverTime: serverTime(ctx),
    clusters: [...ctx.runtime.watchers.values()].map((watcher) => watcher.elections.view.info),
  })),

  /** Losses of the last hour that belong together. */
  incidents: procedure.input(z.object({ cluster: z.string() })).query(({ ctx, input }) => {
    const { view } = watcherOf(ctx, input.cluster).elections
    return { serverTime: serverTime(ctx), incidents: incidentsOf(view.elections.values()) }
  }),

  /** Asks every member of etcd now. */
  health: procedure.input(z.object({ cluster: z.string() })).query(async ({ ctx, input }) => {
    const watcher = watcherOf(ctx, input.cluster)
    await watcher.lookAtMembers()
    return { ...watcher.elections.view.info, serverTime: serverTime(ctx), members: watcher.members.shapes() }
  }),
})
