/** Round distances of time for the labels of an axis, in UTC. */
import { instant } from './clock.ts'
import { dayAndMonth, hourAndMinute, timeOfDay } from './format.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const STEPS = [
  ...[5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 7].map((days) => days * DAY),
]

/** The least round distance of at least so much. */
export function roundStep(leastMs: number): number {
  return STEPS.find((each) => each >= leastMs) ?? 14 * DAY
}

/** To the second, the minute or the day, by how far apart they are; a midnight between hours names its day. */
export function tickLabel(ms: number, step: number): string {
  const at = instant(ms)
  if (step < MINUTE) return timeOfDay(at)
  return step >= DAY || (step >= 6 * HOUR && ms % DAY === 0) ? dayAndMonth(at) : hourAndMinute(at)
}
