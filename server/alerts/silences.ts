/** Which silence, if any, keeps an alert from being told. */
import type { Alert, Silence } from '../../lib/election/alerts.ts'
import { matches } from '../../lib/election/layouts.ts'
import type { Instant } from '../../lib/shared/clock.ts'

export function holds({ from, until, ended }: Silence, now: Instant): boolean {
  return ended === null && from <= now && now < until
}

const bare = (prefix: string) => prefix.replace(/\/$/, '')

/** `prefix` of the alert's election, as it is shown; null where it is about none. */
export function fits(silence: Silence, alert: Pick<Alert, 'cluster' | 'rule'>, prefix: string | null): boolean {
  if (silence.cluster !== undefined && silence.cluster !== alert.cluster) return false
  if (silence.rule !== undefined && silence.rule !== alert.rule) return false
  if (silence.pattern === undefined) return true
  return prefix !== null && matches(bare(silence.pattern), bare(prefix))
}
