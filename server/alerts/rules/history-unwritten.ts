import type { Thresholds } from '../thresholds.ts'
import type { Finding } from './finding.ts'

/** It concerns all clusters: there is one history. */
export function historyUnwritten(error: string | undefined, thresholds: Thresholds): Finding[] {
  if (error === undefined) return []
  const { severity, forMs } = thresholds['history-unwritten']
  return [
    {
      rule: 'history-unwritten',
      severity,
      forMs,
      about: '',
      subject: 'history',
      since: null,
      summary: 'History is not being written',
      detail: `What happens now will be missing from terms, charts and reports: ${error}`,
    },
  ]
}
