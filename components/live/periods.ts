'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { trpc } from './trpc.ts'

/** A range in figures and as much time before it; asked again when `version` changes. */
export function usePeriods(input: { cluster: string; ref: string; from: string; to: string }, version: string) {
  return useQuery({
    queryKey: ['periods', input, version],
    queryFn: ({ signal }) => trpc.elections.periods.query(input, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 5_000,
  })
}
