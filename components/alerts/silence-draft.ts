/** A silence while it is being written: what it would fit, until when, and what is missing. Pure. */
import { ALERT_RULES, type Alert, type AlertRule } from '../../lib/election/alerts.ts'
import { parseRef, shown } from '../../lib/election/ids.ts'
import { matches } from '../../lib/election/layouts.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { readMoment, spoken } from '../live/as-of.ts'

export const LONGEST_COMMENT = 500
const DAY_MS = 24 * 3_600_000

export const LENGTHS = [
  { value: '30', label: '30 m', name: '30 minutes' },
  { value: '120', label: '2 h', name: '2 hours' },
  { value: '480', label: '8 h', name: '8 hours' },
  { value: '1440', label: '24 h', name: '24 hours' },
  { value: 'time', label: 'Time…', name: 'Until a time, UTC' },
] as const
export type Length = (typeof LENGTHS)[number]['value']

export interface SilenceDraft {
  /** Empty fits all, in each of the three. */
  cluster: string
  rule: AlertRule | ''
  pattern: string
  length: Length
  /** What was typed, where `length` is a time. */
  time: string
  comment: string
}

/** The prefix of an alert's election, as people read it; '' where it is about none. */
export function prefixOf({ ref }: Pick<Alert, 'ref'>): string {
  if (ref === undefined) return ''
  try {
    return shown(parseRef(ref).prefixLatin1).text
  } catch {
    return ''
  }
}

export function draftOf(alert: Alert | null, cluster: string | null): SilenceDraft {
  return {
    cluster: (alert === null ? cluster : alert.cluster) ?? '',
    rule: alert?.rule ?? '',
    pattern: alert === null ? '' : prefixOf(alert),
    length: '120',
    time: '',
    comment: '',
  }
}

const isRule = (text: string): text is AlertRule => ALERT_RULES.some((rule) => rule === text)
export const ruleOf = (text: string): AlertRule | '' => (isRule(text) ? text : '')

/** `05:30` is the next one; with a date it is that. */
function readUntil(text: string, now: Instant): Instant | null {
  const bare = text.trim().replace(/\s*(Z|UTC)$/i, '')
  if (!/^\d{1,2}:\d{2}(:\d{2})?$/.test(bare)) {
    const moment = readMoment(bare, null)
    return 'at' in moment ? moment.at : null
  }
  const moment = readMoment(`${now.slice(0, 10)} ${bare}`, null)
  if (!('at' in moment)) return null
  return moment.at > now ? moment.at : instant(msOf(moment.at) + DAY_MS)
}

export function untilOf({ length, time }: Pick<SilenceDraft, 'length' | 'time'>, now: Instant): Instant | null {
  return length === 'time' ? readUntil(time, now) : instant(msOf(now) + Number(length) * 60_000)
}

/** What keeps it from being sent; null when nothing does. */
export function missingIn(draft: SilenceDraft, now: Instant): string | null {
  const until = untilOf(draft, now)
  if (draft.length === 'time' && draft.time.trim() === '') return 'Say until when.'
  if (until === null) return `“${draft.time.trim()}” is no time. Write 05:30 or 2026-03-12 05:30, in UTC.`
  if (until <= now) return `${spoken(until)} has passed: it is ${spoken(now)}.`
  return draft.comment.trim() === '' ? 'Say why, for whoever looks later.' : null
}

export function inputOf(draft: SilenceDraft, until: Instant) {
  const { cluster, rule, pattern, comment } = draft
  return {
    until,
    comment: comment.trim(),
    ...(cluster === '' ? {} : { cluster }),
    ...(rule === '' ? {} : { rule }),
    ...(pattern.trim() === '' ? {} : { pattern: pattern.trim() }),
  }
}

const bare = (text: string) => text.replace(/\/$/, '')

/** Of what fires or is about to, that which it would keep from being told. */
export function fitting({ cluster, rule, pattern }: SilenceDraft, alerts: readonly Alert[]): Alert[] {
  const wanted = pattern.trim()
  return alerts.filter(
    (alert) =>
      (cluster === '' || alert.cluster === cluster) &&
      (rule === '' || alert.rule === rule) &&
      (wanted === '' || (alert.ref !== undefined && matches(bare(wanted), bare(prefixOf(alert))))),
  )
}
