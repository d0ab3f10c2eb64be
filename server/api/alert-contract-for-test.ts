/** Shapes of `alerts` as docs/api.md promises them, written a second time and strict. */
import { z } from 'zod'
import { count, time } from './contract-parts-for-test.ts'

const rule = z.enum([
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
])
const severity = z.enum(['critical', 'warning'])

const brief = z.strictObject({
  id: z.uuid(),
  rule,
  severity,
  stage: z.enum(['pending', 'firing']),
  cluster: z.string().nullable(),
  ref: z.string().optional(),
  subject: z.string(),
  since: time,
  sinceApproximate: z.boolean(),
  summary: z.string().min(1),
  detail: z.string().min(1),
  acknowledged: z.boolean(),
  silenced: z.boolean(),
})

export const alertsTold = z.strictObject({
  version: count,
  critical: count,
  warning: count,
  unacknowledged: count,
  worst: z.array(brief).max(12),
})

export const alert = z.strictObject({
  id: z.uuid(),
  key: z.string().min(1).max(200),
  rule,
  severity,
  cluster: z.string().nullable(),
  ref: z.string().optional(),
  subject: z.string(),
  stage: z.enum(['pending', 'firing', 'resolved']),
  since: time,
  sinceApproximate: z.boolean(),
  firedAt: time.nullable(),
  resolvedAt: time.nullable(),
  resolvedApproximate: z.boolean(),
  summary: z.string().min(1),
  detail: z.string().min(1),
  acknowledged: z.strictObject({ by: z.string(), at: time, comment: z.string() }).nullable(),
  silence: z.uuid().nullable(),
  partOf: z.string().nullable(),
})

const silence = z.strictObject({
  id: z.uuid(),
  cluster: z.string().optional(),
  rule: rule.optional(),
  pattern: z.string().optional(),
  from: time,
  until: time,
  by: z.string(),
  comment: z.string(),
  ended: z.strictObject({ by: z.string(), at: time }).nullable(),
})

const channel = z.strictObject({
  name: z.string(),
  type: z.enum(['alertmanager', 'webhook', 'slack', 'pagerduty', 'email']),
  to: z.string(),
  severities: z.array(severity),
  waiting: count,
  lastDeliveredAt: time.nullable(),
  trouble: z.string().nullable(),
})

export const alertsList = z.strictObject({
  serverTime: time,
  alerts: z.array(alert).max(1_000),
  more: count,
  silences: z.array(silence),
  channels: z.array(channel),
  problem: z.string().nullable(),
})
export const alertsHistory = z.strictObject({ alerts: z.array(alert), nextCursor: z.string().optional() })
export const alertsDeliveries = z.strictObject({
  deliveries: z.array(
    z.strictObject({
      id: z.uuid(),
      channel: z.string(),
      kind: z.enum(['firing', 'reminder', 'resolved', 'test']),
      alertId: z.uuid().nullable(),
      key: z.string(),
      summary: z.string(),
      at: time,
      state: z.enum(['waiting', 'delivered', 'failed']),
      attempts: count,
      deliveredAt: time.nullable(),
      error: z.string().nullable(),
      nextAt: time.nullable(),
    }),
  ),
  nextCursor: z.string().optional(),
})
