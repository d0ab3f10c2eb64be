/** `incidents.report` and `/api/incident?format=json` as docs/api.md has them, strict. */
import { z } from 'zod'
import { ALERT_RULES } from '../../lib/election/alerts.ts'
import { CAUSES } from '../../lib/election/types.ts'
import { count, decimal, ms, time } from './contract-parts-for-test.ts'

const said = { at: time, by: z.string() }

const figures = z.strictObject({
  judgedMs: ms,
  ledMs: ms,
  leaderlessMs: ms,
  unobservedMs: ms,
  stoppedMs: ms,
  ledShare: z.number().min(0).max(1).nullable(),
  leaderlessMsPerDay: ms.nullable(),
  failovers: count,
  betweenFailoversMs: ms.nullable(),
  mostInAnHour: count,
  planned: count,
  unobservedChanges: count,
  failoverP50Ms: ms.nullable(),
  failoverP95Ms: ms.nullable(),
  longestFailoverMs: ms.nullable(),
})

const term = z.strictObject({
  ordinal: count,
  epoch: count,
  token: decimal,
  identity: z.string(),
  key: z.string(),
  from: time,
  fromAtLeast: z.boolean(),
  to: time.nullable(),
  cause: z.enum(CAUSES).nullable(),
  by: z.string().nullable(),
  evidence: z.string(),
  kind: z.enum(['failover', 'planned', 'unobserved']).nullable(),
  detectMs: ms.nullable(),
  refillMs: ms.nullable(),
  vacancyMs: ms.nullable(),
  takeoverMs: ms.nullable(),
  totalMs: ms.nullable(),
  unknownParts: z.array(z.enum(['detect', 'refill', 'vacancy', 'takeover'])),
  note: z.strictObject({ ...said, text: z.string().min(1) }).nullable(),
  acknowledged: z.strictObject(said).nullable(),
})

const election = z.strictObject({
  ref: z.string(),
  name: z.string(),
  prefix: z.string(),
  prefixBase64: z.base64(),
  ledObjective: z.number(),
  figures,
  terms: z.array(term),
  earlierTerms: count,
})

const entry = z.strictObject({
  type: z.enum([
    'term-began',
    'term-ended',
    'action',
    'stop',
    'gap',
    'raft-leader',
    'no-quorum',
    'slow-probe',
    'alarm',
    'mass-event',
    'alert',
  ]),
  at: time,
  to: time.nullable().optional(),
  refs: z.array(z.string()).optional(),
  words: z.string().min(1),
  why: z.string().min(1).optional(),
  alert: z.strictObject({ rule: z.enum(ALERT_RULES), severity: z.enum(['critical', 'warning']) }).optional(),
})

export const incidentReportShape = z.strictObject({
  v: z.literal(1),
  cluster: z.string(),
  from: time,
  to: time,
  zone: z.literal('UTC'),
  madeAt: time,
  summary: z.string().min(1),
  elections: z.array(election),
  untold: z.strictObject({
    elections: count,
    isMore: z.boolean(),
    actions: z.enum(['none', 'newest', 'unreadable']),
    alerts: z.enum(['none', 'newest', 'unreadable']),
  }),
  entries: z.array(entry),
  chart: z.strictObject({ svg: z.string().startsWith('<svg '), alt: z.string().min(1) }),
})
