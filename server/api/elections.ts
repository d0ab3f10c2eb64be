import { z } from 'zod'
import { annotatedKey, annotatedTerms } from '../../lib/election/annotations.ts'
import { candidateShape, electionShape, termShapes } from '../../lib/election/describe.ts'
import { claimShapes, dualClaimShape } from '../../lib/election/describe-claims.ts'
import { shown } from '../../lib/election/ids.ts'
import { ledObjective } from '../../lib/election/objectives.ts'
import { competitors, leaderOf } from '../../lib/election/queue.ts'
import { stops } from '../../lib/election/stops.ts'
import { base64FromLatin1, escapeLatin1, fromLatin1, latin1, latin1FromBase64 } from '../../lib/shared/bytes.ts'
import { keptElection } from './kept-election.ts'
import { comparedPeriods } from './periods.ts'
import { inOrder, isShort, normal, ORDER, requireKept, SHORT, time } from './ranges.ts'
import { electionOf, procedure, router, serverTime, watcherOf } from './trpc.ts'

const count = (most: number) => {
  const error = `must be a whole number from 1 to ${most}`
  return z.int({ error }).min(1, { error }).max(most, { error })
}

const earlier = (one: string, other: string) => [one, other].sort()[0] as string

const election = z.object({ cluster: z.string(), ref: z.string() })
const page = election
  .extend({
    from: time.optional(),
    to: time.optional(),
    cursor: z.string().optional(),
    limit: count(1_000).default(100),
  })
  .refine(inOrder, ORDER)
const range = election.extend({ from: time, to: time, points: count(600).default(600) }).refine(inOrder, ORDER)

/** Only what the query names: an absent field is absent, not undefined. */
function queryOf(input: z.infer<typeof page>) {
  const { ref: _, from, to, cursor, ...rest } = input
  return { ...rest, ...(from ? { from } : {}), ...(to ? { to } : {}), ...(cursor ? { cursor } : {}) }
}

export const elections = router({
  list: procedure.input(z.object({ cluster: z.string().optional() }).default({})).query(({ ctx, input }) => {
    const watchers = input.cluster ? [watcherOf(ctx, input.cluster)] : [...ctx.runtime.watchers.values()]
    const now = serverTime(ctx)
    const views = watchers.map((watcher) => watcher.elections.view)
    return {
      serverTime: now,
      clusters: views.map((view) => view.info),
      elections: views.flatMap((view) =>
        [...view.elections.values()].map((state) => electionShape(state, view.nameOf(state), view.info, now)),
      ),
    }
  }),

  get: procedure.input(election).query(async ({ ctx, input }) => {
    const { watcher, state } = electionOf(ctx, input.cluster, input.ref)
    const { view } = watcher.elections
    watcher.leases.viewed([state.ref])
    const lease = leaderOf(state.candidates)?.lease
    const keys = lease ? await watcher.leases.keysOn(lease).catch(() => null) : []
    const now = serverTime(ctx)
    const claims = claimShapes(state, view.info, now)
    return {
      ...electionShape(state, view.nameOf(state), view.info, now),
      candidates: competitors(state.candidates).map((candidate) => candidateShape(candidate, claims)),
      claims,
      dualClaim: dualClaimShape(state, view.info, now),
      leaseKeys: keys === null ? null : keys.map((key) => ({ key: shown(key).text, keyBase64: shown(key).base64 })),
    }
  }),

  /** A key's whole value: lists and streams carry 200 characters of it. */
  value: procedure.input(election.extend({ keyBase64: z.base64() })).query(async ({ ctx, input }) => {
    const { watcher, state } = electionOf(ctx, input.cluster, input.ref)
    const known = state.candidates.some(({ keyBase64 }) => keyBase64 === input.keyBase64)
    const value = known ? await watcher.valueOf(fromLatin1(latin1FromBase64(input.keyBase64))) : null
    if (value === null) return { found: false as const }
    const text = latin1(value)
    return { found: true as const, bytes: value.length, text: escapeLatin1(text), base64: base64FromLatin1(text) }
  }),

  terms: procedure.input(page).query(async ({ ctx, input }) => {
    const state = await keptElection(ctx, input.cluster, input.ref)
    const { terms, previous, gaps, nextCursor } = await ctx.runtime.history.terms({ ...queryOf(input), ref: state.ref })
    const { from, to } = input
    const during = { cluster: input.cluster, ...(from ? { from } : {}), ...(to ? { to } : {}) }
    const stopped = (await ctx.runtime.history.stops(during)).filter((stop) => stops(stop, state.prefixBase64))
    const said = annotatedTerms(await ctx.runtime.history.annotations({ cluster: input.cluster, ref: state.ref }))
    const shaped = termShapes(previous === null ? terms : [...terms, previous])
      .slice(0, terms.length)
      .map((term) => ({ ...term, ...said.get(annotatedKey(term)) }))
    return { terms: shaped, gaps, stops: stopped, ...(nextCursor ? { nextCursor } : {}) }
  }),

  /** The range in figures, and as much time before it. */
  periods: procedure
    .input(election.extend({ from: time, to: time }).refine(inOrder, ORDER).refine(isShort, SHORT))
    .query(async ({ ctx, input }) => {
      const { ref, prefixBase64 } = await keptElection(ctx, input.cluster, input.ref)
      const { history, config } = ctx.runtime
      const prefix = escapeLatin1(latin1FromBase64(prefixBase64))
      const now = serverTime(ctx)
      const { from, to } = normal(input)
      // What is still to come is neither led nor not.
      const range = { from: earlier(from, now), to: earlier(to, now) }
      const compared = await comparedPeriods(history, { cluster: input.cluster, ref, prefixBase64 }, range)
      return { serverTime: now, ledObjective: ledObjective(prefix, config.objectives), ...compared }
    }),

  events: procedure.input(page).query(async ({ ctx, input }) => {
    const { ref } = await keptElection(ctx, input.cluster, input.ref)
    return ctx.runtime.history.events({ ...queryOf(input), ref })
  }),

  renewals: procedure.input(range).query(async ({ ctx, input }) => {
    const { ref } = await keptElection(ctx, input.cluster, input.ref)
    requireKept(input, serverTime(ctx), 'renewals')
    return ctx.runtime.history.renewals({ ...input, ref })
  }),
})
