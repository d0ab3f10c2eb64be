'use client'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** Width of an element in whole pixels, 0 until it is known. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const read = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
