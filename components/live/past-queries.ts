'use client'
/** The elections as they were, and the changes between. What is past does not change: it is asked for once. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { Direction } from '../../lib/election/moments.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { AppRouter } from '../../server/api/router.ts'
import { trpc } from './trpc.ts'

/** A snapshot may be large: the last few are enough to step back to. */
const KEEP_MS = 20_000

const snapshot = (at: Instant) =>
  ({
    queryKey: ['as-of', at],
    queryFn: ({ signal }: { signal: AbortSignal }) => trpc.clusters.asOf.query({ at }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
    retry: false,
  }) as const

export function useSnapshot(at: Instant | null) {
  return useQuery({ ...snapshot(at ?? ''), enabled: at !== null })
}

/** Rejects with the reason why there is no such snapshot. */
export async function fetchSnapshot(queries: QueryClient, at: Instant): Promise<void> {
  await queries.fetchQuery(snapshot(at))
}

export type StepScope = { cluster?: string; ref?: string }
export type MomentChanges = NonNullable<inferRouterOutputs<AppRouter>['clusters']['step']['moment']>

export async function nearestChange(
  scope: StepScope,
  at: Instant,
  direction: Direction,
): Promise<MomentChanges | null> {
  return (await trpc.clusters.step.query({ ...scope, at, direction })).moment
}
