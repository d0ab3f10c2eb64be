import { z } from 'zod'
import { procedure, router, serverTime, watcherOf } from './trpc.ts'

export const clusters = router({
  list: procedure.query(({ ctx }) => ({
    serverTime: serverTime(ctx),
    clusters: [...ctx.runtime.watchers.values()].map((watcher) => watcher.elections.view.info),
  })),

  /** Asks every member of etcd now. */
  health: procedure.input(z.object({ cluster: z.string() })).query(async ({ ctx, input }) => {
    const watcher = watcherOf(ctx, input.cluster)
    await watcher.lookAtMembers()
    return { ...watcher.elections.view.info, serverTime: serverTime(ctx), members: watcher.members.shapes() }
  }),
})
