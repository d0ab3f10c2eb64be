/** Addresses in messages: absolute, so only where it is configured under which one people reach Tenure. */
import { type Alert, runbookPath } from '../../lib/election/alerts.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import type { Links } from './channels/channel.ts'

/** The quarter of an hour around its beginning. */
const AFTER_MS = 7.5 * 60_000

export function alertPath({ cluster, ref, since, id }: Pick<Alert, 'cluster' | 'ref' | 'since' | 'id'>): string {
  if (cluster === null || ref === undefined) return `/alerts#${id}`
  const end = encodeURIComponent(instant(msOf(since) + AFTER_MS))
  return `/elections/${encodeURIComponent(cluster)}/${ref}?range=15m&end=${end}`
}

/** Where a test message leads to. */
export function alertsPage(publicUrl: string | undefined): Links {
  return { alert: publicUrl === undefined ? null : `${publicUrl.replace(/\/$/, '')}/alerts`, runbook: null }
}

export function linksOf(
  alert: Pick<Alert, 'cluster' | 'ref' | 'since' | 'id' | 'rule'>,
  publicUrl: string | undefined,
): Links {
  if (publicUrl === undefined) return { alert: null, runbook: null }
  const root = publicUrl.replace(/\/$/, '')
  return { alert: `${root}${alertPath(alert)}`, runbook: `${root}${runbookPath(alert.rule)}` }
}
