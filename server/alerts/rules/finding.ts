/** What a rule found: that it is so, since when, and in which words. How long it must be so is the engine's business. */
import type { AlertRule, Severity } from '../../../lib/election/alerts.ts'
import type { StandingSwitch } from '../../../lib/election/scopes.ts'
import type { Candidate, Cluster, ElectionState } from '../../../lib/election/types.ts'
import type { Instant } from '../../../lib/shared/clock.ts'
import type { Thresholds } from '../thresholds.ts'

export interface Finding {
  rule: AlertRule
  severity: Severity
  forMs: number
  /** Tells findings of one rule and cluster apart; in an election's own findings its ref does. */
  about: string
  /** As people read it. */
  subject: string
  /** null: since it is found. */
  since: Instant | null
  summary: string
  detail: string
  /** Everybody is told again whenever it rises. */
  reminder?: number
}

export interface ElectionSeen {
  state: ElectionState
  cluster: Cluster
  /** As pages show it. */
  name: string
  now: Instant
  thresholds: Thresholds
  leader: Candidate | null
  /** The kill switch that holds it. */
  stopped: StandingSwitch | null
  /** Of the newest leader whose lease was looked up; null while none was. */
  ttlMs: number | null
  /** Renewals as holders reported them, of the last minutes; null where none took longer than `overMs`. */
  renewals: (overMs: number) => { count: number; p99Ms: number } | null
}

/** Pure: null where all is well. */
export type ElectionRuleOf = (seen: ElectionSeen) => Finding | null

export interface ClusterSeen {
  cluster: Cluster
  now: Instant
  thresholds: Thresholds
  /** null: etcd did not tell. */
  alarms: readonly { type: string; member: string }[] | null
  certificates: readonly Certificate[]
}

export interface Certificate {
  /** What it is: "client certificate", "certificate of https://etcd-1.example.org:2379". */
  what: string
  expiresAt: Instant
}

export type ClusterRuleOf = (seen: ClusterSeen) => readonly Finding[]
