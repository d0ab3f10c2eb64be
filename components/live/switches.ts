'use client'
/** Kill switches: what a stop would meet, whether one has come to everybody, and what was stopped before. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SwitchMatch } from '../../lib/election/scopes.ts'
import { useAct } from './actions.ts'
import { trpc } from './trpc.ts'

const FORECAST_EVERY_MS = 2_000
const PROOF_EVERY_MS = 1_000

/** Read in etcd now, and again while somebody looks. */
export function useForecast(input: { cluster: string; scopeBase64: string; match: SwitchMatch } | null) {
  return useQuery({
    queryKey: ['forecast', input],
    queryFn: ({ signal }) =>
      trpc.actions.switchForecast.query(input ?? { cluster: '', scopeBase64: '', match: 'exact' }, { signal }),
    enabled: input !== null,
    refetchInterval: FORECAST_EVERY_MS,
    retry: false,
  })
}

export function useProof(input: { cluster: string; scopeBase64: string }, enabled = true) {
  return useQuery({
    queryKey: ['proof', input],
    queryFn: ({ signal }) => trpc.actions.switchProof.query(input, { signal }),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: PROOF_EVERY_MS,
    retry: false,
  })
}

/** Stops of the last 30 days; `version` changes when one begins or ends. */
export function useStops(cluster: string, version: string) {
  return useQuery({
    queryKey: ['stops', cluster, version],
    queryFn: ({ signal }) => trpc.clusters.stops.query({ cluster }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export const useEngage = () => useAct(trpc.actions.engageSwitch.mutate)
export const useExtend = () => useAct(trpc.actions.extendSwitch.mutate)
export const useRelease = () => useAct(trpc.actions.releaseSwitch.mutate)
export const useConfirmRelease = () => useAct(trpc.actions.confirmRelease.mutate)
export const useArm = () => useAct(trpc.actions.armSwitch.mutate)
