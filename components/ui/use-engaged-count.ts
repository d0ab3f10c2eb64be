'use client'
import { useSyncExternalStore } from 'react'
import { isHolding } from '../../lib/election/scopes.ts'
import { useLiveStore } from '../live/use-live.ts'

/** Kill switches that hold, in all clusters. */
export function useEngagedCount(): number {
  const store = useLiveStore()
  const read = () => [...store.views.values()].flatMap(({ info }) => (info.switches ?? []).filter(isHolding)).length
  return useSyncExternalStore(store.subscribe, read, () => 0)
}
