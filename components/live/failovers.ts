'use client'
/** Changes of leader over all elections of a cluster, asked for again while the range ends now. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/api/router.ts'
import { trpc } from './trpc.ts'

type Inputs = inferRouterInputs<AppRouter>['failovers']
type Outputs = inferRouterOutputs<AppRouter>['failovers']
export type FailoverSummaryShape = Outputs['summary']
export type FailoverRow = Outputs['list']['rows'][number]
export type FailoverFilters = Omit<Inputs['list'], 'cursor' | 'limit'>

const PAGE = 100

export function useFailovers(input: Inputs['summary'] | null, refetchMs: number | false) {
  return useQuery({
    queryKey: ['failovers', input],
    queryFn: ({ signal }) => trpc.failovers.summary.query(input as Inputs['summary'], { signal }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
    gcTime: 5_000,
    retry: false,
    refetchInterval: refetchMs,
  })
}

/** Newest first; `fetchNextPage` brings older ones. */
export function useFailoverPages(filters: FailoverFilters, refetchMs: number | false) {
  return useInfiniteQuery({
    queryKey: ['failover-rows', filters],
    queryFn: ({ pageParam, signal }) =>
      trpc.failovers.list.query({ ...filters, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    gcTime: 5_000,
    retry: false,
    // Each page that is open is asked for again.
    refetchInterval: ({ state }) => refetchMs && refetchMs * Math.max(1, state.data?.pages.length ?? 1),
  })
}
