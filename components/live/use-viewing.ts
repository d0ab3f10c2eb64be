'use client'
import { useEffect } from 'react'
import { trpc } from './trpc.ts'
import { usePastAt } from './use-live.ts'

const TELL_EVERY_MS = 8_000
const MOST = 100

/** Tells the server which elections of `cluster` are on this screen, so that their leases are looked up first. */
export function useViewing(cluster: string, refs: readonly string[]): void {
  const isPast = usePastAt() !== null
  const key = isPast ? '' : refs.slice(0, MOST).join(' ')
  useEffect(() => {
    const tell = () => {
      if (key === '' || document.visibilityState === 'hidden') return
      // Only a hint: without it the look-ups come in their ordinary order.
      trpc.live.viewing.mutate({ cluster, refs: key.split(' ') }).catch(() => undefined)
    }
    tell()
    const timer = setInterval(tell, TELL_EVERY_MS)
    return () => clearInterval(timer)
  }, [cluster, key])
}
