'use client'
import { useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'
import { asOfIn, withAsOf } from '../live/as-of.ts'
import { arrived, type SeenAddress, withWrite } from './own-writes.ts'

const SETTLE_MS = 200

interface Address<Params> {
  read: (params: URLSearchParams) => Params
  /** Empty or beginning with `?`. */
  write: (params: Params) => string
}

/**
 * What a page shows, kept in the address without a request. Typing is followed at once; the address
 * follows when it pauses (browsers limit how often it may change).
 */
export function useAddressParams<Params>(of: Address<Params>): [Params, (change: Partial<Params>) => void] {
  // The moment that is shown is not this page's to write.
  const search = withAsOf(useSearchParams().toString(), null).slice(1)
  const [params, setParams] = useState(() => of.read(new URLSearchParams(search)))
  const [address, setAddress] = useState<SeenAddress>({ search, awaited: [] })
  if (search !== address.search) {
    const { seen, isOwn } = arrived(address, search)
    setAddress(seen)
    // A link, the cluster picker, back or forward.
    if (!isOwn) setParams(of.read(new URLSearchParams(search)))
  }
  const next = of.write(params)
  useEffect(() => {
    if (next === (search === '' ? '' : `?${search}`)) return
    const write = () => {
      stop()
      setAddress((seen) => withWrite(seen, next.slice(1)))
      window.history.replaceState(
        null,
        '',
        `${window.location.pathname}${withAsOf(next, asOfIn(new URLSearchParams(window.location.search)))}`,
      )
    }
    const timer = setTimeout(write, SETTLE_MS)
    const stop = () => {
      clearTimeout(timer)
      window.removeEventListener('click', write, true)
      window.removeEventListener('focusout', write, true)
    }
    // Written while another page is being opened, it would call that off: so it is written before.
    window.addEventListener('click', write, true)
    window.addEventListener('focusout', write, true)
    return stop
  }, [next, search])
  return [params, (change) => setParams((before) => ({ ...before, ...change }))]
}
