/** Addresses in messages: absolute, so only where it is configured under which one people reach Tenure. */
import { type Alert, runbookPath } from '../../lib/election/alerts.ts'
import { instant, msOf } from '../../lib/shared/clock.ts'
import type { Links } from './channels/channel.ts'

const HALF_MS = 7.5 * 60_000

type About = Pick<Alert, 'cluster' | 'ref' | 'since' | 'firedAt' | 'resolvedAt' | 'id'>

/** The quarter of an hour around its beginning, and nothing that lay ahead when it was told. */
export function alertPath({ cluster, ref, since, firedAt, resolvedAt, id }: About): string {
  if (cluster === null || ref === undefined) return `/alerts#${id}`
  const toldMs = Math.max(...[since, firedAt, resolvedAt].map((at) => (at === null ? 0 : msOf(at))))
  const end = encodeURIComponent(instant(Math.min(msOf(since) + HALF_MS, toldMs)))
  return `/elections/${encodeURIComponent(cluster)}/${ref}?range=15m&end=${end}`
}

/** Where a test message leads to. */
export function alertsPage(publicUrl: string | undefined): Links {
  return { alert: publicUrl === undefined ? null : `${publicUrl.replace(/\/$/, '')}/alerts`, runbook: null }
}

export function linksOf(alert: About & Pick<Alert, 'rule'>, publicUrl: string | undefined): Links {
  if (publicUrl === undefined) return { alert: null, runbook: null }
  const root = publicUrl.replace(/\/$/, '')
  return { alert: `${root}${alertPath(alert)}`, runbook: `${root}${runbookPath(alert.rule)}` }
}
