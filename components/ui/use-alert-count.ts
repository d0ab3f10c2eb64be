'use client'
import { useSyncExternalStore } from 'react'
import { unacknowledgedOf } from '../live/alert-counts.ts'
import { useLiveStore } from '../live/use-live.ts'
import { useChosenCluster } from './use-chosen-cluster.ts'

/** Alerts that fire and that nobody has acknowledged, in the chosen cluster or in all. */
export function useAlertCount(): number {
  const store = useLiveStore()
  const { chosen } = useChosenCluster()
  const read = () => {
    const views = [...store.views.values()].filter(({ info }) => chosen === null || info.name === chosen)
    return unacknowledgedOf(views.map(({ info }) => info.alerts))
  }
  return useSyncExternalStore(store.subscribe, read, () => 0)
}
