'use client'
import { useEffect, useRef, useState } from 'react'

/** Whether the address names this alert, as a message about one of no election does; it is shown once it is there. */
export function useLinked<E extends HTMLElement>(id: string, isHere: boolean) {
  const ref = useRef<E>(null)
  const [isLinked] = useState(() => isHere && globalThis.location?.hash === `#${id}`)
  useEffect(() => {
    if (isLinked) ref.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  return { ref, isLinked }
}
