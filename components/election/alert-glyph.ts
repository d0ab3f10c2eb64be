/** How alerts look beside elections: the glyph of the status that is meant, the rule in a word, the severity's colour. */
import type { AlertRule, Severity } from '../../lib/election/alerts.ts'
import type { Status } from '../../lib/election/status.ts'
import type { Tone } from './status-words.ts'

const GLYPHS: Readonly<Record<AlertRule, Status>> = {
  'dual-claim': 'dual-claim',
  'quorum-lost': 'unknown',
  'store-rolled-back': 'unknown',
  'mass-event': 'flapping',
  leaderless: 'leaderless',
  'etcd-alarm': 'at-risk',
  'switch-unreadable': 'stopped',
  'switch-vanished': 'stopped',
  'switch-overdue': 'stopped',
  'switch-forgotten': 'stopped',
  'view-stale': 'unknown',
  flapping: 'flapping',
  'lease-margin': 'at-risk',
  'renewal-slow': 'at-risk',
  'no-standby': 'no-standby',
  'leader-without-lease': 'at-risk',
  'history-unwritten': 'unknown',
  'certificate-expiring': 'at-risk',
}

export const RULE_WORDS: Readonly<Record<AlertRule, string>> = {
  'dual-claim': 'Dual claim',
  'quorum-lost': 'Quorum lost',
  'store-rolled-back': 'Store rolled back',
  'mass-event': 'Mass event',
  leaderless: 'Leaderless',
  'etcd-alarm': 'etcd alarm',
  'switch-unreadable': 'Switch unreadable',
  'switch-vanished': 'Switch vanished',
  'switch-overdue': 'Switch overdue',
  'switch-forgotten': 'Switch forgotten',
  'view-stale': 'View stale',
  flapping: 'Flapping',
  'lease-margin': 'Lease at risk',
  'renewal-slow': 'Slow renewals',
  'no-standby': 'No standby',
  'leader-without-lease': 'No lease',
  'history-unwritten': 'History unwritten',
  'certificate-expiring': 'Certificate expires',
}

/** A rule that a newer server knows and this page does not still has a mark. */
export const glyphOf = (rule: AlertRule): Status => GLYPHS[rule] ?? 'unknown'
export const ruleWords = (rule: AlertRule): string => RULE_WORDS[rule] ?? rule

const TONES: Readonly<Record<Severity, Tone>> = { critical: 'crit', warning: 'warn' }
export const toneOfSeverity = (severity: Severity): Tone => TONES[severity]

const EDGES: Readonly<Record<Severity, string>> = { critical: 'edge edge-crit bg-tint-crit', warning: 'edge edge-warn' }

/** One that waits to fire, or that nobody is told of, has the edge alone. */
export function edgeOfAlert(severity: Severity, isQuiet: boolean): string {
  return isQuiet ? EDGES[severity].replace(' bg-tint-crit', '') : EDGES[severity]
}
