'use client'
/** History on demand. Live state never comes from here: a late answer must not repaint a newer event. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { trpc } from './trpc.ts'
import { usePastAt } from './use-live.ts'

const PAGE = 50
/**
 * Nobody asks for an older version again. Kept as long as the library would (five minutes), each change of
 * a busy election would leave a page of history in the tab.
 */
const versioned = { placeholderData: keepPreviousData, gcTime: 5_000 } as const

/** Terms and gaps, newest first; refetched when `version` (the newest term's ordinal, say) changes. */
export function useTerms(
  input: { cluster: string; ref: string; from?: string; to?: string },
  version: string,
  isWanted = true,
) {
  return useQuery({
    enabled: isWanted,
    queryKey: ['terms', input, version],
    queryFn: ({ signal }) => trpc.elections.terms.query({ ...input, limit: 500 }, { signal }),
    ...versioned,
  })
}

export function useEvents(input: { cluster: string; ref: string; to?: string }, version: string) {
  return useQuery({
    queryKey: ['events', input, version],
    queryFn: ({ signal }) => trpc.elections.events.query({ ...input, limit: PAGE }, { signal }),
    ...versioned,
  })
}

/** At most `points` buckets per series, made by the server. */
export function useRenewals(
  input: { cluster: string; ref: string; from: string; to: string; points: number },
  refetchMs: number | false,
) {
  return useQuery({
    queryKey: ['renewals', input],
    queryFn: ({ signal }) => trpc.elections.renewals.query(input, { signal }),
    ...versioned,
    refetchInterval: refetchMs,
  })
}

/** One election with its whole queue, the keys on its leader's lease and the claims. */
export function useElectionDetail(input: { cluster: string; ref: string }, version: string) {
  return useQuery({
    queryKey: ['election', input, version],
    queryFn: ({ signal }) => trpc.elections.get.query(input, { signal }),
    ...versioned,
  })
}

/** Members with versions, sizes and alarms, read from etcd while somebody looks. */
export function useClusterHealth(cluster: string) {
  const isPast = usePastAt() !== null
  return useQuery({
    enabled: !isPast,
    queryKey: ['health', cluster],
    queryFn: ({ signal }) => trpc.clusters.health.query({ cluster }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 2_000,
  })
}
