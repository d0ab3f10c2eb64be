/**
 * Alertmanager is told what holds, again and again: what it hears no more of is over for it. It makes the messages,
 * and knows an alert by its labels, so the same trouble has the same labels for ever.
 */
import type { Alert, AlertRule, Severity } from '../../../lib/election/alerts.ts'
import { parseRef, shown } from '../../../lib/election/ids.ts'
import { type Instant, instant, msOf } from '../../../lib/shared/clock.ts'
import { DeliveryError, type Standing, type StateChannel } from './channel.ts'
import { post } from './http.ts'
import { readSecret } from './secret-file.ts'
import { isTest } from './test-alert.ts'
import { course, facts, plain, showable } from './texts.ts'

export interface AlertmanagerOptions {
  name: string
  severities: readonly Severity[]
  urls: readonly string[]
  everyMs: number
  /** As Alertmanager itself asks for them. */
  user?: string
  passwordFile?: string
  /** Sent as a bearer token instead. */
  tokenFile?: string
}

/** As many as Prometheus sends at once. */
const BATCH = 64
/** So long after the last push an alert is over by itself: three pushes may get lost. */
const PUSHES_UNTIL_OVER = 4
const TEST_MS = 60_000
const LABEL_CHARS = 200

type Labels = Readonly<Record<string, string>>

/** `leader-without-lease` → `TenureLeaderWithoutLease`. */
export function alertName(rule: AlertRule): string {
  return `Tenure${rule.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}`
}

/** Nothing in here may differ from one time to the next: a short name would, where another election gets the same. */
export function labelsOf(alert: Alert): Labels {
  const { rule, severity, cluster, ref, key } = alert
  return {
    alertname: isTest(alert) ? 'TenureTest' : alertName(rule),
    severity,
    rule: isTest(alert) ? 'test' : rule,
    ...(cluster === null ? {} : { cluster }),
    ...(ref === undefined ? {} : { election: plain(shown(parseRef(ref).prefixLatin1).text, LABEL_CHARS) }),
    ...(ref === undefined || ref.length > LABEL_CHARS ? {} : { ref }),
    key: plain(key, LABEL_CHARS),
  }
}

interface Posted {
  labels: Labels
  annotations: Labels
  startsAt: Instant
  endsAt: Instant
  generatorURL?: string
}

function endOf(alert: Alert, nowMs: number, everyMs: number): Instant {
  if (alert.resolvedAt !== null) return alert.resolvedAt
  return instant(nowMs + (isTest(alert) ? TEST_MS : everyMs * PUSHES_UNTIL_OVER))
}

function postedOf({ alert, links }: Standing, nowMs: number, everyMs: number): Posted {
  const told = showable(alert)
  const about = facts(alert)
    .slice(0, -2)
    .map(([name, value]) => `${name}: ${value}`)
  return {
    labels: labelsOf(alert),
    annotations: {
      summary: told.summary,
      description: [told.detail, course(alert), about.join(' · ')].filter((line) => line !== '').join('\n'),
      ...(links.runbook === null ? {} : { runbook_url: links.runbook }),
    },
    startsAt: alert.since,
    endsAt: endOf(alert, nowMs, everyMs),
    ...(links.alert === null ? {} : { generatorURL: links.alert }),
  }
}

/** The same trouble has come back within minutes: what it was before must not end what it is now. */
function newestOfEach(standing: readonly Standing[]): Standing[] {
  const newest = new Map<string, Standing>()
  for (const each of standing) {
    const id = JSON.stringify(labelsOf(each.alert))
    const other = newest.get(id)
    if (other === undefined || isNewer(each.alert, other.alert)) newest.set(id, each)
  }
  return [...newest.values()]
}

const isNewer = (one: Alert, other: Alert) =>
  one.resolvedAt === null ? other.resolvedAt !== null || one.since > other.since : isLater(one, other)
const isLater = (one: Alert, other: Alert) => other.resolvedAt !== null && (one.resolvedAt ?? '') > other.resolvedAt

export class Alertmanager implements StateChannel {
  readonly type = 'alertmanager'
  readonly name: string
  readonly to: string
  readonly severities: readonly Severity[]
  readonly everyMs: number
  private readonly urls: readonly string[]
  private readonly options: AlertmanagerOptions

  constructor(options: AlertmanagerOptions) {
    const { name, severities, urls, everyMs } = options
    this.name = name
    this.severities = severities
    this.everyMs = everyMs
    this.urls = urls.map((url) => `${url.replace(/\/+$/, '')}/api/v2/alerts`)
    this.to = urls.map((url) => new URL(url).host).join(', ')
    this.options = options
  }

  /** Every one of several has to hear of every alert: they only agree among themselves on who tells it. */
  async push(standing: readonly Standing[], now: Instant, signal: AbortSignal): Promise<string | null> {
    const posted = newestOfEach(standing).map((each) => postedOf(each, msOf(now), this.everyMs))
    const results = await Promise.allSettled(this.urls.map((url) => this.pushTo(url, posted, signal)))
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as DeliveryError] : []))
    if (failures.length === 0) return null
    const message = failures.map((failure) => failure.message).join('; ')
    if (failures.length < this.urls.length) return message
    const waits = failures.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]))
    throw new DeliveryError(message, {
      permanent: failures.every(({ permanent }) => permanent),
      retryAfterMs: waits.length === 0 ? null : Math.min(...waits),
    })
  }

  /** One batch that is refused does not keep the others from it. */
  private async pushTo(url: string, posted: readonly Posted[], signal: AbortSignal): Promise<void> {
    const { headers, secrets } = this.credentials()
    let refused: unknown
    for (let at = 0; at < posted.length; at += BATCH) {
      const body = JSON.stringify(posted.slice(at, at + BATCH))
      await post({ url, body, headers, secrets }, signal).catch((error) => {
        if (!(error instanceof DeliveryError && error.permanent)) throw error
        refused = error
      })
    }
    if (refused !== undefined) throw refused
  }

  private credentials(): { headers: Record<string, string>; secrets: string[] } {
    const { name, user, passwordFile, tokenFile } = this.options
    if (tokenFile !== undefined) {
      const token = readSecret(tokenFile, `the token of channel ${name}`)
      return { headers: { authorization: `Bearer ${token}` }, secrets: [token] }
    }
    if (user === undefined || passwordFile === undefined) return { headers: {}, secrets: [] }
    const password = readSecret(passwordFile, `the password of channel ${name}`)
    const basic = Buffer.from(`${user}:${password}`).toString('base64')
    return { headers: { authorization: `Basic ${basic}` }, secrets: [password, basic] }
  }
}
