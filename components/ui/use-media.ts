'use client'
import { useCallback, useSyncExternalStore } from 'react'

/** Whether a media query matches; `onServer` until the page runs. */
export function useMedia(query: string, onServer = false): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => onServer,
  )
}

/** How often countdowns step: four times a second, once where motion is reduced. */
export function useTickHz(): 1 | 4 {
  return useMedia('(prefers-reduced-motion: reduce)') ? 1 : 4
}
