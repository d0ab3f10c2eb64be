'use client'
/** The moment that the address names. Pages that are opened from one of the past show the past as well. */
import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'
import { asOfIn, withAsOf } from './as-of.ts'

/** These are about today: whoever goes there leaves the past. */
const OF_TODAY = new Set(['/account', '/people'])

interface Held {
  text: string | null
  pathname: string
  /** Back or forward: the address says all there is to say. */
  popped: boolean
  /** A page was opened by a link that does not name the moment: the address gets it. */
  adding: boolean
}

function next(held: Held, inAddress: string | null, pathname: string): Held {
  const at = { pathname, popped: false, adding: false }
  if (OF_TODAY.has(pathname)) return { ...at, text: null }
  if (inAddress !== null || held.text === null) return { ...at, text: inAddress }
  if (held.pathname !== pathname && !held.popped) return { ...at, text: held.text, adding: true }
  return held.adding && held.pathname === pathname ? held : { ...at, text: null }
}

function write(at: string | null, how: 'pushState' | 'replaceState'): void {
  const { pathname, search } = window.location
  window.history[how](null, '', `${pathname}${withAsOf(search, at)}`)
}

export interface AddressMoment {
  /** As written; null in the present. */
  text: string | null
  /** `replace` for a step: going back is not going through all of them. */
  set(at: string | null, how: 'push' | 'replace'): void
}

export function useAddressMoment(): AddressMoment {
  const pathname = usePathname()
  const inAddress = asOfIn(useSearchParams())
  const [held, setHeld] = useState<Held>({ text: inAddress, pathname, popped: false, adding: false })
  const now = inAddress === held.text && pathname === held.pathname ? held : next(held, inAddress, pathname)
  if (now.text !== held.text || now.pathname !== held.pathname || now.adding !== held.adding) setHeld(now)
  const { text, adding } = now
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that is opened needs it anew
  useEffect(() => {
    if (adding) write(text, 'replaceState')
  }, [adding, text, pathname])
  useEffect(() => {
    const onPop = () => setHeld((before) => ({ ...before, popped: true }))
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [])
  return {
    text,
    set: (at, how) => {
      setHeld((before) => ({ ...before, adding: false }))
      write(at, how === 'push' ? 'pushState' : 'replaceState')
    },
  }
}
