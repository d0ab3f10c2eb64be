'use client'
/** What is wrong by the rules for alerts: read again when the stream says that something of it changed, never polled. */
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { type Refusal, type Verb, whyNot } from '../../lib/election/policy.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { timeOfDay } from '../../lib/shared/format.ts'
import type { AppRouter } from '../../server/api/router.ts'
import { useMe } from './account.ts'
import { IN_THE_PAST } from './may.ts'
import { trpc } from './trpc.ts'
import { useConnection, useLiveStore } from './use-live.ts'

type Inputs = inferRouterInputs<AppRouter>['alerts']
export type AlertsShape = inferRouterOutputs<AppRouter>['alerts']['list']
export type TestResult = inferRouterOutputs<AppRouter>['alerts']['test']
type Scope = { cluster?: string }

const PAGE = 50
const MOST = 200
const EVERY_MS = 1_000
/** Of the time an answer took. */
const REST = 4
const KEY = 'alerts'
/** A failed answer is asked for once more by the next change; what was read before stays on the page. */
const asked = { placeholderData: keepPreviousData, gcTime: 5_000, retry: false, staleTime: 0 } as const

/** Rises with every change of an alert, a silence or a delivery, in any cluster. */
function useAlertsVersion(): string {
  const store = useLiveStore()
  const read = () => [...store.views.values()].map(({ info }) => info.alerts?.version ?? '').join(' ')
  return useSyncExternalStore(store.subscribe, read, () => '')
}

/**
 * Asks again for what is on the page when something of it changed: at most once a second, and more seldom
 * where the answers take long.
 */
export function useAlertsFollowed(): void {
  const queries = useQueryClient()
  const version = useAlertsVersion()
  const isLive = useConnection().state === 'live'
  const seen = useRef<string | null>(null)
  const notBeforeMs = useRef(0)
  useEffect(() => {
    const before = seen.current
    seen.current = `${isLive} ${version}`
    // What is on the page was asked for when it was opened.
    if (before === null || before === seen.current) return
    const ask = async () => {
      const startMs = performance.now()
      notBeforeMs.current = startMs + EVERY_MS
      await queries.invalidateQueries({ queryKey: [KEY] })
      const endMs = performance.now()
      notBeforeMs.current = Math.max(notBeforeMs.current, endMs + REST * (endMs - startMs))
    }
    const timer = setTimeout(() => void ask(), Math.max(0, notBeforeMs.current - performance.now()))
    return () => {
      clearTimeout(timer)
      // Another reason has come before this one was followed.
      seen.current = 'open'
    }
  }, [queries, version, isLive])
}

export function useAlerts(scope: Scope, isWanted: boolean) {
  return useQuery({
    queryKey: [KEY, 'list', scope],
    queryFn: ({ signal }) => trpc.alerts.list.query(scope, { signal }),
    enabled: isWanted,
    ...asked,
  })
}

/** Of a moment of the past: those that had fired by then and were not over before it. */
export function useAlertsAt(scope: Scope, at: Instant) {
  return useQuery({
    queryKey: [KEY, 'at', scope, at],
    queryFn: ({ signal }) =>
      trpc.alerts.history.query({ ...scope, from: at, to: justAfter(at), limit: MOST }, { signal }),
    ...asked,
  })
}

/** The end of a range is exclusive, and what fired at the very moment has fired. */
export const justAfter = (at: Instant) => instant(msOf(at) + 1)

type HistoryFilters = Omit<Inputs['history'], 'cursor' | 'limit'>

/** Newest first; `fetchNextPage` brings older ones. */
export function useAlertHistory(filters: HistoryFilters) {
  return useInfiniteQuery({
    queryKey: [KEY, 'history', filters],
    queryFn: ({ pageParam, signal }) =>
      trpc.alerts.history.query({ ...filters, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...asked,
  })
}

export function useDeliveries(filters: Omit<Inputs['deliveries'], 'cursor' | 'limit'>, isWanted = true) {
  return useInfiniteQuery({
    queryKey: [KEY, 'deliveries', filters],
    queryFn: ({ pageParam, signal }) =>
      trpc.alerts.deliveries.query(
        { ...filters, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    enabled: isWanted,
    ...asked,
  })
}

/** One attempt; then everything is read again: nothing is shown as done before the server says so. */
function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    retry: false,
    onSettled: () => queries.invalidateQueries({ queryKey: [KEY] }),
  })
}

export const useAcknowledge = () => useChange((input: Inputs['acknowledge']) => trpc.alerts.acknowledge.mutate(input))
export const useSilence = () => useChange((input: Inputs['silence']) => trpc.alerts.silence.mutate(input))
export const useEndSilence = () => useChange((input: Inputs['endSilence']) => trpc.alerts.endSilence.mutate(input))
export const useTestChannel = () => useChange((input: Inputs['test']) => trpc.alerts.test.mutate(input))

function lostWords(since: Instant | null): Refusal {
  const when = since === null ? '' : ` since ${timeOfDay(since)} UTC`
  return {
    code: 'stale',
    why: `Tenure’s server has not answered${when}.`,
    fix: 'Wait until the page says Live again.',
  }
}

/**
 * null: it may be done. Alerts are about clusters that do not answer as well, so only the connection to
 * Tenure counts. While who asks is not known, nothing may.
 */
export function useWhyNotAlerts(verb: Extract<Verb, 'alerts' | 'testChannel'>): Refusal | null {
  const { data: me } = useMe()
  const connection = useConnection()
  if (connection.state === 'past') return IN_THE_PAST
  const never = whyNot(me?.who?.role ?? null, verb)
  if (never !== null) return never
  if (connection.state === 'reconnecting') return lostWords(connection.since)
  return connection.state === 'connecting' ? lostWords(null) : null
}
