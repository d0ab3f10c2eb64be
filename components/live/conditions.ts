'use client'
/** What etcd itself was like in a range: who was etcd raft leader, what was wrong, and when nothing was seen. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/api/router.ts'
import { trpc } from './trpc.ts'

export type ConditionsShape = inferRouterOutputs<AppRouter>['clusters']['conditions']

/** `refetchMs`: while the range ends now. */
export function useConditions(input: { cluster: string; from: string; to: string }, refetchMs: number | false = false) {
  return useQuery({
    queryKey: ['conditions', input],
    queryFn: ({ signal }) => trpc.clusters.conditions.query(input, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 5_000,
    refetchInterval: refetchMs,
  })
}
