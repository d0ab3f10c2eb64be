import { tracked } from '@trpc/server'
import { z } from 'zod'
import type { ElectionRef } from '../../lib/election/types.ts'
import type { Context } from './context.ts'
import { procedure, router, watcherOf } from './trpc.ts'

function onEnd({ runtime, actor }: Context, listener: () => void): () => void {
  return actor === null || actor === 'bad-token' ? () => {} : runtime.auth.onEnd(actor, listener)
}

export const live = router({
  /** A snapshot, then changes; `lastEventId` resumes where the server still knows it. */
  events: procedure.input(z.object({ lastEventId: z.string().nullish() }).default({})).subscription(async function* ({
    ctx,
    input,
    signal,
  }) {
    const over = new AbortController()
    const ended = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])
    // Who is signed out, disabled or revoked sees nothing more, however long ago the stream was opened.
    const off = onEnd(ctx, () => over.abort())
    try {
      for await (const frame of ctx.runtime.hub.frames(input.lastEventId ?? undefined, ended)) {
        yield tracked(frame.id, frame)
      }
    } finally {
      off()
    }
  }),

  /** These elections are on a screen for the next ten seconds: their leases are looked up first. */
  viewing: procedure
    .input(z.object({ cluster: z.string(), refs: z.array(z.string()).max(100) }))
    .mutation(({ ctx, input }) => {
      const { leases, elections } = watcherOf(ctx, input.cluster)
      // What is no election must not be remembered: anybody may send anything.
      leases.viewed((input.refs as ElectionRef[]).filter((ref) => elections.view.elections.has(ref)))
    }),
})
