/** What messages say, in plain text of one line each: every channel escapes it for where it goes. */
import type { Alert } from '../../../lib/election/alerts.ts'
import { elapsedMs, type Instant } from '../../../lib/shared/clock.ts'
import { duration } from '../../../lib/shared/format.ts'
import { oneLine } from '../../../lib/shared/markdown.ts'
import type { Message } from './channel.ts'

/** At most `max` UTF-16 units, without half a character at the end. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}

/** On one line, with what cannot be seen named; names and reasons come from strangers. */
export function plain(text: string, max: number): string {
  // Cut before as well: nobody needs a megabyte looked through for what is thrown away.
  return cut(oneLine(cut(text, max * 2).toWellFormed()), max)
}

const SUBJECT_CHARS = 200
const SUMMARY_CHARS = 300
const DETAIL_CHARS = 2_000
const COMMENT_CHARS = 500

/** The alert with all of its free text as it may be shown. Whoever sends an alert sends this one. */
export function showable(alert: Alert): Alert {
  const { acknowledged } = alert
  return {
    ...alert,
    subject: plain(alert.subject, SUBJECT_CHARS),
    summary: plain(alert.summary, SUMMARY_CHARS),
    detail: plain(alert.detail, DETAIL_CHARS),
    acknowledged: acknowledged && {
      by: plain(acknowledged.by, SUBJECT_CHARS),
      at: acknowledged.at,
      comment: plain(acknowledged.comment, COMMENT_CHARS),
    },
  }
}

/** "2026-03-12 02:14:07 UTC", with the doubt where there is one. */
export function utc(at: Instant, isApproximate = false): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC${isApproximate ? ' (time approximate)' : ''}`
}

function state({ kind, alert }: Message): string {
  switch (kind) {
    case 'firing':
      return alert.severity === 'critical' ? 'Critical' : 'Warning'
    case 'reminder':
      return `Still ${alert.severity}`
    case 'resolved':
      return 'Resolved'
    case 'test':
      return 'Test'
  }
}

/** "Critical: billing/settlement has no leader". */
export function headline(message: Message): string {
  return `${state(message)}: ${showable(message.alert).summary}`
}

/** Since when, and how it ended. */
export function course(alert: Alert): string {
  const since = `Since ${utc(alert.since, alert.sinceApproximate)}.`
  if (alert.resolvedAt === null) return since
  const after = duration(elapsedMs(alert.since, alert.resolvedAt))
  const about = alert.sinceApproximate || alert.resolvedApproximate ? 'about ' : ''
  return `${since} Resolved ${utc(alert.resolvedAt, alert.resolvedApproximate)}, after ${about}${after}.`
}

/** Name and value of what a reader looks for, in the order to show it. */
export function facts(alert: Alert): [name: string, value: string][] {
  const told = showable(alert)
  return [
    ...(told.cluster === null ? [] : [['Cluster', told.cluster] satisfies [string, string]]),
    [told.ref === undefined ? 'About' : 'Election', told.subject],
    ['Rule', told.rule],
    ['Severity', told.severity],
  ]
}

/** All that a message says, a sentence or a fact a line; without links, which every channel has its own way for. */
export function lines({ kind, at, alert }: Message): string[] {
  const told = showable(alert)
  return [
    told.detail,
    kind === 'reminder' ? `${course(told)} It has not ended for ${duration(elapsedMs(told.since, at))}.` : course(told),
    ...(told.acknowledged === null ? [] : [`Acknowledged by ${told.acknowledged.by}: ${told.acknowledged.comment}`]),
    facts(told)
      .map(([name, value]) => `${name}: ${value}`)
      .join(' · '),
  ].filter((line) => line !== '')
}
