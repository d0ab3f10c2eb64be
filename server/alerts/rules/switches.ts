/** Kill switches that are not as somebody left them, or that stand longer than they were meant to. */
import { isHolding, type StandingSwitch } from '../../../lib/election/scopes.ts'
import type { Cluster, SwitchTrouble } from '../../../lib/election/types.ts'
import { elapsedMs, instant, msOf } from '../../../lib/shared/clock.ts'
import { day, duration, timeOfDay } from '../../../lib/shared/format.ts'
import type { ClusterRuleOf, Finding } from './finding.ts'

const named = (scope: string) => (scope === '' ? 'everything' : scope)

const TROUBLES = {
  vanished: { rule: 'switch-vanished', what: 'vanished without a release' },
  'rolled-back': { rule: 'switch-vanished', what: 'went back to an older record' },
  unreadable: { rule: 'switch-unreadable', what: 'cannot be read' },
  'too-many': { rule: 'switch-unreadable', what: 'are too many to be read' },
  overdue: { rule: 'switch-overdue', what: 'stands longer than it was meant to' },
} as const satisfies Record<SwitchTrouble['type'], { rule: Finding['rule']; what: string }>

/** What the watcher already tells on every page. */
export const switchTroubles: ClusterRuleOf = ({ cluster, thresholds }) => [
  ...(cluster.switchTroubles ?? []).map(({ type, scope, scopeBase64, at, words }): Finding => {
    const { rule, what } = TROUBLES[type]
    const { severity, forMs } = thresholds[rule]
    const summary = type === 'too-many' ? `Kill switches ${what}` : `Kill switch on ${named(scope)} ${what}`
    return {
      rule,
      severity,
      forMs,
      about: `${type} ${scopeBase64}`,
      subject: named(scope),
      since: at,
      summary,
      detail: words,
    }
  }),
  ...unreadable(cluster, thresholds['switch-unreadable']),
]

/** Then nobody knows what is stopped. */
function unreadable(
  { name, switchesError }: Cluster,
  { severity, forMs }: { severity: Finding['severity']; forMs: number },
): Finding[] {
  if (switchesError === undefined) return []
  return [
    {
      rule: 'switch-unreadable',
      severity,
      forMs,
      about: 'all',
      subject: name,
      since: null,
      summary: `The kill switches of etcd cluster ${name} cannot be read`,
      detail: `Nobody can tell what is stopped: ${switchesError}`,
    },
  ]
}

/** Somebody may have forgotten it. Said again each time as much time has passed once more. */
export const forgotten: ClusterRuleOf = ({ cluster, now, thresholds }) => {
  const { severity, forMs, afterMs } = thresholds['switch-forgotten']
  return (cluster.switches ?? []).filter(isHolding).flatMap((each: StandingSwitch): Finding[] => {
    const { record, scope, scopeBase64 } = each
    if (record === null) return []
    const ageMs = elapsedMs(record.at, now)
    if (ageMs < afterMs) return []
    const until =
      record.until === undefined
        ? ''
        : ` It was meant to be released by ${day(record.until)} ${timeOfDay(record.until)} UTC.`
    return [
      {
        rule: 'switch-forgotten',
        severity,
        forMs,
        about: `${scopeBase64} ${record.nonce}`,
        subject: named(scope),
        since: instant(msOf(record.at) + afterMs),
        summary: `Kill switch on ${named(scope)} has been engaged for ${duration(Math.floor(ageMs / afterMs) * afterMs)}`,
        detail: `${record.by} engaged it at ${day(record.at)} ${timeOfDay(record.at)} UTC: “${record.reason}”. No failover happens below it until somebody releases it.${until}`,
        reminder: Math.floor(ageMs / afterMs),
      },
    ]
  })
}
