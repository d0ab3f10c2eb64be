'use client'
import { useEffect, useState } from 'react'

/** Counts down what is left to wait, once a second; 0 when nothing is. */
export function useWait(): { leftMs: number; wait: (ms: number) => void } {
  const [until, setUntil] = useState(0)
  const [leftMs, setLeftMs] = useState(0)
  useEffect(() => {
    if (until === 0) return
    const tick = () => setLeftMs(Math.max(0, until - performance.now()))
    tick()
    const timer = setInterval(tick, 1_000)
    return () => clearInterval(timer)
  }, [until])
  return { leftMs, wait: (ms) => setUntil(performance.now() + ms) }
}
