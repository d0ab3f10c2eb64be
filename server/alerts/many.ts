/** The same wrong with many elections at once: one alert that stands for them. Leaders that are lost have `mass.ts`. */
import type { AlertRule } from '../../lib/election/alerts.ts'
import { count } from '../../lib/shared/format.ts'
import type { KeptAlert } from '../history/alert-store.ts'
import { keyOf } from './keeper.ts'
import type { Finding } from './rules/finding.ts'
import type { Thresholds } from './thresholds.ts'

const MANY = 5
const ABOUT = 'many'
const NAMED = 5

const WORDS = {
  'lease-margin': (n: number) => `the leases of ${count(n, 'leader')} are not renewed in time`,
  'no-standby': (n: number) => `${count(n, 'election')} ${n === 1 ? 'has' : 'have'} no standby`,
  'renewal-slow': (n: number) => `renewals of ${count(n, 'leader')} are slow`,
  flapping: (n: number) => `${count(n, 'election')} ${n === 1 ? 'flaps' : 'flap'}`,
  'leader-without-lease': (n: number) => `the keys of ${count(n, 'leader')} have no lease`,
} as const
type ManyRule = keyof typeof WORDS
const RULES = Object.keys(WORDS) as ManyRule[]

export const isOfMany = (rule: AlertRule): rule is ManyRule => rule in WORDS

export const manyKey = (cluster: string, rule: ManyRule) => keyOf({ cluster }, { rule, about: ABOUT })

/** `firing`: all alerts of the cluster's elections that fire. It goes on until none of those it stands for is left. */
export function manyFindings(cluster: string, firing: readonly KeptAlert[], thresholds: Thresholds): Finding[] {
  return RULES.flatMap((rule): Finding[] => {
    const key = manyKey(cluster, rule)
    const untold = firing.filter((alert) => alert.rule === rule && !alert.told && alert.silence === null)
    const goesOn = untold.some(({ partOf }) => partOf === key)
    if (untold.length < MANY && !goesOn) return []
    const { severity } = thresholds[rule]
    const since = untold.map((alert) => alert.since).sort()[0] ?? null
    const names = untold.slice(0, NAMED).map(({ subject }) => subject)
    const more = untold.length > NAMED ? ` and ${count(untold.length - NAMED, 'more', 'more')}` : ''
    const what = WORDS[rule](untold.length)
    return [
      {
        rule,
        severity,
        forMs: 0,
        about: ABOUT,
        subject: cluster,
        since,
        summary: `etcd cluster ${cluster}: ${what}`,
        detail: `${names.join(', ')}${more}.`,
      },
    ]
  })
}
