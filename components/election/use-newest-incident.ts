'use client'
import { useEffect, useState } from 'react'
import { type Incident, incidentsOf } from '../../lib/election/incidents.ts'
import { useLiveStore } from '../live/use-live.ts'

const LOOK_EVERY_MS = 2_000

/** The newest incident of one cluster, or of all when `cluster` is null. */
export function useNewestIncident(cluster: string | null): Incident | null {
  const store = useLiveStore()
  const [newest, setNewest] = useState<Incident | null>(null)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'hidden') return
      const views = [...store.views.values()].filter(({ info }) => cluster === null || info.name === cluster)
      const found = views.flatMap((view) => incidentsOf(view.elections.values()).slice(0, 1))
      const last = found.sort((a, b) => (a.from < b.from ? 1 : -1))[0] ?? null
      setNewest((before) => (JSON.stringify(before) === JSON.stringify(last) ? before : last))
    }
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [store, cluster])
  return newest
}
