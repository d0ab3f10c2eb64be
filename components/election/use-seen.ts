'use client'
/** What rows need to know of their cluster, without its revision: that changes with every event. */
import { useSyncExternalStore } from 'react'
import type { StandingSwitch } from '../../lib/election/scopes.ts'
import type { Stop } from '../../lib/election/stops.ts'
import type { Cluster, Freshness, Gap } from '../../lib/election/types.ts'
import type { Instant } from '../../lib/shared/clock.ts'
import type { LiveStore } from '../live/live-store.ts'
import { useLiveStore } from '../live/use-live.ts'
import { frozenAt, seenFreshness } from './as-seen.ts'

export interface SeenCluster {
  freshness: Freshness
  /** Until when the view is true; null while it is live. */
  frozenAt: Instant | null
  probeP95Ms: number | null
  raftLeaderChanges: readonly Instant[]
  gaps: readonly Gap[]
  switches: readonly StandingSwitch[]
  stops: readonly Stop[]
}

const NOTHING: SeenCluster = {
  freshness: 'live',
  frozenAt: null,
  probeP95Ms: null,
  raftLeaderChanges: [],
  gaps: [],
  switches: [],
  stops: [],
}
const cache = new WeakMap<LiveStore, Map<string, SeenCluster>>()

const same = (a: readonly unknown[], b: readonly unknown[]) => JSON.stringify(a) === JSON.stringify(b)

function seenOf(info: Cluster, store: LiveStore, was: SeenCluster): SeenCluster {
  const next: SeenCluster = {
    freshness: seenFreshness(info, store.connection),
    frozenAt: frozenAt(info, store.connection),
    probeP95Ms: info.probeP95Ms,
    raftLeaderChanges: same(info.raftLeaderChanges, was.raftLeaderChanges)
      ? was.raftLeaderChanges
      : info.raftLeaderChanges,
    gaps: same(info.gaps, was.gaps) ? was.gaps : info.gaps,
    switches: same(info.switches ?? [], was.switches) ? was.switches : (info.switches ?? []),
    stops: same(info.stops ?? [], was.stops) ? was.stops : (info.stops ?? []),
  }
  const unchanged = (Object.keys(next) as (keyof SeenCluster)[]).every((key) => next[key] === was[key])
  return unchanged ? was : next
}

function read(store: LiveStore, name: string): SeenCluster {
  const known = cache.get(store) ?? new Map<string, SeenCluster>()
  cache.set(store, known)
  const was = known.get(name) ?? NOTHING
  const info = store.views.get(name)?.info
  const next = info === undefined ? was : seenOf(info, store, was)
  known.set(name, next)
  return next
}

export function useSeenCluster(name: string): SeenCluster {
  const store = useLiveStore()
  return useSyncExternalStore(
    store.subscribe,
    () => read(store, name),
    () => NOTHING,
  )
}
