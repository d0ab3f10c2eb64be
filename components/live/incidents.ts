'use client'
import { useQuery } from '@tanstack/react-query'
import { trpc } from './trpc.ts'

export interface AskedReport {
  cluster: string
  from: string
  to: string
  /** Empty: every election that changed. */
  refs: readonly string[]
}

/** A document: read once, and not again while somebody reads or prints it. null: nothing is asked yet. */
export function useIncident(asked: AskedReport | null) {
  return useQuery({
    queryKey: ['incident', asked],
    queryFn: ({ signal }) => {
      const { refs, ...range } = asked ?? { cluster: '', from: '', to: '', refs: [] }
      return trpc.incidents.report.query({ ...range, ...(refs.length > 0 ? { refs: [...refs] } : {}) }, { signal })
    },
    enabled: asked !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
