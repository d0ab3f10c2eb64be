'use client'
import { useParams, useSearchParams } from 'next/navigation'
import { useLiveStore, useStructureVersion } from '../live/use-live.ts'
import { safelyDecoded } from './safely-decoded.ts'

export interface ChosenCluster {
  /** null: all of them. */
  chosen: string | null
  names: readonly string[]
}

/** Which cluster the page is about: named by the path, by `?cluster=`, or the only one there is. */
export function useChosenCluster(): ChosenCluster {
  useStructureVersion()
  const store = useLiveStore()
  const path = useParams<{ cluster?: string }>().cluster
  const query = useSearchParams().get('cluster')
  const names = [...store.views.keys()]
  const named = path === undefined ? query : safelyDecoded(path)
  const [first] = names
  return { chosen: named || (names.length === 1 && first !== undefined ? first : null), names }
}
