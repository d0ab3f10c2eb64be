/** What each rule waits for: what it is shipped with, over it the configuration, over that the first pattern that fits. */
import type { AlertRule, Severity } from '../../lib/election/alerts.ts'
import { matchesElection } from '../../lib/election/layouts.ts'

interface Common {
  off: boolean
  severity: Severity
  /** How long it must be so before anybody is told. */
  forMs: number
}

export interface Thresholds extends Record<AlertRule, Common> {
  /** Leaderless for so many TTLs; `forMs`, where it is set, counts instead. */
  leaderless: Omit<Common, 'forMs'> & { forMs: number; ttls: number; isForSet: boolean }
  flapping: Common & { changes: number; withinMs: number }
  /** Less than this share of the TTL is left. */
  'lease-margin': Common & { leftShare: number }
  /** More than this share of the TTL. */
  'renewal-slow': Common & { ttlShare: number }
  'switch-forgotten': Common & { afterMs: number }
  'certificate-expiring': Common & { withinDays: number }
}

type Settings = { [Rule in AlertRule]?: Partial<Omit<Thresholds[Rule], 'isForSet'>> | undefined }

export interface ThresholdSettings {
  rules: Settings
  elections: readonly { pattern: string; rules: Settings }[]
}

const critical = (forMs = 0): Common => ({ off: false, severity: 'critical', forMs })
const warning = (forMs = 0): Common => ({ off: false, severity: 'warning', forMs })

export const SHIPPED: Thresholds = {
  'dual-claim': critical(),
  'quorum-lost': critical(5_000),
  'store-rolled-back': critical(),
  'mass-event': critical(),
  leaderless: { ...critical(), ttls: 2, isForSet: false },
  'etcd-alarm': critical(),
  'switch-unreadable': critical(),
  'switch-vanished': critical(),
  'switch-overdue': warning(),
  'switch-forgotten': { ...warning(), afterMs: 24 * 3_600_000 },
  'view-stale': warning(10_000),
  flapping: { ...warning(), changes: 4, withinMs: 15 * 60_000 },
  'lease-margin': { ...warning(), leftShare: 1 / 3 },
  'renewal-slow': { ...warning(), ttlShare: 1 / 3 },
  'no-standby': warning(60_000),
  'leader-without-lease': warning(10_000),
  'history-unwritten': warning(10_000),
  'certificate-expiring': { ...warning(), withinDays: 14 },
}

function over(base: Thresholds, settings: Settings): Thresholds {
  const rules = Object.entries(settings).map(([rule, own]) => [
    rule,
    { ...base[rule as AlertRule], ...given(own ?? {}) },
  ])
  const merged = { ...base, ...(Object.fromEntries(rules) as Partial<Thresholds>) }
  if (settings.leaderless?.forMs === undefined) return merged
  return { ...merged, leaderless: { ...merged.leaderless, isForSet: true } }
}

/** A setting that is left out must not undo the one below. */
function given(own: object): object {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
}

export class ThresholdBook {
  /** Of whatever is about no election. */
  readonly all: Thresholds
  private readonly patterns: readonly { pattern: string; thresholds: Thresholds }[]

  constructor({ rules, elections }: ThresholdSettings) {
    this.all = over(SHIPPED, rules)
    this.patterns = elections.map((each) => ({
      pattern: each.pattern,
      thresholds: over(this.all, each.rules),
    }))
  }

  /** `prefix` as it is shown; a last `/` makes no difference. */
  of(prefix: string): Thresholds {
    return this.patterns.find(({ pattern }) => matchesElection(pattern, prefix))?.thresholds ?? this.all
  }
}
