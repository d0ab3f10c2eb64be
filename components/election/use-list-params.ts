'use client'
import { useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'
import { type ListParams, readParams, writeParams } from './list-params.ts'

const SETTLE_MS = 200

/**
 * What the list shows, kept in the address without a request. Typing is followed at once; the address
 * follows when it pauses (browsers limit how often it may change).
 */
export function useListParams(): [ListParams, (change: Partial<ListParams>) => void] {
  const search = useSearchParams().toString()
  const [params, setParams] = useState(() => readParams(new URLSearchParams(search)))
  const [written, setWritten] = useState(search)
  if (search !== written) {
    // Somebody else changed it: a link, the cluster picker, back or forward.
    setWritten(search)
    setParams(readParams(new URLSearchParams(search)))
  }
  useEffect(() => {
    const next = writeParams(params)
    if (next === (search === '' ? '' : `?${search}`)) return
    const timer = setTimeout(() => {
      setWritten(next.slice(1))
      window.history.replaceState(null, '', `${window.location.pathname}${next}`)
    }, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [params, search])
  return [params, (change) => setParams((before) => ({ ...before, ...change }))]
}
