/** Alerts and silences for tests. */
import type { Alert, Silence } from '../../lib/election/alerts.ts'
import { refOf } from '../../lib/election/ids.ts'

export const NOW = '2026-03-12T03:12:47.000Z'
export const refFor = (prefix: string) => refOf('queue', prefix)

export function alertOf(more: Partial<Alert> = {}): Alert {
  const since = more.since ?? '2026-03-12T03:12:06.000Z'
  return {
    id: 'a1',
    key: 'leaderless/eu/billing',
    rule: 'leaderless',
    severity: 'critical',
    cluster: 'eu',
    ref: refFor('/elections/billing/settlement/'),
    subject: 'billing/settlement',
    stage: 'firing',
    since,
    sinceApproximate: false,
    firedAt: since,
    resolvedAt: null,
    resolvedApproximate: false,
    summary: 'billing/settlement has no leader',
    detail: 'st-2 lost its lease and nobody is waiting to take over.',
    acknowledged: null,
    silence: null,
    partOf: null,
    ...more,
  }
}

export function silenceOf(more: Partial<Silence> = {}): Silence {
  return {
    id: 's1',
    from: '2026-03-12T03:00:00.000Z',
    until: '2026-03-12T05:00:00.000Z',
    by: 'u1',
    comment: 'disk is being replaced',
    ended: null,
    ...more,
  }
}
