/**
 * Milliseconds of CLOCK_MONOTONIC: all processes of one machine read the same clock, no step of the wall
 * clock reaches it, and a double holds it to the microsecond.
 */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
