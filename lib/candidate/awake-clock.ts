import { uptime } from 'node:os'
import type { Clock } from '../shared/clock.ts'

/** What `uptime` may differ by without the machine having slept: it counts in hundredths of a second. */
const JITTER_MS = 100

/**
 * Monotonic time that also counts the sleep of the machine. `performance.now` stands still while a laptop
 * or a virtual machine is suspended, and the lease in etcd does not; the uptime of Linux goes on
 * (CLOCK_BOOTTIME, libuv `uv_uptime`). A pause that the guest's kernel never hears of is not seen.
 */
export function awakeClock(upMs: () => number = () => uptime() * 1_000): Clock {
  const startMs = upMs() - performance.now()
  let sleptMs = 0
  return {
    nowMs: () => Date.now(),
    monoMs: () => {
      const ranMs = performance.now()
      sleptMs = Math.max(sleptMs, upMs() - startMs - ranMs - JITTER_MS)
      return ranMs + sleptMs
    },
  }
}
