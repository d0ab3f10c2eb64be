/** What alerts say in the timeline of an incident. */
import { elapsedMs, type Instant } from '../shared/clock.ts'
import { duration, timeOfDay } from '../shared/format.ts'
import type { Alert } from './alerts.ts'
import type { IncidentEntry } from './incident-entries.ts'
import type { IncidentSeen } from './incident-report.ts'
import type { ElectionRef } from './types.ts'

/** One that fired. */
type Fired = Alert & { firedAt: Instant }

/**
 * Those that fired in the range or were firing when it began, of this cluster or of Tenure as a whole, and of an
 * election only where the report tells of it. What another one of them says already is not said again.
 */
export function alertsTold(
  { alerts, cluster, from, to }: Pick<IncidentSeen, 'alerts' | 'cluster' | 'from' | 'to'>,
  refs: ReadonlySet<ElectionRef>,
): Fired[] {
  const fired = alerts.filter((alert): alert is Fired => {
    if (alert.firedAt === null || alert.firedAt >= to) return false
    if (alert.resolvedAt !== null && alert.resolvedAt < from) return false
    return alert.cluster === null || (alert.cluster === cluster && (alert.ref === undefined || refs.has(alert.ref)))
  })
  const keys = new Set(fired.map(({ key }) => key))
  return fired.filter(({ partOf }) => partOf === null || !keys.has(partOf))
}

export function alertEntry(alert: Fired): IncidentEntry {
  const { rule, severity, ref, firedAt, resolvedAt, detail } = alert
  return {
    type: 'alert',
    at: firedAt,
    to: resolvedAt,
    ...(ref === undefined ? {} : { refs: [ref] }),
    words: alertWords(alert),
    ...(detail === '' ? {} : { why: detail }),
    alert: { rule, severity },
  }
}

/** "Alert: jobs has no leader, fired 03:12:16, over after 4 m 12 s; acknowledged by u1: looking into it" */
function alertWords(alert: Fired): string {
  const { summary, firedAt, resolvedAt, acknowledged, silence } = alert
  const about = alert.resolvedApproximate ? 'about ' : ''
  const over = resolvedAt === null ? 'not over' : `over after ${about}${duration(elapsedMs(firedAt, resolvedAt))}`
  const found = alert.sinceApproximate ? ' (it may have begun earlier, unseen)' : ''
  const said = acknowledged === null || acknowledged.comment === '' ? '' : `: ${acknowledged.comment}`
  return [
    `Alert: ${summary}, fired ${timeOfDay(firedAt)}${found}, ${over}`,
    ...(acknowledged === null ? [] : [`acknowledged by ${acknowledged.by}${said}`]),
    ...(silence === null ? [] : ['silenced']),
  ].join('; ')
}
