/** Clusters as they were: at a moment of the past, and from change to change. */
import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { windowsOf } from '../../lib/election/past.ts'
import { pastCluster, unkeptCluster } from '../../lib/election/past-cluster.ts'
import type { Cluster, ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { type Instant, instant, later, msOf } from '../../lib/shared/clock.ts'
import type { ClusterWatcher } from '../watch/cluster-watcher.ts'
import type { Context } from './context.ts'
import { keptElection } from './kept-election.ts'
import { procedure, serverTime, watcherOf } from './trpc.ts'

const moment = z.iso
  .datetime({ error: 'must be a UTC time such as 2026-03-12T03:12:07Z' })
  .transform((at) => instant(msOf(at)))

const spoken = (at: Instant) => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

interface ThenOf {
  info: Cluster
  elections: ElectionState[]
  keptSince: Instant | null
  isKept: boolean
}

async function clusterThen({ runtime }: Context, watcher: ClusterWatcher, at: Instant): Promise<ThenOf> {
  const now = watcher.elections.view.info
  const past = await runtime.history.past(now.name, at)
  const range = { from: windowsOf(at).hour, to: instant(msOf(at) + 1) }
  const { conditions } = await runtime.history.conditions({ cluster: now.name, ...range })
  const { keptSince, elections } = past
  const isKept = keptSince !== null && keptSince <= at
  return {
    info: isKept ? pastCluster(now, { ...past, conditions }, at) : unkeptCluster(now, keptSince),
    elections,
    keptSince,
    isKept,
  }
}

function refuseFuture(at: Instant, now: Instant): void {
  if (at <= now) return
  throw new TRPCError({ code: 'BAD_REQUEST', message: `${spoken(at)} is in the future: it is ${spoken(now)}` })
}

/** A cluster of which nothing is kept is said so in `info.reason`; where that is all of them, it is an error. */
export const asOf = procedure
  .input(z.object({ at: moment, cluster: z.string().optional() }))
  .query(async ({ ctx, input: { at, cluster } }) => {
    const now = serverTime(ctx)
    refuseFuture(at, now)
    const watchers = cluster ? [watcherOf(ctx, cluster)] : [...ctx.runtime.watchers.values()]
    const then = await Promise.all(watchers.map((watcher) => clusterThen(ctx, watcher, at)))
    if (!then.some(({ isKept }) => isKept)) {
      const since = then.flatMap(({ keptSince }) => keptSince ?? []).sort()[0]
      const message = since === undefined ? 'nothing is kept yet' : `nothing is kept before ${spoken(since)}`
      throw new TRPCError({ code: 'BAD_REQUEST', message })
    }
    return {
      serverTime: now,
      at,
      clusters: then.map(({ info, elections, keptSince }) => ({ info, elections, keptSince })),
    }
  })

/** The nearest moment at which something changed; null where there is none on that side. */
export const step = procedure
  .input(
    z.object({
      at: moment,
      direction: z.enum(['previous', 'next']),
      cluster: z.string().optional(),
      ref: z.string().optional(),
    }),
  )
  .query(async ({ ctx, input: { at, direction, cluster, ref } }) => {
    if (ref !== undefined && cluster === undefined) {
      throw new TRPCError({ code: 'BAD_REQUEST', message: 'cluster: must name the cluster of ref' })
    }
    if (cluster !== undefined) watcherOf(ctx, cluster)
    if (cluster !== undefined && ref !== undefined) await keptElection(ctx, cluster, ref)
    const names = cluster === undefined ? [...ctx.runtime.watchers.keys()] : [cluster]
    const query = { at, direction, ...(ref === undefined ? {} : { ref: ref as ElectionRef }) }
    const found = await Promise.all(
      names.map(async (name) => ({
        cluster: name,
        moment: await ctx.runtime.history.beside({ cluster: name, ...query }),
      })),
    )
    return { serverTime: serverTime(ctx), moment: nearestOf(found, direction) }
  })

type Found = { cluster: string; moment: Awaited<ReturnType<Context['runtime']['history']['beside']>> }

function nearestOf(found: readonly Found[], direction: 'previous' | 'next') {
  const moments = found.flatMap(({ cluster, moment }) =>
    moment === null ? [] : [{ at: moment.at, changes: moment.changes.map((change) => ({ cluster, ...change })) }],
  )
  const [first, ...others] = moments
  if (first === undefined) return null
  return others.reduce((best, each) => {
    if (each.at === best.at) return { at: best.at, changes: [...best.changes, ...each.changes] }
    const isLater = later(best.at, each.at) === each.at
    return isLater === (direction === 'previous') ? each : best
  }, first)
}
