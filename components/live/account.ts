'use client'
/** Who this is, and the people of this Tenure. */
import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { inferRouterOutputs } from '@trpc/server'
import type { AppRouter } from '../../server/api/router.ts'
import { toSignIn } from './sign-in.ts'
import { trpc } from './trpc.ts'

type Outputs = inferRouterOutputs<AppRouter>
export type Me = Outputs['account']['me']
export type Who = NonNullable<Me['who']>
export type SessionShape = Outputs['account']['sessions']['sessions'][number]
export type TokenShape = Outputs['account']['tokens']['tokens'][number]
export type PersonShape = Outputs['people']['list']['people'][number]

export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => trpc.account.me.query(undefined, { signal }),
    staleTime: 30_000,
  })
}

export function useSessions() {
  return useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => trpc.account.sessions.query(undefined, { signal }),
  })
}

export function useTokens() {
  return useQuery({ queryKey: ['tokens'], queryFn: ({ signal }) => trpc.account.tokens.query(undefined, { signal }) })
}

export function usePeople(enabled: boolean) {
  return useQuery({
    queryKey: ['people'],
    queryFn: ({ signal }) => trpc.people.list.query(undefined, { signal }),
    enabled,
  })
}

/** Asks again what `key` names as soon as the change was made: nothing is shown before the server says so. */
function useChange<Input, Output>(key: QueryKey, change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: change, onSettled: () => queries.invalidateQueries({ queryKey: key }) })
}

export const useEndSession = () => useChange(['sessions'], (id: string) => trpc.account.endSession.mutate({ id }))
export const useSignOutEverywhere = () => useChange(['sessions'], () => trpc.account.signOutEverywhere.mutate())
export const useMakeToken = () =>
  useChange(['tokens'], (token: Parameters<typeof trpc.account.makeToken.mutate>[0]) =>
    trpc.account.makeToken.mutate(token),
  )
export const useRevokeToken = () => useChange(['tokens'], (id: string) => trpc.account.revokeToken.mutate({ id }))
export const useAddPerson = () =>
  useChange(['people'], (person: Parameters<typeof trpc.people.add.mutate>[0]) => trpc.people.add.mutate(person))
export const useNewLink = () => useChange(['people'], (id: string) => trpc.people.newLink.mutate({ id }))
export const useSetRole = () =>
  useChange(['people'], (change: Parameters<typeof trpc.people.setRole.mutate>[0]) =>
    trpc.people.setRole.mutate(change),
  )
export const useSetDisabled = () =>
  useChange(['people'], async ({ id, disabled }: { id: string; disabled: boolean }) => {
    await (disabled ? trpc.people.disable : trpc.people.enable).mutate({ id })
  })

/** A new password ends the streams before the browser has the new cookie: so nobody leaves on one word alone. */
const ASK_AGAIN_MS = 700
let asking = false

async function isSignedOut(): Promise<boolean> {
  const me = await trpc.account.me.query().catch(() => null)
  return me !== null && me.who === null
}

/** The stream broke: when that is because the session is over, there is nothing more to see here. */
export async function leaveWhenSignedOut(): Promise<void> {
  if (asking) return
  asking = true
  try {
    if (!(await isSignedOut())) return
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
    if (await isSignedOut()) toSignIn()
  } finally {
    asking = false
  }
}
