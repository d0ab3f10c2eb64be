/** PagerDuty, Events API v2: an incident is opened and closed by the alert's key, however often it is told. */
import type { Severity } from '../../../lib/election/alerts.ts'
import type { Message, MessageChannel } from './channel.ts'
import { hostOf, post } from './http.ts'
import { readSecret } from './secret-file.ts'
import { course, cut, headline, showable } from './texts.ts'

export interface PagerDutyOptions {
  name: string
  severities: readonly Severity[]
  routingKeyFile: string
  url: string
}

const SUMMARY_CHARS = 1_024
const KEY_CHARS = 255

interface Event {
  event_action: 'trigger' | 'resolve'
  dedup_key: string
  [field: string]: unknown
}

export function eventOf(message: Message, action: 'trigger' | 'resolve'): Event {
  const { alert, links } = message
  const key = { event_action: action, dedup_key: cut(alert.key, KEY_CHARS) }
  if (action === 'resolve') return key
  const told = showable(alert)
  const shown = [
    ...(links.alert === null ? [] : [{ href: links.alert, text: 'Open in Tenure' }]),
    ...(links.runbook === null ? [] : [{ href: links.runbook, text: 'What to do' }]),
  ]
  return {
    ...key,
    client: 'Tenure',
    ...(links.alert === null ? {} : { client_url: links.alert }),
    ...(shown.length === 0 ? {} : { links: shown }),
    payload: {
      summary: cut(headline(message), SUMMARY_CHARS),
      source: told.cluster ?? 'tenure',
      severity: told.severity,
      timestamp: told.since,
      component: told.subject,
      class: told.rule,
      custom_details: { detail: told.detail, course: course(told) },
    },
  }
}

export class PagerDuty implements MessageChannel {
  readonly type = 'pagerduty'
  readonly name: string
  readonly to: string
  readonly severities: readonly Severity[]
  private readonly routingKeyFile: string
  private readonly url: string

  constructor({ name, severities, routingKeyFile, url }: PagerDutyOptions) {
    this.name = name
    this.severities = severities
    this.routingKeyFile = routingKeyFile
    this.url = url
    this.to = hostOf(url)
  }

  /** A test closes at once what it opened. */
  async send(message: Message, signal: AbortSignal): Promise<null> {
    const { kind } = message
    if (kind !== 'resolved') await this.enqueue(eventOf(message, 'trigger'), signal)
    if (kind === 'resolved' || kind === 'test') await this.enqueue(eventOf(message, 'resolve'), signal)
    return null
  }

  private async enqueue(event: Event, signal: AbortSignal): Promise<void> {
    const routingKey = readSecret(this.routingKeyFile, `the routing key of channel ${this.name}`)
    const body = JSON.stringify({ routing_key: routingKey, ...event })
    await post({ url: this.url, body, secrets: [routingKey] }, signal)
  }
}
