'use client'
/** What is asked of the server when somebody acts. Nothing is shown as done before the server says so. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ActionRefusal, HandoffAction, HandoffPreflight, Operation } from '../../lib/election/actions.ts'
import { trpc } from './trpc.ts'

const FOLLOW_EVERY_MS = 250
const FOLLOW_ON_EVERY_MS = 1_000

/** Random, so that a second click, a retry of the browser and a replay are the same operation. */
export function newOperation(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `op-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Its outcome may be final while it is still open whether a former leader stopped. */
function followEveryMs(operation: Operation | undefined): number | false {
  const { outcome = null, phases = [], warnings = [] } = operation ?? {}
  if (outcome === null || outcome.is === 'unknown') return FOLLOW_EVERY_MS
  const isOpen = outcome.is === 'verified' && phases.some(({ known }) => known === 'not yet')
  return isOpen || warnings.length > 0 ? FOLLOW_ON_EVERY_MS : false
}

/** An operation as the server knows it now, for as long as something of it is open. */
export function useOperation(id: string | null) {
  return useQuery({
    queryKey: ['operation', id],
    queryFn: ({ signal }) => trpc.actions.operation.query({ operation: id ?? '' }, { signal }),
    enabled: id !== null,
    retry: 1,
    refetchInterval: ({ state: { data } }) => followEveryMs(data),
  })
}

/** One attempt: a second one is a new decision of whoever acts. */
export function useAct<Input, Output>(mutate: (input: Input) => Promise<Output>) {
  return useMutation({ mutationFn: (input: Input) => mutate(input), retry: false })
}

export const useConfirmElection = () => useAct(trpc.actions.confirmElection.mutate)
export const useAcknowledgeRollback = () => useAct(trpc.actions.acknowledgeRollback.mutate)

export type PreflightOutcome = { seen: HandoffPreflight } | { refusal: ActionRefusal }

const PREFLIGHT_AGAIN_MS = 20_000

/** What etcd shows before a handoff, read anew before its token runs out. Never from a cache. */
export function usePreflight(input: { cluster: string; ref: string; action: HandoffAction }, isOpen: boolean) {
  return useQuery({
    queryKey: ['preflight', input],
    queryFn: async (): Promise<PreflightOutcome> => {
      try {
        return { seen: await trpc.actions.preflight.mutate(input) }
      } catch (error) {
        return { refusal: refusalIn(error) }
      }
    },
    enabled: isOpen,
    refetchInterval: PREFLIGHT_AGAIN_MS,
    refetchIntervalInBackground: true,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
}

type HandoffInput = Parameters<typeof trpc.actions.handoff.mutate>[0]

/** Sends a handoff. It is not sent again by itself: its operation is followed instead. */
export function useHandoff() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: HandoffInput) => trpc.actions.handoff.mutate(input),
    onSettled: () => queries.invalidateQueries({ queryKey: ['handoffs'] }),
  })
}

/** Whether the server has begun what is being sent: it was not refused then. */
export function useBegun(input: { cluster: string; ref: string }, operation: string, isSending: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['begun', operation],
    queryFn: async ({ signal }) => {
      const { operations } = await trpc.actions.handoffs.query(input, { signal })
      return operations.some(({ id }) => id === operation)
    },
    enabled: isSending,
    refetchInterval: FOLLOW_EVERY_MS,
    gcTime: 0,
    retry: false,
  })
  return isSending && data === true
}

const HANDOFFS_OFTEN_MS = 1_000
const HANDOFFS_SELDOM_MS = 10_000

/** Handoffs of this election that the server knows, with what is still to be warned of. */
export function useHandoffs(input: { cluster: string; ref: string }, version: string) {
  return useQuery({
    queryKey: ['handoffs', input, version],
    queryFn: ({ signal }) => trpc.actions.handoffs.query(input, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 5_000,
    refetchInterval: ({ state: { data } }) =>
      data?.operations.some(
        ({ outcome, warnings }) => outcome === null || outcome.is === 'unknown' || warnings.length > 0,
      )
        ? HANDOFFS_OFTEN_MS
        : HANDOFFS_SELDOM_MS,
  })
}

/** Why the server said no; what kept it from answering at all is told in its place. */
export function refusalIn(error: unknown): ActionRefusal {
  const { data, message } = error as { data?: { refusal?: ActionRefusal } | null; message?: string }
  const why = `Tenure did not answer: ${message ?? String(error)}`
  return data?.refusal ?? { code: 'etcd', why, fix: 'Look whether it was done before you try again.' }
}

/** The server refused: certain that nothing was sent. Anything else leaves that open. */
export function isRefusal(error: unknown): boolean {
  return (error as { data?: { refusal?: unknown } | null }).data?.refusal !== undefined
}
