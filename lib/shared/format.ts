/** Words for durations, times and counts: the only place that decides how a number reads. */
import { type Instant, msOf } from './clock.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const pad = (value: number) => String(value).padStart(2, '0')

/** 41 s · 12 m 05 s · 2 h 14 m · 3 d 04 h. Negative counts as zero. */
export function duration(ms: number): string {
  const left = Math.max(0, ms)
  if (left < MINUTE) return `${Math.floor(left / SECOND)} s`
  if (left < HOUR) return `${Math.floor(left / MINUTE)} m ${pad(Math.floor((left % MINUTE) / SECOND))} s`
  if (left < DAY) return `${Math.floor(left / HOUR)} h ${pad(Math.floor((left % HOUR) / MINUTE))} m`
  return `${Math.floor(left / DAY)} d ${pad(Math.floor((left % DAY) / HOUR))} h`
}

/** The same with one unit: 41 s · 12 m · 2 h · 3 d. */
export function shortDuration(ms: number): string {
  const left = Math.max(0, ms)
  if (left < MINUTE) return `${Math.floor(left / SECOND)} s`
  if (left < HOUR) return `${Math.floor(left / MINUTE)} m`
  if (left < DAY) return `${Math.floor(left / HOUR)} h`
  return `${Math.floor(left / DAY)} d`
}

/** 7.4 s: tenths, for countdowns and gaps. */
export function seconds(ms: number): string {
  return `${(Math.max(0, ms) / SECOND).toFixed(1)} s`
}

/** 0.4 ms · 11 ms · 4.1 s: round trips. */
export function milliseconds(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < SECOND) return `${Math.round(ms)} ms`
  return `${(ms / SECOND).toFixed(1)} s`
}

/** 17 ms · 8.4 s · 2 m 04 s: a vacancy is often shorter than a tenth of a second. */
export function brief(ms: number): string {
  if (ms < 1_000) return milliseconds(Math.round(ms)).replace('.0', '')
  return ms < 60_000 ? seconds(ms) : duration(ms)
}

/** hh:mm:ss in UTC. */
export function timeOfDay(at: Instant): string {
  return new Date(msOf(at)).toISOString().slice(11, 19)
}

/** hh:mm in UTC. */
export function hourAndMinute(at: Instant): string {
  return new Date(msOf(at)).toISOString().slice(11, 16)
}

/** "Thu 12 Mar" in UTC. */
export function day(at: Instant): string {
  return new Date(msOf(at)).toLocaleDateString('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  })
}

/** "12 Mar" in UTC. */
export function dayAndMonth(at: Instant): string {
  return new Date(msOf(at)).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })
}

/** 512 B · 4.0 kB · 2.1 GB, powers of 1,000. */
export function byteSize(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`
}

/** "1 standby", "2 standbys". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`
}
