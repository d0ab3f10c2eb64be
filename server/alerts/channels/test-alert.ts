/** What a channel is tried with: an alert that nobody has to do anything about. */
import type { Alert, Severity } from '../../../lib/election/alerts.ts'
import type { Instant } from '../../../lib/shared/clock.ts'
import type { Links, Message } from './channel.ts'

const KEY = 'tenure-test/'

/** It shows up where alerts show up, so that each channel knows it for what it is. */
export const isTest = (alert: Pick<Alert, 'key'>) => alert.key.startsWith(KEY)

export function testAlert(channel: string, severity: Severity, at: Instant): Alert {
  return {
    id: `test-${channel}`,
    key: `${KEY}${channel}`,
    rule: 'leaderless',
    severity,
    cluster: null,
    subject: `channel ${channel}`,
    stage: 'firing',
    since: at,
    sinceApproximate: false,
    firedAt: at,
    resolvedAt: null,
    resolvedApproximate: false,
    summary: `this is a test of channel ${channel}`,
    detail: 'Somebody tries whether alerts of Tenure arrive here. Nothing is wrong, and there is nothing to do.',
    acknowledged: null,
    silence: null,
    partOf: null,
  }
}

export function testMessage(id: string, alert: Alert, links: Links): Message {
  return { id, kind: 'test', at: alert.since, alert, links }
}
