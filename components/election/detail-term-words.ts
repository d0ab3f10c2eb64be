/** Cells of the term table. */
import type { Anatomy, Term } from '../../lib/election/types.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { brief, dayAndMonth, duration, hourAndMinute, shortDuration, timeOfDay } from '../../lib/shared/format.ts'

const dayOf = (at: Instant) => at.slice(0, 10)

/** The time, and the day where it is another. */
export function moment(at: Instant, now: Instant): string {
  return dayOf(at) === dayOf(now) ? timeOfDay(at) : `${dayAndMonth(at)} ${hourAndMinute(at)}`
}

/** Of an earlier day the time is enough where it is that of the beginning, and the day where it is another. */
function endMoment(from: Instant, to: Instant, now: Instant): string {
  if (dayOf(to) === dayOf(now)) return timeOfDay(to)
  return dayOf(from) === dayOf(to) ? hourAndMinute(to) : dayAndMonth(to)
}

/** "00:31:04 → 00:58:10"; days other than today's are named. */
export function termSpan({ from, to, fromAtLeast }: Term, now: Instant, open = 'now'): string {
  const start = fromAtLeast ? `≤${moment(from, now)}` : moment(from, now)
  return `${start}\u2009→\u2009${to === null ? open : endMoment(from, to, now)}`
}

export function termDuration({ from, to, fromAtLeast }: Term, now: Instant): string {
  const length = duration(elapsedMs(from, to ?? now))
  return fromAtLeast ? `≥${length}` : length
}

/** Time without a leader before the term; "–" where it was not observed. */
export function termGap({ gapMs }: Term): string {
  return gapMs === null ? '–' : brief(gapMs)
}

/** " (−1 s)": detect may be so much less; nothing where it is exact. */
export function errorWords({ detectErrorMs = 0 }: Pick<Anatomy, 'detectErrorMs'>): string {
  if (detectErrorMs === 0) return ''
  return ` (−${detectErrorMs < 1_000 ? brief(detectErrorMs) : shortDuration(detectErrorMs)})`
}

export function anatomyWords(parts: Anatomy): string {
  const named = [
    ['detect', parts.detectMs, errorWords(parts)],
    ['refill', parts.refillMs || null, ''],
    ['vacancy', parts.vacancyMs, ''],
    ['takeover', parts.takeoverMs, ''],
  ] as const
  const known = named.flatMap(([name, ms, error]) => (ms === null ? [] : [`${name} ${brief(ms)}${error}`]))
  return known.length === 0 ? 'nothing that was measured' : known.join(' + ')
}
