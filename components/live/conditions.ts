'use client'
/** What etcd itself was like in a range: who was etcd raft leader, what was wrong, and when nothing was seen. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import { useMemo } from 'react'
import { type Surroundings, surroundingsOf } from '../../lib/election/surroundings.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
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

/** An etcd raft leader is known by the one before, which an outage may part by minutes. */
const BEFORE_MS = 600_000
const AFTER_MS = 60_000

/** What etcd itself was like around a moment; undefined until an answer came, null where it is not kept any more. */
export function useSurroundings(cluster: string, at: Instant | null): Surroundings | null | undefined {
  const ms = at === null ? 0 : msOf(at)
  const { data, isError } = useQuery({
    queryKey: ['surroundings', cluster, at],
    queryFn: ({ signal }) => {
      const range = { from: instant(ms - BEFORE_MS), to: instant(ms + AFTER_MS) }
      return trpc.clusters.conditions.query({ cluster, ...range }, { signal })
    },
    enabled: at !== null,
    retry: false,
  })
  const found = useMemo(() => (at === null || !data ? undefined : surroundingsOf(at, data.conditions)), [at, data])
  return isError ? null : found
}
