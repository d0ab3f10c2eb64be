/** Alerts: what is wrong now or was, told once to whoever must know. The predicates are in `status.ts` and beside it. */
import type { Instant } from '../shared/clock.ts'
import type { ElectionRef } from './types.ts'

export const ALERT_RULES = [
  'dual-claim',
  'quorum-lost',
  'store-rolled-back',
  'mass-event',
  'leaderless',
  'etcd-alarm',
  'switch-unreadable',
  'switch-vanished',
  'switch-overdue',
  'switch-forgotten',
  'view-stale',
  'flapping',
  'lease-margin',
  'renewal-slow',
  'no-standby',
  'leader-without-lease',
  'history-unwritten',
  'certificate-expiring',
] as const
/** In the order in which alerts of one severity are listed. */
export type AlertRule = (typeof ALERT_RULES)[number]

export const SEVERITIES = ['critical', 'warning'] as const
export type Severity = (typeof SEVERITIES)[number]

/** `pending`: it is so, but not yet for as long as the rule waits. */
export type AlertStage = 'pending' | 'firing' | 'resolved'

export interface AlertAcknowledged {
  by: string
  at: Instant
  comment: string
}

export interface Alert {
  /** One occurrence: another one of the same trouble has another id. */
  id: string
  /** Names the trouble: the same over restarts, and when it comes back. At most 200 characters. */
  key: string
  rule: AlertRule
  severity: Severity
  /** null: it concerns Tenure as a whole. */
  cluster: string | null
  /** The election, where it is one's. */
  ref?: ElectionRef
  /** What it is about, as people read it: the election's name, a scope, a member, a file. */
  subject: string
  stage: AlertStage
  /** Since when it is so. */
  since: Instant
  /** It began at a time in which Tenure did not see: `since` is when it was found. */
  sinceApproximate: boolean
  /** null while pending. */
  firedAt: Instant | null
  /** null until it is over. */
  resolvedAt: Instant | null
  /** It ended at a time in which Tenure did not see. */
  resolvedApproximate: boolean
  /** One line: "billing/settlement has no leader". */
  summary: string
  /** In sentences, with what was observed. */
  detail: string
  acknowledged: AlertAcknowledged | null
  /** The silence that keeps it from being told; null when none does. */
  silence: string | null
  /** Key of the alert that says it already, as a mass event does of its elections. Nobody is told of this one. */
  partOf: string | null
}

/** As every page gets it with the cluster. */
export type AlertBrief = Pick<
  Alert,
  | 'id'
  | 'rule'
  | 'severity'
  | 'stage'
  | 'cluster'
  | 'ref'
  | 'subject'
  | 'since'
  | 'sinceApproximate'
  | 'summary'
  | 'detail'
> & { acknowledged: boolean; silenced: boolean }

/** What is wrong now, of one cluster and of Tenure as a whole. */
export interface AlertsTold {
  /** Rises with every change of any alert, silence or delivery: what was asked for has to be asked for again. */
  version: number
  /** Firing, and not silenced or part of another. */
  critical: number
  warning: number
  /** Firing, and not acknowledged either. */
  unacknowledged: number
  /** Worst first, pending ones too, at most twelve. */
  worst: readonly AlertBrief[]
}

/** Keeps what it fits from being told. What is left out fits everything. */
export interface Silence {
  id: string
  cluster?: string
  rule?: AlertRule
  /** Of an election's prefix or name; `*` stands for one path segment. Alerts without an election do not fit it. */
  pattern?: string
  from: Instant
  until: Instant
  by: string
  comment: string
  /** null unless somebody ended it before its time. */
  ended: { by: string; at: Instant } | null
}

export type DeliveryKind = 'firing' | 'reminder' | 'resolved' | 'test'

/** One message for one channel. */
export interface Delivery {
  /** The same however often it is sent: whoever gets it twice can tell. */
  id: string
  channel: string
  kind: DeliveryKind
  /** null: a test. */
  alertId: string | null
  key: string
  summary: string
  at: Instant
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  deliveredAt: Instant | null
  /** Of the newest attempt that failed; of `failed`, why it was given up. */
  error: string | null
  /** When it is tried next; null when it is not. */
  nextAt: Instant | null
}

export const CHANNEL_TYPES = ['alertmanager', 'webhook', 'slack', 'pagerduty', 'email'] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]

/** A channel as it stands in the configuration, with how it does. No secret is in it. */
export interface ChannelShape {
  name: string
  type: ChannelType
  /** Where it sends, without credentials: a host, or the recipients. */
  to: string
  severities: readonly Severity[]
  waiting: number
  lastDeliveredAt: Instant | null
  /** Why its newest attempt failed; null when it did not. */
  trouble: string | null
}

const SEVERITY_RANK: Readonly<Record<Severity, number>> = { critical: 0, warning: 1 }
const STAGE_RANK: Readonly<Record<AlertStage, number>> = { firing: 0, pending: 1, resolved: 2 }
const RULE_RANK = new Map(ALERT_RULES.map((rule, rank) => [rule, rank]))

type Ranked = Pick<Alert, 'severity' | 'stage' | 'rule' | 'since' | 'id'>

/** Firing before pending, critical before warning, by rule, the oldest first. */
export function worstFirst(a: Ranked, b: Ranked): number {
  return (
    STAGE_RANK[a.stage] - STAGE_RANK[b.stage] ||
    SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity] ||
    (RULE_RANK.get(a.rule) ?? 0) - (RULE_RANK.get(b.rule) ?? 0) ||
    (a.since < b.since ? -1 : a.since > b.since ? 1 : a.id < b.id ? -1 : 1)
  )
}

/** Where the page that explains a rule is, from the root of the dashboard. */
export const runbookPath = (rule: AlertRule) => `/runbooks/${rule}`
