'use client'
/** What is asked of the server when somebody acts. Nothing is shown as done before the server says so. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { trpc } from './trpc.ts'

const FOLLOW_EVERY_MS = 250

/** Random, so that a second click, a retry of the browser and a replay are the same operation. */
export function newOperation(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `op-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** An operation as the server knows it now, until its outcome is final. */
export function useOperation(id: string | null) {
  return useQuery({
    queryKey: ['operation', id],
    queryFn: ({ signal }) => trpc.actions.operation.query({ operation: id ?? '' }, { signal }),
    enabled: id !== null,
    refetchInterval: ({ state: { data } }) =>
      data?.outcome && data.outcome.is !== 'unknown' ? false : FOLLOW_EVERY_MS,
  })
}

/** One attempt: a second one is a new decision of whoever acts. */
export function useAct<Input, Output>(mutate: (input: Input) => Promise<Output>) {
  return useMutation({ mutationFn: (input: Input) => mutate(input), retry: false })
}

export const useConfirmElection = () => useAct(trpc.actions.confirmElection.mutate)
export const useAcknowledgeRollback = () => useAct(trpc.actions.acknowledgeRollback.mutate)
