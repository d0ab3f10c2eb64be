/** Alerts and messages for tests. */
import type { Alert } from '../../../lib/election/alerts.ts'
import type { ElectionRef } from '../../../lib/election/types.ts'
import type { Links, Message } from './channel.ts'

export const LINKS: Links = {
  alert:
    'https://tenure.example.org/elections/prod-eu/q~YmlsbGluZy9zZXR0bGVtZW50Lw?range=15m&end=2026-03-12T02%3A18%3A19.500Z',
  runbook: 'https://tenure.example.org/runbooks/leaderless',
}

export function alertOf(change: Partial<Alert> = {}): Alert {
  return {
    id: 'a1',
    key: 'tenure/prod-eu/leaderless/7088b9ac21585216',
    rule: 'leaderless',
    severity: 'critical',
    cluster: 'prod-eu',
    ref: 'q~YmlsbGluZy9zZXR0bGVtZW50Lw' as ElectionRef,
    subject: 'billing/settlement',
    stage: 'firing',
    since: '2026-03-12T02:14:07.120Z',
    sinceApproximate: false,
    firedAt: '2026-03-12T02:14:37.120Z',
    resolvedAt: null,
    resolvedApproximate: false,
    summary: 'billing/settlement has no leader',
    detail: 'No candidate holds it. 2 candidates wait.',
    acknowledged: null,
    silence: null,
    partOf: null,
    ...change,
  }
}

export const resolved = (change: Partial<Alert> = {}): Alert =>
  alertOf({ stage: 'resolved', resolvedAt: '2026-03-12T02:18:19.500Z', ...change })

export function messageOf(change: Partial<Message> = {}): Message {
  return { id: 'm1', kind: 'firing', at: '2026-03-12T02:14:37.120Z', alert: alertOf(), links: LINKS, ...change }
}

/** What names, values and reasons may hold (RC-25), each with what must not be found of it in a message. */
export const HOSTILE = {
  channel: '<!channel> *bold* _it_ ~s~ `code` @here',
  image: 'xss/<img src=x onerror=alert(1)>&lt;b&gt;',
  lines: 'first\r\nBcc: u1@example.org\n\nsecond',
  ansi: '\u001b[31mred\u001b[0m\u0007',
  rtl: 'abc\u202edcba\u2066',
  half: 'half \ud83d of a character',
  long: 'x'.repeat(20_000),
} as const
export type Hostile = keyof typeof HOSTILE
