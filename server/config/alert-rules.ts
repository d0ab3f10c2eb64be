/** What each rule for alerts waits for, for all elections and for those that a pattern fits. */
import { z } from 'zod'

const severity = z.enum(['critical', 'warning'], { error: 'a severity is critical or warning' })
const wholeMs = (what: string, least: number) => {
  const error = `${what} is whole milliseconds, at least ${least.toLocaleString('en-US')}`
  return z.int({ error }).min(least, { error })
}
const share = (what: string, most: number) => {
  const error = `${what} is a number above 0 and at most ${most}`
  return z.number({ error }).gt(0, { error }).max(most, { error })
}

const common = {
  off: z.boolean({ error: 'off is true or false' }).optional(),
  severity: severity.optional(),
  /** How long it must be so before anybody is told. */
  forMs: wholeMs('forMs', 0).optional(),
}
const plain = z.strictObject(common).optional()

const changes = (() => {
  const error = 'changes is a whole number of at least 2'
  return z.int({ error }).min(2, { error }).optional()
})()

/** The ones that are about one election. */
const electionRules = {
  'dual-claim': plain,
  leaderless: z.strictObject({ ...common, ttls: share('ttls', 100).optional() }).optional(),
  flapping: z
    .strictObject({
      ...common,
      changes,
      withinMs: wholeMs('withinMs', 60_000)
        .max(3_600_000, 'withinMs is at most 3600000: changes of the last hour are at hand')
        .optional(),
    })
    .optional(),
  'no-standby': plain,
  'lease-margin': z.strictObject({ ...common, leftShare: share('leftShare', 1).optional() }).optional(),
  'renewal-slow': z.strictObject({ ...common, ttlShare: share('ttlShare', 1).optional() }).optional(),
  'leader-without-lease': plain,
}

const withinDays = (() => {
  const error = 'withinDays is a whole number of at least 1'
  return z.int({ error }).min(1, { error }).optional()
})()

const allRules = {
  ...electionRules,
  'mass-event': plain,
  'quorum-lost': plain,
  'store-rolled-back': plain,
  'etcd-alarm': plain,
  'switch-unreadable': plain,
  'switch-vanished': plain,
  'switch-overdue': plain,
  'switch-forgotten': z.strictObject({ ...common, afterMs: wholeMs('afterMs', 60_000).optional() }).optional(),
  'view-stale': plain,
  'history-unwritten': plain,
  'certificate-expiring': z.strictObject({ ...common, withinDays }).optional(),
}

const pattern = z.string().min(1, 'a pattern must not be empty: write for example /elections/billing/*/')

export const ruleSettings = z.strictObject(allRules)
export const electionRuleSettings = z.strictObject({ pattern, rules: z.strictObject(electionRules) })

export type RuleSettings = Readonly<z.infer<typeof ruleSettings>>
export type ElectionRuleSettings = Readonly<z.infer<typeof electionRuleSettings>>
