/** A moment of the past, as people type it and as an address names it. Always UTC. */
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'

const NAME = 'asof'
const DAY_MS = 24 * 3_600_000
const FORM = /^(?:(\d{4}-\d{2}-\d{2})(?:[T ]+|$))?(?:(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?\s*(?:Z|UTC)?$/i

export type Moment = { at: Instant } | { problem: string }

/** `2026-03-12 03:12:07`, the ISO form, or a time of day alone: the last one that has passed. `now` null: not known yet. */
export function readMoment(text: string, now: Instant | null): Moment {
  const notATime = { problem: `“${text.trim()}” is no time. Write it as 2026-03-12 03:12:07, in UTC.` }
  const parts = FORM.exec(text.trim())
  if (parts === null) return notATime
  const [, date, hour, minute = '00', second = '00', fraction = ''] = parts
  if (date === undefined && (hour === undefined || now === null)) return notATime
  const time = `${(hour ?? '0').padStart(2, '0')}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`
  const written = `${date ?? now?.slice(0, 10)}T${time}`
  const ms = Date.parse(written)
  // A 31st of February would be taken for a day in March.
  if (Number.isNaN(ms) || instant(ms) !== written) return notATime
  if (now === null || ms <= msOf(now)) return { at: instant(ms) }
  if (date === undefined) return { at: instant(ms - DAY_MS) }
  return { problem: `${spoken(instant(ms))} is in the future: it is ${spoken(now)}.` }
}

/** To the second; finer where it is. */
export function spoken(at: Instant): string {
  return `${at.slice(0, 10)} ${at.slice(11, 23).replace('.000', '')} UTC`
}

export function asOfIn(params: Pick<URLSearchParams, 'get'>): string | null {
  return params.get(NAME)
}

/** `search` is empty or begins with `?`; null takes the moment out. The rest stays as it is written. */
export function withAsOf(search: string, at: string | null): string {
  const rest = search
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith(`${NAME}=`))
  if (at !== null) rest.push(`${NAME}=${encodeURIComponent(at.replace('.000Z', 'Z')).replaceAll('%3A', ':')}`)
  return rest.length === 0 ? '' : `?${rest.join('&')}`
}
