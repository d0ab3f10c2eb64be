/** Times, channels, deliveries and silences in words. Pure. */
import type { Alert, ChannelShape, Delivery, DeliveryKind, Silence } from '../../lib/election/alerts.ts'
import { elapsedMs, type Instant } from '../../lib/shared/clock.ts'
import { count, day, duration, hourAndMinute, shortDuration, timeOfDay } from '../../lib/shared/format.ts'
import { ruleWords } from '../election/alert-glyph.ts'

/** "03:12:06", with the day where it is another. */
export function whenWords(at: Instant, now: Instant): string {
  return day(at) === day(now) ? timeOfDay(at) : `${day(at)} ${hourAndMinute(at)}`
}

/** Later today only the time counts; "until 09:30 UTC", "until Fri 13 Mar 09:30 UTC". */
export function untilWords(until: Instant, now: Instant): string {
  return `until ${day(until) === day(now) ? '' : `${day(until)} `}${hourAndMinute(until)} UTC`
}

/** What a silence fits, most telling first. Nothing named fits everything. */
export function fitsWords({ rule, pattern, cluster }: Pick<Silence, 'rule' | 'pattern' | 'cluster'>): string {
  const parts = [
    rule === undefined ? '' : ruleWords(rule),
    pattern === undefined ? '' : `of ${pattern}`,
    cluster === undefined ? '' : `in ${cluster}`,
  ].filter(Boolean)
  if (parts.length === 0) return 'every alert'
  return rule === undefined ? `every alert ${parts.join(' ')}` : parts.join(' ')
}

export type SilenceState = 'holds' | 'over' | 'ended'

export function silenceState({ until, ended }: Pick<Silence, 'until' | 'ended'>, now: Instant): SilenceState {
  if (ended !== null && ended.at <= now) return 'ended'
  return until > now ? 'holds' : 'over'
}

export function silenceWords(silence: Silence, now: Instant): string {
  switch (silenceState(silence, now)) {
    case 'holds':
      return `${untilWords(silence.until, now)}, ${duration(elapsedMs(now, silence.until))} left`
    case 'over':
      return `over since ${whenWords(silence.until, now)} UTC`
    case 'ended':
      return `ended by ${silence.ended?.by} at ${whenWords(silence.ended?.at ?? silence.until, now)} UTC`
  }
}

export interface Told {
  tone: 'ok' | 'warn' | 'crit' | 'calm'
  words: string
}

/** "delivered 41 s ago", "3 waiting: 503 from host", "never used". */
export function channelWords({ waiting, trouble, lastDeliveredAt }: ChannelShape, now: Instant): Told {
  const last = lastDeliveredAt === null ? null : `delivered ${shortDuration(elapsedMs(lastDeliveredAt, now))} ago`
  if (trouble !== null) {
    const wait = waiting > 0 ? `${waiting.toLocaleString('en-US')} waiting: ` : 'the newest attempt failed: '
    return { tone: waiting > 0 ? 'crit' : 'warn', words: `${wait}${trouble}${last === null ? '' : `; ${last}`}` }
  }
  if (waiting > 0)
    return { tone: 'warn', words: `${waiting.toLocaleString('en-US')} waiting${last ? `; ${last}` : ''}` }
  return last === null ? { tone: 'calm', words: 'never used' } : { tone: 'ok', words: last }
}

export const CHANNEL_WORDS: Readonly<Record<ChannelShape['type'], string>> = {
  alertmanager: 'Alertmanager',
  webhook: 'webhook',
  slack: 'Slack webhook',
  pagerduty: 'PagerDuty',
  email: 'e-mail',
}

export const KIND_WORDS: Readonly<Record<DeliveryKind, string>> = {
  firing: 'Fires',
  reminder: 'Still fires',
  resolved: 'Over',
  test: 'Test',
}

const attempts = (n: number) => (n > 1 ? ` after ${count(n, 'attempt')}` : '')

export function deliveryWords(delivery: Delivery, now: Instant): Told {
  const { state, error, nextAt, deliveredAt } = delivery
  switch (state) {
    case 'delivered': {
      const at = deliveredAt === null ? '' : ` ${whenWords(deliveredAt, now)}`
      return { tone: 'ok', words: `delivered${at}${attempts(delivery.attempts)}` }
    }
    case 'failed':
      return { tone: 'crit', words: `given up${attempts(delivery.attempts)}${error === null ? '' : `: ${error}`}` }
    case 'waiting': {
      const left = nextAt === null ? 0 : elapsedMs(now, nextAt)
      const next = left > 0 ? `, again in ${shortDuration(left)}` : ''
      return { tone: error === null ? 'calm' : 'warn', words: `waiting${error === null ? '' : `: ${error}`}${next}` }
    }
  }
}

/** "over after 41 s", "≈ 12 m"; an end that nobody saw is not given to the second. */
export function overWords({ since, resolvedAt, resolvedApproximate, sinceApproximate }: Alert, now: Instant): string {
  if (resolvedAt === null) return `fires for ${duration(elapsedMs(since, now))}`
  const isRough = resolvedApproximate || sinceApproximate
  return `${isRough ? '≈ ' : ''}${(isRough ? shortDuration : duration)(elapsedMs(since, resolvedAt))}`
}

/** What an alert stands for: elections, each once however much is wrong with it, or the rest of what is wrong with its own. */
export function partsWords({ ref }: Pick<Alert, 'ref'>, parts: readonly Pick<Alert, 'ref'>[]): string {
  const elections = new Set(parts.map((part) => part.ref))
  return ref !== undefined || elections.has(undefined)
    ? count(parts.length, 'other alert')
    : count(elections.size, 'election')
}
