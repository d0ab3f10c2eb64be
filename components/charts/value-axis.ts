/** Vertical scales: pixels from the top of a plot. */

/** Logarithmic, 1 ms to 10 s; what lies outside is drawn on the edge and read in the header. */
export const RTT_DOMAIN_MS = [1, 10_000] as const
export const RTT_TICKS_MS = [1, 10, 100, 1_000, 10_000] as const

export function onRttScale(ms: number): number {
  return Math.max(RTT_DOMAIN_MS[0], Math.min(RTT_DOMAIN_MS[1], ms))
}

export function rttLabel(ms: number): string {
  return ms >= 1_000 ? `${ms / 1_000} s` : `${ms} ms`
}

export function rttY(ms: number, height: number): number {
  const [low, high] = RTT_DOMAIN_MS
  const share = Math.log10(onRttScale(ms) / low) / Math.log10(high / low)
  return height * (1 - share)
}

export const MARGIN_TICKS = [0, 33, 67, 100] as const
/** Renewing at a third of the TTL leaves two thirds. */
export const ON_TIME_PERCENT = 67
/** One more missed renewal loses the lease. */
export const THIN_PERCENT = 33

const NICE = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1_800, 3_600]

/** Top and ticks in seconds for bars whose longest is `longestMs`: three steps or fewer. */
export function secondsScale(longestMs: number): { topS: number; ticks: number[] } {
  const longest = Math.max(1, longestMs / 1_000)
  const step = NICE.find((each) => longest <= each * 2.6) ?? Math.ceil(longest / 2 / 3_600) * 3_600
  const ticks = [0, step, step * 2]
  return { topS: Math.max(longest * 1.12, step * 2.2), ticks }
}

export function secondsLabel(s: number): string {
  if (s < 120) return `${s} s`
  return s < 3_600 ? `${Math.round(s / 60)} m` : `${Math.round(s / 3_600)} h`
}
