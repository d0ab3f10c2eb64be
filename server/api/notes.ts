/** What people say about terms. Nothing of it reaches etcd. */
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { LONGEST_NOTE } from '../../lib/election/annotations.ts'
import { decimalRevision } from '../../lib/election/epoch.ts'
import type { Annotate, Annotating } from '../history/history.ts'
import { acting } from './acting.ts'
import type { Context } from './context.ts'
import { keptElection } from './kept-election.ts'
import { procedure, router, serverTime } from './trpc.ts'

const term = z.object({
  cluster: z.string().max(100),
  ref: z.string().max(3_000),
  epoch: z.int().min(0),
  token: decimalRevision,
})
const text = z
  .string()
  .trim()
  .max(LONGEST_NOTE, `must not be longer than ${LONGEST_NOTE.toLocaleString('en-US')} characters`)
const note = term.extend({ text, after: z.string().max(20).nullable() })

/** What came of it, or an error that a caller can act on. */
function told(outcome: Annotating, { token, ref }: z.infer<typeof term>): { written: boolean } {
  switch (outcome.outcome) {
    case 'written':
      return { written: true }
    case 'as-it-was':
      return { written: false }
    case 'changed-meanwhile': {
      const now = outcome.text === '' ? 'there is none now' : `by ${outcome.by} it reads "${outcome.text}"`
      const message = `the note was changed meanwhile: ${now}. Nothing was written: read it, and write yours after it`
      throw new TRPCError({ code: 'CONFLICT', message })
    }
    case 'no-such-term':
      throw new TRPCError({ code: 'NOT_FOUND', message: `no term with token ${token} is known of election ${ref}` })
  }
}

type Said = { kind: 'acknowledged' } | { kind: 'note'; text: string; after: string | null }

async function say(ctx: Context & { caller: { actor: { name: string } } }, input: z.infer<typeof term>, said: Said) {
  const { cluster, ref, epoch, token } = input
  const kept = await keptElection(ctx, cluster, ref)
  const about = { cluster, ref: kept.ref, epoch, token, at: serverTime(ctx), by: ctx.caller.actor.name }
  const annotation = { ...about, ...said } as Annotate
  return told(await ctx.runtime.history.annotate(annotation), input)
}

export const notes = router({
  /** Every version of the note of one term, and who acknowledged it; oldest first. */
  of: procedure.input(term).query(async ({ ctx, input }) => {
    const { epoch, token } = input
    const { ref } = await keptElection(ctx, input.cluster, input.ref)
    const query = { cluster: input.cluster, ref, term: { epoch, token } }
    return { annotations: await ctx.runtime.history.annotations(query) }
  }),

  write: acting('notes')
    .input(note)
    .mutation(({ ctx, input }) => say(ctx, input, { kind: 'note', text: input.text, after: input.after })),

  acknowledge: acting('notes')
    .input(term)
    .mutation(({ ctx, input }) => say(ctx, input, { kind: 'acknowledged' })),
})
