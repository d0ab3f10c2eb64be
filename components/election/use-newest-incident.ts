'use client'
import { useEffect, useState } from 'react'
import { type Incident, incidentsOf } from '../../lib/election/incidents.ts'
import type { Surroundings } from '../../lib/election/surroundings.ts'
import { useSurroundings } from '../live/conditions.ts'
import { useLiveStore } from '../live/use-live.ts'

const LOOK_EVERY_MS = 2_000

interface Newest {
  cluster: string
  incident: Incident
}

/** The newest incident of one cluster, or of all when `cluster` is null, and what etcd was like when it began. */
export function useNewestIncident(cluster: string | null): { incident: Incident; around: Surroundings | null } | null {
  const newest = useNewest(cluster)
  const around = useSurroundings(newest?.cluster ?? '', newest?.incident.from ?? null)
  // Told whole or not at all: words that come later would move what stands there.
  return newest === null || around === undefined ? null : { incident: newest.incident, around }
}

function useNewest(cluster: string | null): Newest | null {
  const store = useLiveStore()
  const [newest, setNewest] = useState<Newest | null>(null)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'hidden') return
      const views = [...store.views.values()].filter(({ info }) => cluster === null || info.name === cluster)
      const found = views.flatMap(({ info, elections }) => {
        const [incident] = incidentsOf(elections.values())
        return incident === undefined ? [] : [{ cluster: info.name, incident }]
      })
      const last = found.sort((a, b) => (a.incident.from < b.incident.from ? 1 : -1))[0] ?? null
      setNewest((before) => (JSON.stringify(before) === JSON.stringify(last) ? before : last))
    }
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [store, cluster])
  return newest
}
