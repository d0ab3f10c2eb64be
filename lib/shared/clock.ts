/** An ISO 8601 UTC time with milliseconds: sorts as text, reads as itself, crosses every wire. */
export type Instant = string

/** Wall time is for display; every decision about elapsed time uses `monoMs`. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  nowMs(): number
  /** Monotonic clock, milliseconds since an arbitrary start; never steps. */
  monoMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monoMs: () => performance.now(),
}

export function instant(ms: number): Instant {
  return new Date(ms).toISOString()
}

export function msOf(at: Instant): number {
  return Date.parse(at)
}

export function later(one: Instant, other: Instant): Instant {
  return one > other ? one : other
}

/** Milliseconds from `from` to `to`; negative when `to` is earlier. */
export function elapsedMs(from: Instant, to: Instant): number {
  return Date.parse(to) - Date.parse(from)
}

/**
 * A clock whose wall time starts where the system's stands and then follows the monotonic clock, so
 * that a step of the system clock neither reorders events nor changes a duration. It drifts back to
 * the system's time by `maxSlewMsPerS` a second at the most.
 */
export function steadyClock(system: Clock = systemClock, maxSlewMsPerS = 50): Clock {
  let wallMs = system.nowMs()
  let monoMs = system.monoMs()
  return {
    monoMs: () => system.monoMs(),
    nowMs: () => {
      const mono = system.monoMs()
      const passedMs = mono - monoMs
      const expectedMs = wallMs + passedMs
      const slewMs = (maxSlewMsPerS * passedMs) / 1000
      const offMs = system.nowMs() - expectedMs
      wallMs = expectedMs + Math.max(-slewMs, Math.min(slewMs, offMs))
      monoMs = mono
      return Math.round(wallMs)
    },
  }
}
