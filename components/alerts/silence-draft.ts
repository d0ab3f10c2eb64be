/** A silence while it is being written: what it would fit, until when, and what is missing. Pure. */
import { ALERT_RULES, type Alert, type AlertRule } from '../../lib/election/alerts.ts'
import { fits, prefixOf } from '../../lib/election/silences.ts'
import { type Instant, instant, msOf } from '../../lib/shared/clock.ts'
import { readMoment, spoken } from '../live/as-of.ts'

export const LONGEST_COMMENT = 500
const DAY_MS = 24 * 3_600_000
/** As the server has it. */
const LONGEST_MS = 31 * DAY_MS

export const LENGTHS = [
  { value: '30', label: '30 m', name: '30 minutes' },
  { value: '120', label: '2 h', name: '2 hours' },
  { value: '480', label: '8 h', name: '8 hours' },
  { value: '1440', label: '24 h', name: '24 hours' },
  { value: 'time', label: 'Time…', name: 'Until a time, UTC' },
] as const
export type Length = (typeof LENGTHS)[number]['value']

export interface SilenceDraft {
  /** Empty fits all; not in all three, for then nobody would be told of anything. */
  cluster: string
  rule: AlertRule | ''
  pattern: string
  length: Length
  /** What was typed, where `length` is a time. */
  time: string
  comment: string
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
  if (draft.cluster === '' && draft.rule === '' && draft.pattern.trim() === '') {
    return 'Choose a rule or a cluster, or write a prefix.'
  }
  if (draft.length === 'time' && draft.time.trim() === '') return 'Say until when.'
  if (until === null) return `“${draft.time.trim()}” is no time. Write 05:30 or 2026-03-12 05:30, in UTC.`
  if (until <= now) return `${spoken(until)} has passed: it is ${spoken(now)}.`
  if (msOf(until) - msOf(now) > LONGEST_MS) return 'A silence lasts at most 31 days.'
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

/** Of what fires or is about to, that which it would keep from being told. */
export function fitting(draft: SilenceDraft, alerts: readonly Alert[]): Alert[] {
  const { until: _, comment: __, ...silence } = inputOf(draft, '')
  return alerts.filter((alert) => fits(silence, alert))
}
