import type { Alert, AlertBrief } from '../../lib/election/alerts.ts'

/** It goes to every page with every heartbeat: no more than a line or two. */
const LONGEST = 300

const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

export function briefOf(alert: Alert): AlertBrief {
  const { id, rule, severity, stage, cluster, ref, since, sinceApproximate, acknowledged, silence } = alert
  return {
    id,
    rule,
    severity,
    stage,
    cluster,
    ...(ref === undefined ? {} : { ref }),
    subject: cut(alert.subject),
    since,
    sinceApproximate,
    summary: cut(alert.summary),
    detail: cut(alert.detail),
    acknowledged: acknowledged !== null,
    silenced: silence !== null,
  }
}
