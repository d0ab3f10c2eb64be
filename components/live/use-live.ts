'use client'
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import type { ClusterView } from '../../lib/election/cluster-view.ts'
import type { Cluster, ElectionRef, ElectionState } from '../../lib/election/types.ts'
import { type Instant, instant } from '../../lib/shared/clock.ts'
import { type Connection, LiveStore } from './live-store.ts'

export const LiveContext = createContext<LiveStore | null>(null)

const never = () => () => {}
const nothing = () => undefined

/** What the server's markup was made from: nothing known yet. Never fed. */
const EMPTY = new LiveStore()

/**
 * The store of this tab. Throws outside `LiveProvider`. Parts of a page come to life one after the
 * other, and frames arrive meanwhile: each must first see what the server saw.
 */
export function useLiveStore(): LiveStore {
  const store = useContext(LiveContext)
  if (store === null) throw new Error('useLiveStore needs a LiveProvider above it')
  const alive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return alive ? store : EMPTY
}

/** Re-renders when the connection of this tab changes. */
export function useConnection(): Connection {
  const store = useLiveStore()
  const read = () => store.connection
  return useSyncExternalStore(store.subscribe, read, () => CONNECTING)
}
const CONNECTING: Connection = { state: 'connecting' }

/** The moment of the past that is shown; null in the present. */
export function usePastAt(): Instant | null {
  const connection = useConnection()
  return connection.state === 'past' ? connection.at : null
}

/** One cluster's state, new whenever it changed; undefined until the snapshot came. */
export function useCluster(name: string): Cluster | undefined {
  const store = useLiveStore()
  return useSyncExternalStore(store.subscribe, () => store.views.get(name)?.info, nothing)
}

/** A number that rises with every painted change: read `store.views` after it. */
export function useLiveVersion(): number {
  const store = useLiveStore()
  return useSyncExternalStore(
    store.subscribe,
    () => store.version,
    () => 0,
  )
}

/** Rises when elections appear or go. */
export function useStructureVersion(): number {
  const store = useLiveStore()
  return useSyncExternalStore(
    store.subscribe,
    () => store.structureVersion,
    () => 0,
  )
}

/** One election, re-rendered only by its own changes; undefined when it is not known. */
export function useElection(
  cluster: string,
  ref: ElectionRef,
): { state: ElectionState; view: ClusterView } | undefined {
  const store = useLiveStore()
  const subscribe = useCallback(
    (listener: () => void) => store.subscribeElection(cluster, ref, listener),
    [store, cluster, ref],
  )
  const state = useSyncExternalStore(subscribe, () => store.views.get(cluster)?.elections.get(ref), nothing)
  const view = store.views.get(cluster)
  return state === undefined || view === undefined ? undefined : { state, view }
}

interface Ticker {
  subscribe: (listener: () => void) => () => void
  at: number
}
const tickers = new WeakMap<LiveStore, Map<number, Ticker>>()

function tickerOf(store: LiveStore, hz: number): Ticker {
  const own = tickers.get(store) ?? new Map<number, Ticker>()
  tickers.set(store, own)
  const known = own.get(hz)
  if (known !== undefined) return known
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  const ticker: Ticker = {
    at: 0,
    subscribe: (listener) => {
      listeners.add(listener)
      timer ??= setInterval(() => {
        if (document.visibilityState === 'hidden') return
        ticker.at = store.time.nowMs()
        for (const each of listeners) each()
      }, 1000 / hz)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
  own.set(hz, ticker)
  return ticker
}

/** The server's time, re-rendered `hz` times a second (4 for lease bars, 1 for ages); null before the first frame. */
export function useServerNow(hz: 1 | 4): Instant | null {
  const store = useLiveStore()
  const ticker = typeof window === 'undefined' ? undefined : tickerOf(store, hz)
  const at = useSyncExternalStore(
    ticker?.subscribe ?? never,
    () => ticker?.at ?? 0,
    () => 0,
  )
  return store.time.known ? instant(at === 0 ? store.time.nowMs() : Math.max(at, 0)) : null
}
