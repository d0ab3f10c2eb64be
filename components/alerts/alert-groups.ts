/** Which alerts stand for others, and which fired at a moment of the past. Pure. */
import { type Alert, worstFirst } from '../../lib/election/alerts.ts'
import type { Instant } from '../../lib/shared/clock.ts'

export interface AlertGroup {
  alert: Alert
  /** Said by it already, as a mass event says its elections. */
  parts: readonly Alert[]
}

/** In the order given. A part whose whole is not there stands for itself: nothing is hidden behind nothing. */
export function groupsOf(alerts: readonly Alert[]): AlertGroup[] {
  const wholes = new Map(alerts.filter(({ partOf }) => partOf === null).map((alert) => [alert.key, alert]))
  const isPart = ({ partOf }: Alert) => partOf !== null && wholes.has(partOf)
  const parts = Map.groupBy(alerts.filter(isPart), ({ partOf }) => partOf)
  return alerts.filter((alert) => !isPart(alert)).map((alert) => ({ alert, parts: parts.get(alert.key) ?? [] }))
}

/** Those that people are told of: neither silenced nor said by another. */
export function told(alerts: readonly Alert[]): Alert[] {
  return groupsOf(alerts)
    .map(({ alert }) => alert)
    .filter(({ stage, silence }) => stage === 'firing' && silence === null)
}

/** As it stood at `at`: what was said and done later is taken off. Whether a silence held it then is not kept. */
export function asAt(alert: Alert, at: Instant): Alert {
  const { resolvedAt, acknowledged, stage, resolvedApproximate } = alert
  const isOver = resolvedAt !== null && resolvedAt <= at
  return {
    ...alert,
    stage: isOver ? stage : 'firing',
    resolvedAt: isOver ? resolvedAt : null,
    resolvedApproximate: isOver && resolvedApproximate,
    silence: null,
    acknowledged: acknowledged !== null && acknowledged.at <= at ? acknowledged : null,
  }
}

/** Those that fired at `at`, worst first. */
export function firingAt(alerts: readonly Alert[], at: Instant): Alert[] {
  return alerts
    .filter(({ firedAt }) => firedAt !== null && firedAt <= at)
    .map((alert) => asAt(alert, at))
    .filter(({ stage }) => stage === 'firing')
    .sort(worstFirst)
}
