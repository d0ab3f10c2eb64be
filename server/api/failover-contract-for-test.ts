/** `failovers.*` as docs/api.md has it, strict. */
import { z } from 'zod'
import { CAUSES } from '../../lib/election/types.ts'
import { decimal, time } from './contract-parts-for-test.ts'

const count = z.int().min(0)
const ms = z.number().min(0)
const share = z.number().min(0).max(1)
const cause = z.enum(CAUSES)
const kind = z.enum(['failover', 'planned', 'unobserved'])
const parts = {
  detectMs: ms.nullable(),
  refillMs: ms.nullable(),
  vacancyMs: ms.nullable(),
  takeoverMs: ms.nullable(),
}
const election = { ref: z.string(), name: z.string(), isKnown: z.boolean() }
const leader = { identity: z.string(), key: z.string(), ordinal: count, epoch: count, token: decimal }

const row = z.strictObject({
  election: z.strictObject(election),
  at: time,
  kind,
  cause,
  by: z.string().optional(),
  evidence: z.string(),
  former: z.strictObject(leader),
  next: z.strictObject({ ...leader, from: time }).nullable(),
  ...parts,
  detectErrorMs: ms.optional(),
  totalMs: ms.nullable(),
  unknownParts: z.array(z.enum(['detect', 'refill', 'vacancy', 'takeover'])),
})

const led = z.strictObject({
  election: count,
  judgedMs: ms,
  ledMs: ms,
  leaderlessMs: ms,
  unobservedMs: ms,
  stoppedMs: ms,
  ledShare: share.nullable(),
  leaderlessMsPerDay: ms.nullable(),
  failovers: count,
  betweenFailoversMs: ms.nullable(),
  mostInAnHour: count,
})

export const failoversSummary = z.strictObject({
  serverTime: time,
  from: time,
  to: time,
  observedSince: time.nullable(),
  objective: z.strictObject({ percent: z.number(), withinMs: count }),
  totals: z.strictObject({ failovers: count, planned: count, unobserved: count, open: count }),
  quantiles: z.strictObject({
    measured: count,
    partly: count,
    p50Ms: ms.nullable(),
    p95Ms: ms.nullable(),
    withinObjective: count,
  }),
  distribution: z.array(z.strictObject({ fromMs: ms, toMs: ms.nullable(), count, mass: count })),
  causes: z.array(
    z.strictObject({ cause, kind, count, mass: count, totalMs: ms.nullable(), parts: z.strictObject(parts) }),
  ),
  points: z.array(
    z.strictObject({
      at: time,
      to: time.optional(),
      election: count.optional(),
      cause,
      kind,
      count: z.int().positive(),
      leastMs: ms.nullable(),
      mostMs: ms.nullable(),
      open: z.literal(true).optional(),
    }),
  ),
  masses: z.strictObject({
    count,
    failovers: count,
    events: z.array(
      z.strictObject({
        from: time,
        to: time,
        elections: z.int().min(5),
        failovers: z.int().min(5),
        open: count,
        leastMs: ms.nullable(),
        medianMs: ms.nullable(),
        mostMs: ms.nullable(),
        words: z.string(),
      }),
    ),
  }),
  led: z.strictObject({ count, most: z.array(led), least: z.array(led) }),
  elections: z.array(z.strictObject({ ...election, ledObjective: z.number() })),
  newest: z.array(row),
})

export const failoversList = z.strictObject({
  serverTime: time,
  rows: z.array(row),
  nextCursor: z.string().optional(),
})
