'use client'
/** The audit log, asked for again every few seconds while somebody looks. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/api/router.ts'
import { trpc } from './trpc.ts'

export type AuditEntryShape = inferRouterOutputs<AppRouter>['audit']['list']['entries'][number]
type Filters = Omit<inferRouterInputs<AppRouter>['audit']['list'], 'cursor' | 'limit'>

const PAGE = 100
const REFETCH_MS = 3_000
/** Each page that is open is asked for again. */
const refetchMs = (pages: number) => REFETCH_MS * Math.max(1, pages)

/** Newest first; `fetchNextPage` brings older ones. */
export function useAuditPages(filters: Filters) {
  return useInfiniteQuery({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) =>
      trpc.audit.list.query({ ...filters, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    gcTime: 5_000,
    retry: false,
    refetchInterval: ({ state }) => refetchMs(state.data?.pages.length ?? 1),
  })
}

export function useAuditSummary() {
  return useQuery({
    queryKey: ['audit-summary'],
    queryFn: ({ signal }) => trpc.audit.summary.query(undefined, { signal }),
    retry: false,
    refetchInterval: REFETCH_MS,
  })
}

/** All entries of one operation, whatever the page filters by. */
export function useAuditOperation(operation: string) {
  return useQuery({
    queryKey: ['audit-operation', operation],
    queryFn: ({ signal }) => trpc.audit.list.query({ operation, limit: 100 }, { signal }),
    enabled: operation !== '',
    gcTime: 5_000,
    retry: false,
    refetchInterval: REFETCH_MS,
  })
}
